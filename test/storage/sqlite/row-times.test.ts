import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { test } from 'node:test';
import { canonicalInstant } from '../../../src/domain/instant.ts';
import type { StorableRecord } from '../../../src/domain/ports/resource-store.ts';
import type { Store } from '../../../src/domain/ports/store.ts';
import { checkStore } from '../../../src/store/sqlite/maintenance/maintain.ts';
import { creation, document, record } from '../records.ts';
import { fileOf, openTestStore, withDatabase } from './open-test-store.ts';

const check = (file: string) => checkStore(file, false, () => {});

const timesOf = (file: string) =>
  withDatabase(file, (db) =>
    db
      .prepare('SELECT id, created_at, modified_at FROM resource ORDER BY id')
      .all()
      .map((row) => Object.values(row)),
  );

const incarnated = (next: StorableRecord): StorableRecord => ({
  ...next,
  incarnation: 'c0ffee4711',
  history: '',
});

/** Instants of documents as an import brings them: the row has them in canonical form. */
function imported(id: string, createdAt: string, lastModifiedAt: string) {
  const current = { ...document(id, 1), createdAt, lastModifiedAt };
  const times = {
    createdAt: canonicalInstant(createdAt) ?? '',
    lastModifiedAt: canonicalInstant(lastModifiedAt) ?? '',
  };
  return { kind: 'create', next: { ...record('p', current), ...times }, after: { current } } as const;
}

async function idsOf({ resources }: Store, path: string, from?: string): Promise<readonly string[]> {
  const where =
    from === undefined
      ? []
      : [
          {
            kind: 'compare' as const,
            path: [path],
            op: '>=' as const,
            value: { type: 'string' as const, value: from },
          },
        ];
  const sort = [{ path: [path], direction: 'asc' as const }];
  const page = await resources.list({
    projectKey: 'p',
    where,
    sort,
    limit: 50,
    offset: 0,
    withTotal: false,
    staged: false,
  });
  return (JSON.parse(`[${page.results}]`) as { id: string }[]).map(({ id }) => id);
}

test('times are stored in canonical form, whatever form a document has them in, and order the resources', async (t) => {
  const file = fileOf(t);
  const store = await openTestStore(file);
  const plain = creation('p', document('a', 1));
  assert.ok(plain.kind === 'create');
  assert.equal(await store.resources.commit({ ...plain, next: incarnated(plain.next) }), 'committed');
  const others = [
    imported('b', '2026-01-02T03:04:05.6789Z', '2026-01-02T03:04:05.6789Z'),
    imported('c', '2026-01-02T04:04:05.670+01:00', '2026-01-02T03:04:05.670Z'),
    imported('d', '2026-01-02T03:04:05Z', '2026-01-02T03:04:06.000Z'),
    imported('e', '2026-01-02T03:04:05.600Z', '2026-01-02T03:04:05.600Z'),
  ];
  for (const change of others) assert.equal(await store.resources.commit(change), 'committed');
  assert.deepEqual(timesOf(file), [
    ['a', '2026-01-02T03:04:05.678', '2026-01-02T03:04:05.678'],
    ['b', '2026-01-02T03:04:05.6789', '2026-01-02T03:04:05.6789'],
    ['c', '2026-01-02T03:04:05.67', '2026-01-02T03:04:05.67'],
    ['d', '2026-01-02T03:04:05', '2026-01-02T03:04:06'],
    ['e', '2026-01-02T03:04:05.6', '2026-01-02T03:04:05.6'],
  ]);
  const a = store.resources.get('p', 'a');
  assert.deepEqual(
    [(await a)?.createdAt, (await a)?.lastModifiedAt],
    ['2026-01-02T03:04:05.678', '2026-01-02T03:04:05.678'],
  );
  assert.equal((await a)?.incarnation, 'c0ffee4711');
  assert.equal((await store.resources.get('p', 'e'))?.createdAt, '2026-01-02T03:04:05.6');
  assert.deepEqual(await idsOf(store, 'createdAt'), ['d', 'e', 'c', 'a', 'b']);
  assert.deepEqual(await idsOf(store, 'createdAt', '2026-01-02T03:04:05.67Z'), ['c', 'a', 'b']);
  assert.deepEqual(await idsOf(store, 'lastModifiedAt'), ['e', 'c', 'a', 'b', 'd']);
  await store.close();
  assert.deepEqual(await check(file), []);
  assert.deepEqual(await checkStore(file, true, () => {}), []);
  const again = await openTestStore(file);
  assert.deepEqual(await idsOf(again, 'createdAt'), ['d', 'e', 'c', 'a', 'b']);
  await again.close();
});

test('one time in the document and another in the row is damage, wherever it is', async (t) => {
  const intact = fileOf(t);
  const store = await openTestStore(intact);
  await store.resources.commit(creation('p', document('a', 1)));
  await store.close();
  for (const damage of [
    "created_at = '2026-01-02T03:04:05.679'",
    "modified_at = '2026-01-02T03:04:05.679'",
    "current = replace(current, '.678Z', '.679Z')",
    "history = history || ' '",
  ]) {
    const file = fileOf(t);
    copyFileSync(intact, file);
    withDatabase(file, (db) => db.exec(`CREATE TABLE kept AS SELECT * FROM resource; UPDATE resource SET ${damage}`));
    assert.match((await check(file)).join(), /resource p\/a: its checksum does not match/, damage);
    const damaged = await openTestStore(file);
    assert.throws(() => damaged.resources.get('p', 'a'), { code: 'DataCorruption' }, damage);
    // It is set aside, so that lists go on without it.
    assert.deepEqual(await idsOf(damaged, 'id'), [], damage);
    await damaged.close();
    withDatabase(file, (db) =>
      db.exec(`UPDATE resource SET (created_at, modified_at, current, history) =
        (SELECT created_at, modified_at, current, history FROM kept); DROP TABLE kept`),
    );
    // The indexes leave out what was set aside until they are built again.
    assert.deepEqual(await checkStore(file, true, () => {}), [], damage);
    assert.deepEqual(await check(file), [], damage);
  }
});
