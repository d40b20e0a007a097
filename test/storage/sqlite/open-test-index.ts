import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { JsonObject } from '../../../src/contract/json.ts';
import { canonicalInstant } from '../../../src/domain/instant.ts';
import type { Documents } from '../../../src/domain/ports.ts';
import { type ResourceRow, rowChecksum } from '../../../src/storage/sqlite/checksum.ts';
import { registerFunctions } from '../../../src/storage/sqlite/list.ts';
import { openTermEntries } from '../../../src/storage/sqlite/term-entries.ts';
import { type IndexDifference, indexDifference } from '../../../src/storage/sqlite/terms.ts';

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
        if (before) writers.remove(before.row, difference);
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

  return {
    put(projectKey: string, before: number | undefined, documents: Documents, difference: IndexDifference): number {
      const values = rowOf(projectKey, documents);
      const row = Number(insert.run(before ?? null, ...Object.values(values), rowChecksum(values)).lastInsertRowid);
      const number = before ?? row;
      if (before !== undefined) removeTerms.run(number, difference.removed);
      addTerms.run(number, difference.added);
      return number;
    },
    remove(row: number, difference: IndexDifference): void {
      removeTerms.run(row, difference.removed);
      remove.run(row);
    },
  };
}

/** A document with its system fields, as the domain makes them. */
export function documentOf(id: string, fields: JsonObject, second = 0): JsonObject {
  const { key, version = 1, createdAt, lastModifiedAt, ...rest } = fields;
  const at = `2024-01-01T00:00:${String(second % 60).padStart(2, '0')}.000Z`;
  return {
    id,
    version,
    ...(key === undefined ? {} : { key }),
    createdAt: createdAt ?? at,
    lastModifiedAt: lastModifiedAt ?? at,
    ...rest,
  };
}
