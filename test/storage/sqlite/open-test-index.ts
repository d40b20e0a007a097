import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { canonicalInstant } from '../../../src/domain/instant.ts';
import type { Change, Documents, StorableRecord } from '../../../src/domain/ports/resource-store.ts';
import { registerFunctions } from '../../../src/index/query/functions.ts';
import { SegmentMerger } from '../../../src/index/terms/merge-segments.ts';
import { newTermReader } from '../../../src/index/terms/term-reader.ts';
import { createTermWriter } from '../../../src/index/terms/term-writer.ts';
import { splitTerm } from '../../../src/index/terms/word-terms.ts';
import { writeOf } from '../../../src/record/row/write.ts';
import { migrate } from '../../../src/record/sqlite/open/migrate.ts';
import type { WriteOperation } from '../../../src/record/sqlite/write/messages.ts';
import { uncheckedRecord } from '../records.ts';
import { applierOn, followerOn } from './parts-on.ts';

export interface TestIndex {
  readonly db: DatabaseSync;
  /** Creates, overwrites or (without documents) deletes a resource, indexes included. */
  write(projectKey: string, id: string, documents: Documents | undefined): void;
  /** The position of the indexes. */
  position(): number;
  [Symbol.dispose](): void;
}

/** A real database in a temporary folder with the schema of the service, written the way the store writes. */
export function openTestIndex(declaredPaths: readonly string[], check: () => void = () => {}): TestIndex {
  const folder = mkdtempSync(join(tmpdir(), 'index-test-'));
  const db = new DatabaseSync(join(folder, 'test.db'));
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF');
  migrate(db);
  db.prepare("INSERT INTO store (singleton, instance_id, commits, settings) VALUES (1, 'test', 0, ?)").run(
    JSON.stringify({ declaredPaths }),
  );
  registerFunctions(db, { check });
  const known = new Map<string, Documents>();
  const applier = applierOn(db);
  const follower = followerOn(db, declaredPaths);
  return {
    db,
    write(projectKey, id, documents) {
      const name = `${projectKey}/${id}`;
      const operation = operationOf(projectKey, id, known.get(name), documents);
      if (!operation) return;
      const { outcomes } = applier.apply([operation], Date.now());
      if (outcomes[0] !== 'committed') throw new Error(String(outcomes[0]));
      follower.follow();
      follower.mergeDue(true, false);
      if (documents) known.set(name, documents);
      else known.delete(name);
    },
    position: () => (db.prepare('SELECT indexed FROM store').get() as { indexed: number }).indexed,
    [Symbol.dispose]() {
      db.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Adds a term to the index that no resource has. */
export function addTerm(db: DatabaseSync, row: number, term: string): void {
  const writer = createTermWriter(db);
  const [prefix, rest] = splitTerm(term);
  writer.add(row, [rest], prefix);
  writer.flush();
}

/** Merges all segments, so that nothing is left of what no resource has any more. */
export function mergeWhole(
  db: DatabaseSync,
  merger: Pick<SegmentMerger, 'merge' | 'beginAnew'> = new SegmentMerger(db),
): void {
  merger.merge(Number.POSITIVE_INFINITY);
  merger.beginAnew();
  merger.merge(Number.POSITIVE_INFINITY);
}

/** The entries of the index, in the order of the terms. */
export function termEntries(db: DatabaseSync): readonly { readonly term: string; readonly row: number }[] {
  const entries: { term: string; row: number }[] = [];
  newTermReader(db).readBeginning('', (term, rows) => entries.push(...[...rows].map((row) => ({ term, row }))));
  return entries;
}

/** The operation of a change; undefined where there is nothing to delete. */
export function operationOf(
  projectKey: string,
  id: string,
  before: Documents | undefined,
  after: Documents | undefined,
): WriteOperation | undefined {
  const change = changeOf(projectKey, id, before, after);
  return change && ['write', writeOf(change, false, 'always')];
}

function changeOf(
  projectKey: string,
  id: string,
  before: Documents | undefined,
  after: Documents | undefined,
): Change | undefined {
  const expectedVersion = before?.current.version as number;
  if (!after) return before && { kind: 'delete', projectKey, id, expectedVersion, before };
  const next = recordOf(projectKey, after);
  if (!before) return { kind: 'create', next, after };
  return { kind: 'update', expectedVersion, next, before, after };
}

function recordOf(projectKey: string, { current, staged }: Documents): StorableRecord {
  const text = (name: string) => current[name] as string;
  return uncheckedRecord({
    projectKey,
    id: text('id'),
    key: current.key as string | undefined,
    version: current.version as number,
    createdAt: canonicalInstant(text('createdAt'))!,
    lastModifiedAt: canonicalInstant(text('lastModifiedAt'))!,
    current: JSON.stringify(current),
    staged: staged && JSON.stringify(staged),
    history: '',
  });
}
