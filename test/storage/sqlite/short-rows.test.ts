import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonicalInstant, instantOf } from '../../../src/domain/instant.ts';
import type { StorableRecord } from '../../../src/domain/ports/resource-store.ts';
import type { Store } from '../../../src/domain/ports/store.ts';
import { historyOf } from '../../../src/domain/resource/resource.ts';
import {
  longForm,
  namedRow,
  type ResourceColumns,
  recordOf,
  rowChecksum,
  shortRow,
  writeHistory,
} from '../../../src/record/row/stored-row.ts';
import { migrate } from '../../../src/record/sqlite/open/migrate.ts';
import { checkStore } from '../../../src/store/sqlite/maintenance/maintain.ts';
import { testSeed } from '../../seed.ts';
import { creation, document, record } from '../records.ts';
import { fileOf, openTestStore, withDatabase } from './open-test-store.ts';

const check = (file: string) => checkStore(file, false, () => {});

/** What SQLite reads where columns are empty. */
function openRows(): { times(row: ResourceColumns): readonly unknown[] } {
  const db = new DatabaseSync(':memory:');
  migrate(db);
  const add = db.prepare(
    `INSERT OR REPLACE INTO resource (row, project_key, id, key, version, own_created_at, own_modified_at, current, staged, history,
      checksum) VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)`,
  );
  const read = db.prepare('SELECT created_at, modified_at FROM resource');
  return {
    times(row) {
      add.run(...row);
      return Object.values(read.get() ?? {});
    },
  };
}

const instants = fc.oneof(
  { weight: 4, arbitrary: fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('2100-01-01') }) },
  fc.constantFrom(new Date('2026-01-01T00:00:00.000Z'), new Date('2026-01-01T10:00:20.920Z'), new Date(0)),
);
/** As the service writes them, and as an import may bring them. */
const spelled = fc.tuple(instants, fc.constantFrom('ms', 'ms', 'ms', 'none', 'µs', 'zone')).map(([date, as]) => {
  const iso = date.toISOString();
  if (as === 'ms') return iso;
  if (as === 'none') return `${iso.slice(0, 19)}Z`;
  return as === 'µs' ? `${iso.slice(0, 23)}789Z` : `${iso.slice(0, 23)}+00:00`;
});
const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    '"createdAt":"',
    '\\"createdAt":"',
    '2026-01-01T00:00:00.000Z',
    '😀"createdAt":"2026-01-01T00:00:00.000Z',
  ),
);

test('a row in its short form has the times and the history that it had, in SQL as here', () => {
  const rows = openRows();
  let shortened = 0;
  fc.assert(
    fc.property(
      fc.record({
        id: texts,
        key: texts,
        created: spelled,
        modified: spelled,
        of: spelled,
        length: fc.constantFrom(1, 4000),
      }),
      fc.array(fc.tuple(fc.nat(9), fc.array(texts, { maxLength: 3 })), { maxLength: 3 }),
      fc.constantFrom(undefined, 'c0ffee4711', 'A', '', '['),
      fc.boolean(),
      ({ id, key, created, modified, of, length }, changes, incarnation, isOfDocument) => {
        const document = {
          id,
          version: 1,
          key,
          createdAt: created,
          lastModifiedAt: modified,
          text: 'x'.repeat(length),
        };
        const createdAt = instantOf(isOfDocument ? created : of);
        const modifiedAt = instantOf(modified);
        const history = writeHistory({
          history: historyOf(changes.map(([version, fields]) => ({ version: version + 1, fields }))),
          incarnation,
        });
        const whole: ResourceColumns = [
          'p',
          id,
          key,
          1,
          createdAt,
          modifiedAt,
          JSON.stringify(document),
          null,
          history,
        ];
        const short = shortRow(whole);
        if (short[4] === '') shortened += 1;
        const row = namedRow([...short, 0]);
        assert.deepEqual(longForm(row), longForm(namedRow([...whole, 0])));
        assert.deepEqual([longForm(row).createdAt, longForm(row).modifiedAt], [createdAt, modifiedAt]);
        assert.equal(longForm(row).incarnation, incarnation);
        assert.deepEqual(rows.times(short), [createdAt, modifiedAt]);
        const read = recordOf({ ...row, checksum: rowChecksum(row) });
        assert.deepEqual(
          writeHistory(read),
          writeHistory(recordOf({ ...namedRow([...whole, rowChecksum(namedRow([...whole, 0]))]) })),
        );
      },
    ),
    { seed: testSeed, numRuns: 500 },
  );
  assert.ok(shortened > 20, `${shortened} were short`);
});

interface Own {
  readonly id: string;
  readonly own_created_at: string;
  readonly own_modified_at: string;
  readonly history: string;
}

const ownOf = (file: string) =>
  withDatabase(file, (db) =>
    db
      .prepare('SELECT id, own_created_at, own_modified_at, history FROM resource ORDER BY id')
      .all()
      .map((row) => ({ ...(row as unknown as Own) })),
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

test('a row leaves out the times and brackets that it need not have, and is read and ordered as one that has them', async (t) => {
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
  assert.deepEqual(
    ownOf(file).map(({ id, own_created_at, own_modified_at }) => [id, own_created_at, own_modified_at]),
    [
      ['a', '', ''],
      ['b', '2026-01-02T03:04:05.6789', '2026-01-02T03:04:05.6789'],
      ['c', '2026-01-02T03:04:05.67', '2026-01-02T03:04:05.67'],
      ['d', '2026-01-02T03:04:05', '2026-01-02T03:04:06'],
      ['e', '', ''],
    ],
  );
  assert.equal(ownOf(file)[0]?.history, 'c0ffee4711');
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
    "own_created_at = '2026-01-02T03:04:05.678'",
    "own_modified_at = '2026-01-02T03:04:05.678'",
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
      db.exec(`UPDATE resource SET (own_created_at, own_modified_at, current, history) =
        (SELECT own_created_at, own_modified_at, current, history FROM kept); DROP TABLE kept`),
    );
    // The indexes leave out what was set aside until they are built again.
    assert.deepEqual(await checkStore(file, true, () => {}), [], damage);
    assert.deepEqual(await check(file), [], damage);
  }
});
