import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '../../../src/contract/json.ts';
import type { ListQuery } from '../../../src/domain/ports/list-query.ts';
import type { Store } from '../../../src/domain/ports/store.ts';
import { registerFunctions } from '../../../src/index/query/functions.ts';
import { openReadConnection } from '../../../src/sqlite/connection.ts';
import type { PostgresOptions } from '../../../src/store/postgres/store.ts';
import { checkDatabase } from '../../../src/store/sqlite/maintenance/check.ts';
import { idsOf } from '../ids-of.ts';
import { creation, document } from '../records.ts';
import { openTestStore, type TestPostgres } from './start-test-postgres.ts';

/** A node of a service on PostgreSQL, whose mirror outlives its store. */
export interface Node {
  readonly store: Store;
  readonly folder: string;
  readonly file: string;
  /** What its stores noted. */
  readonly notes: string[];
  close(): Promise<void>;
}

/** A folder for mirrors; removed by `t.after`. */
export function createFolder(t: { after(done: () => void): void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'mirrored-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Opens a node; `t.after` closes it where the test has not. */
export async function openNode(
  t: { after(done: () => Promise<void>): void },
  postgres: TestPostgres,
  folder: string,
  more: Partial<PostgresOptions> = {},
): Promise<Node> {
  const notes: string[] = [];
  const note = (text: string) => void notes.push(text);
  const store = await openTestStore(postgres, { mirrorFolder: folder, note, ...more });
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= store.close();
    return closed;
  };
  t.after(close);
  return { store, folder, file: join(folder, 'mirror.db'), notes, close };
}

/** All resources, as many as a page has, in the order of a list without a sort. */
export function allOf(projectKey: string, more: Partial<ListQuery> = {}): ListQuery {
  return { projectKey, where: [], sort: [], limit: 500, offset: 0, withTotal: true, staged: false, ...more };
}

export async function listIds({ store }: Node, query: ListQuery): Promise<readonly string[]> {
  const page = await store.resources.list(query);
  return idsOf({ ...page, facets: [] });
}

/** Creates resources, many in one statement. */
export async function createMany({ store }: Node, projectKey: string, ids: readonly string[], fields: JsonObject = {}) {
  const changes = ids.map((id) => creation(projectKey, document(id, 1, fields)));
  const outcomes = await Promise.all(changes.map((change) => store.resources.commit(change)));
  assert.deepEqual(new Set(outcomes), new Set(['committed']));
}

interface Compared {
  readonly id: string;
  readonly key: string | null;
  readonly version: number;
  readonly born: number;
}

/** Compares the indexes of a mirror with its rows. */
export async function assertIndexes({ file }: Node): Promise<void> {
  const db = openReadConnection(file, 1024);
  try {
    registerFunctions(db, { check() {} } as unknown as Parameters<typeof registerFunctions>[1]);
    assert.deepEqual(await checkDatabase(db, () => {}, 1), []);
  } finally {
    db.close();
  }
}

/** Compares a mirror with PostgreSQL: its rows, their order, and its indexes with its rows. */
export async function assertMirrors(postgres: TestPostgres, node: Node, projectKey: string): Promise<void> {
  await node.store.resources.list(allOf(projectKey, { limit: 0 }));
  const text = 'SELECT id, key, version::int, born::int FROM resource WHERE project_key = $1 ORDER BY born';
  const expected = await postgres.run<Compared>(text, [projectKey]);
  const db = openReadConnection(node.file, 1024);
  try {
    const rows = db.prepare('SELECT id, key, version, born FROM resource WHERE project_key = ? ORDER BY born');
    const found = rows.all(projectKey) as unknown as readonly Compared[];
    assert.deepEqual(
      found.map((row) => ({ ...row })),
      expected.map((row) => ({ ...row })),
    );
  } finally {
    db.close();
  }
  await assertIndexes(node);
  for (const { id } of expected) {
    const [mirrored, recorded] = await Promise.all([
      node.store.eventual!.get(projectKey, id),
      node.store.resources.get(projectKey, id),
    ]);
    assert.deepEqual(mirrored, recorded);
  }
}
