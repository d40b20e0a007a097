import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { canonicalInstant } from '../../../src/domain/instant.ts';
import type { Documents } from '../../../src/domain/ports/resource-store.ts';
import { type IndexDifference, indexDifference } from '../../../src/storage/index/index-entries.ts';
import { type ResourceRow, rowChecksum } from '../../../src/storage/row/stored-row.ts';
import { openTermEntries } from '../../../src/storage/sqlite/open/connection.ts';
import { registerFunctions } from '../../../src/storage/sqlite/query/functions.ts';
import { createChangeLog } from '../../../src/storage/sqlite/write/change-log.ts';
import { createVocabularyWriter } from '../../../src/storage/sqlite/write/vocabulary-writer.ts';

const schema = readFileSync(new URL('../../../src/storage/sqlite/migrations/001_initial.sql', import.meta.url), 'utf8');

export interface TestIndex {
  readonly db: DatabaseSync;
  /** Creates, overwrites or (without documents) deletes a resource, indexes included. */
  write(projectKey: string, id: string, documents: Documents | undefined): void;
  [Symbol.dispose](): void;
}

/** A real database in a temporary folder with the schema of the service, written the way the store writes. */
export function openTestIndex(declaredPaths: readonly string[], check: () => void = () => {}): TestIndex {
  const folder = mkdtempSync(join(tmpdir(), 'index-test-'));
  const db = new DatabaseSync(join(folder, 'test.db'));
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF');
  db.exec(schema);
  db.exec("INSERT INTO store VALUES (1, 'test', 0, '{}')");
  registerFunctions(db, { check });
  openTermEntries(db);
  const known = new Map<string, { readonly row: number; readonly documents: Documents }>();
  const writers = prepareWriters(db);
  return {
    db,
    write(projectKey, id, documents) {
      const name = `${projectKey}/${id}`;
      const before = known.get(name);
      const difference = indexDifference(projectKey, before?.documents, documents, declaredPaths);
      if (!documents) {
        if (before) writers.remove(projectKey, before.row, difference);
        known.delete(name);
        return;
      }
      const row = writers.put(projectKey, before?.row, documents, difference);
      known.set(name, { row, documents });
    },
    [Symbol.dispose]() {
      db.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function rowOf(projectKey: string, { current, staged }: Documents): ResourceRow {
  const text = (name: string) => current[name] as string;
  return {
    project_key: projectKey,
    id: text('id'),
    key: (current.key as string | undefined) ?? null,
    version: current.version as number,
    created_at: canonicalInstant(text('createdAt'))!,
    modified_at: canonicalInstant(text('lastModifiedAt'))!,
    current: JSON.stringify(current),
    staged: staged ? JSON.stringify(staged) : null,
    history: '[]',
  };
}

function prepareWriters(db: DatabaseSync) {
  const names = 'project_key, id, key, version, created_at, modified_at, current, staged, history, checksum';
  const insert = db.prepare(
    `INSERT INTO resource (row, ${names}) VALUES (?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT (row) DO UPDATE SET ${names
      .split(', ')
      .map((name) => `${name} = excluded.${name}`)
      .join()}`,
  );
  const remove = db.prepare('DELETE FROM resource WHERE row = ?');
  const removeTerms = db.prepare("INSERT INTO term (term, rowid, t) VALUES ('delete', ?, ?)");
  const addTerms = db.prepare('INSERT INTO term (rowid, t) VALUES (?, ?)');
  for (const statement of [removeTerms, addTerms]) statement.setReadBigInts(true);
  const countCommit = db.prepare('UPDATE store SET commits = commits + 1 RETURNING commits');
  const vocabulary = createVocabularyWriter(db);
  const changeLog = createChangeLog(db);

  function writeRest(
    projectKey: string,
    row: number,
    { removed, added, removedText, addedText }: IndexDifference,
    counts: 'appears' | 'stays' | 'goes',
  ): void {
    const { commits } = countCommit.get() as { commits: number };
    vocabulary.add(addedText, commits);
    vocabulary.remove([removedText]);
    changeLog.write([{ projectKey, row, index: [removed, added, removedText, addedText], counts }], commits);
  }

  return {
    put(projectKey: string, before: number | undefined, documents: Documents, difference: IndexDifference): number {
      const values = rowOf(projectKey, documents);
      const row = Number(insert.run(before ?? null, ...Object.values(values), rowChecksum(values)).lastInsertRowid);
      const number = before ?? row;
      if (before !== undefined) removeTerms.run(number, `${difference.removed} ${difference.removedText}`);
      addTerms.run(number, `${difference.added} ${difference.addedText}`);
      writeRest(projectKey, number, difference, before === undefined ? 'appears' : 'stays');
      return number;
    },
    remove(projectKey: string, row: number, difference: IndexDifference): void {
      removeTerms.run(row, `${difference.removed} ${difference.removedText}`);
      remove.run(row);
      writeRest(projectKey, row, difference, 'goes');
    },
  };
}
