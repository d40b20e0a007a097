import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject } from '../../../src/contract/json.ts';
import { joinedTexts, type ListQuery } from '../../../src/domain/ports/list-query.ts';
import type { Store } from '../../../src/domain/ports/store.ts';
import { match } from '../../../src/domain/predicate/match.ts';
import { compareUtf8 } from '../../../src/domain/predicate/scalar.ts';
import { registerPaths } from '../../../src/record/postgres/generations/generation.ts';
import { buildIndex } from '../../../src/record/postgres/maintenance/build-index.ts';
import type { BuildOptions } from '../../../src/record/postgres/maintenance/build-portion.ts';
import { checkPostgres } from '../../../src/record/postgres/maintenance/maintain.ts';
import type { Connection } from '../../../src/record/postgres/open/connection.ts';
import type { PostgresOptions } from '../../../src/store/postgres/store.ts';
import { creation, deletion, document, replacement } from '../records.ts';
import { query } from './exercise.ts';
import {
  connectToStore,
  openTestStore,
  startTestPostgres,
  type TestPostgres,
  untilReady,
} from './start-test-postgres.ts';

/** Indexes of declared paths are built beside the service. */
let postgres: TestPostgres;
before(async () => {
  postgres = await startTestPostgres();
  await (await openTestStore(postgres)).close();
});
after(() => postgres.close());
beforeEach(() => postgres.run('TRUNCATE resource, ordered_value, word, index_generation, store_setting'));

async function withStores<T>(options: readonly Partial<PostgresOptions>[], work: (...stores: Store[]) => Promise<T>) {
  const stores: Store[] = [];
  try {
    for (const each of options) stores.push(await openTestStore(postgres, each));
    return await work(...stores);
  } finally {
    for (const store of stores) await store.close();
  }
}

async function withConnection<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await connectToStore(postgres);
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

const names = ['ash', 'beech', 'cedar', 'elm', 'fir', 'gum', 'hazel', 'ivy'];

function fields(n: number): JsonObject {
  const name = names[n % 8]!;
  // Some have several values, some none.
  const tags = n % 3 === 0 ? [name, names[(n + 5) % 8]!] : n % 3 === 1 ? name : null;
  return { rank: n % 7, name, ...(tags !== null && { tags }) };
}

function documents(count: number): JsonObject[] {
  return Array.from({ length: count }, (_, n) => document(`d${String(n).padStart(5, '0')}`, 1, fields(n)));
}

async function create({ resources }: Store, all: readonly JsonObject[], project = 'p'): Promise<void> {
  await Promise.all(all.map((each) => resources.commit(creation(project, each))));
}

/** Queries that entries of the declared paths answer, once they are there. */
const asked: readonly ListQuery[] = ['p', 'q'].flatMap((project) => [
  query(project, 'name > "cedar" and name < "gum"', { limit: 500 }),
  query(project, 'tags > "beech" and tags < "elm"', { limit: 500 }),
  query(project, 'tags >= "hazel"', { limit: 500 }),
  query(project, '', { limit: 500, sort: [{ path: ['tags'], direction: 'desc' }] }),
  query(project, 'rank > 2', { limit: 500, sort: [{ path: ['name'], direction: 'asc' }] }),
]);

/** The ids that a list should return, by the plain meaning of conditions and orders. */
function expected(stored: readonly JsonObject[], { where, sort }: ListQuery): readonly unknown[] {
  const found = stored.filter((each) => where.every((predicate) => match(predicate, each)));
  const [term] = sort;
  const keyOf = (each: JsonObject): string | undefined => {
    const values = [each[term!.path[0]!] ?? []].flat().map(String).sort(compareUtf8);
    return term!.direction === 'asc' ? values[0] : values.at(-1);
  };
  const order = (a: JsonObject, b: JsonObject) => {
    const [left, right] = term ? [keyOf(a), keyOf(b)] : [undefined, undefined];
    const sign = term?.direction === 'desc' ? -1 : 1;
    // Without a value last in asc, first in desc.
    const byKey = left === right ? 0 : left === undefined ? 1 : right === undefined ? -1 : compareUtf8(left, right);
    return byKey === 0 ? compareUtf8(String(a.id), String(b.id)) : sign * byKey;
  };
  return found.toSorted(order).map(({ id }) => id);
}

async function assertRight({ resources }: Store, stored: ReadonlyMap<string, readonly JsonObject[]>): Promise<void> {
  for (const each of asked) {
    const page = await resources.list(each);
    const ids = (JSON.parse(`[${joinedTexts(page.results)}]`) as JsonObject[]).map(({ id }) => id);
    const right = expected(stored.get(each.projectKey)!, each);
    assert.deepEqual(each.sort.length > 0 ? ids : ids.sort(), right, JSON.stringify(each, showBig));
    assert.equal(page.total, right.length);
    const exists = await resources.exists(each.projectKey, each.where, false);
    assert.equal(exists, right.length > 0);
  }
}

const showBig = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

const check = (rebuild = false) => checkPostgres(postgres.url, rebuild, () => {});

test('two services with other declared paths, and a third: all answer right while the indexes are built', async () => {
  const stored = new Map([
    ['p', documents(90)],
    ['q', documents(31)],
  ]);
  const shared = { buildPortion: 3 };
  const options = [
    { declaredPaths: ['name'], ...shared },
    { declaredPaths: ['tags'], ...shared },
  ];
  await withStores(options, async (first, second) => {
    for (const [project, all] of stored) await create(first, all, project);
    await assertRight(first, stored);
    await assertRight(second, stored);
    await withStores([{ declaredPaths: ['name', 'tags', 'rank'], ...shared }], async (third) => {
      let isReady = false;
      const ready = untilReady(postgres, ['name', 'tags', 'rank']).then(() => {
        isReady = true;
      });
      while (!isReady) for (const store of [third, first, second]) await assertRight(store, stored);
      await ready;
      for (const store of [third, first, second]) await assertRight(store, stored);
    });
  });
  assert.deepEqual(await check(), []);
});

async function register(connection: Connection, paths: readonly string[], anew = false): Promise<void> {
  await connection.run({ text: 'BEGIN' });
  await registerPaths(connection, 'p', paths, [], anew);
  await connection.commit();
}

/** Registers paths for the project, and builds some portions of three resources. */
async function buildSome(connection: Connection, paths: readonly string[], more: Partial<BuildOptions> = {}) {
  await register(connection, paths);
  return buildIndex(connection, 'p', { owner: 'test', portion: 3, ...more });
}

/** True after so many calls. */
function afterCalls(count: number): () => boolean {
  let left = count;
  return () => left-- <= 0;
}

/** Opens stores that build nothing themselves. */
const idle = { access: 'shared' } as const;

test('a build that is given up is continued by another one, and by the paths of before it is not disturbed', async () => {
  const all = documents(50);
  const stored = new Map([
    ['p', all],
    ['q', []],
  ]);
  const options = [
    { declaredPaths: ['name'], ...idle },
    { declaredPaths: ['name', 'tags'], ...idle },
  ];
  await withStores(options, async (old, next) => {
    await create(old, all);
    for (let stop = 1; stop < 6; stop += 2) {
      const outcome = await withConnection((connection) =>
        buildSome(connection, ['name', 'tags'], { isStopped: afterCalls(stop) }),
      );
      assert.equal(outcome, 'stopped');
      await assertRight(old, stored);
      await assertRight(next, stored);
    }
    const [found] = await postgres.run<{ position: string }>('SELECT position FROM index_generation');
    assert.ok(found!.position > 'd00010', 'it goes on where it was');
    let scanned = 0;
    const onScanned = (rows: number) => {
      scanned += rows;
    };
    const outcome = await withConnection((connection) =>
      buildSome(connection, ['name', 'tags'], { owner: 'another', onScanned }),
    );
    assert.equal(outcome, 'ready');
    assert.ok(scanned < 45, `${scanned} resources scanned`);
    await pause(1100);
    await assertRight(next, stored);
  });
  assert.deepEqual(await check(), []);
});

test('a session that the server ends in the middle of a portion leaves nothing half', async () => {
  const all = documents(30);
  await withStores([{ declaredPaths: [], ...idle }], (store) => create(store, all));
  let portions = 0;
  const killed = withConnection(async (connection) => {
    const [{ pid }] = (await connection.query<{ pid: number }>({ text: 'SELECT pg_backend_pid() AS pid' })) as [
      { pid: number },
    ];
    const dying: Connection = {
      ...connection,
      async commit() {
        portions += 1;
        if (portions === 5) await postgres.run('SELECT pg_terminate_backend($1)', [pid]);
        return connection.commit();
      },
    };
    return buildSome(dying, ['name']);
  });
  await assert.rejects(killed);
  const [row] = await postgres.run<{ owner: string; position: string }>('SELECT owner, position FROM index_generation');
  assert.equal(row?.owner, 'test');
  assert.equal(await withConnection((connection) => buildSome(connection, ['name'], { owner: 'other' })), 'busy');
  await postgres.run('UPDATE index_generation SET lease_until = 0');
  assert.equal(await withConnection((connection) => buildSome(connection, ['name'], { owner: 'other' })), 'ready');
  // The one that was thought dead changes nothing any more.
  assert.equal(await withConnection((connection) => buildSome(connection, ['name'])), 'ready');
  assert.deepEqual(await check(), []);
});

test('the paths of before, after a start with others: nothing is built again', async () => {
  const stored = new Map([
    ['p', documents(20)],
    ['q', []],
  ]);
  await withStores([{ declaredPaths: ['name'] }], (store) => create(store, stored.get('p')!));
  await withStores([{ declaredPaths: ['tags'] }], () => untilReady(postgres, ['tags']));
  const before = await postgres.run('SELECT xmin, * FROM index_generation');
  await withStores([{ declaredPaths: ['name'] }], async (store) => {
    await assertRight(store, stored);
    await pause(50);
  });
  assert.deepEqual(await postgres.run('SELECT xmin, * FROM index_generation'), before);
  assert.deepEqual(await check(), []);
});

test('writers of two services race with the build of a third: all indexes are right afterwards', async () => {
  const all = new Map(documents(60).map((each) => [String(each.id), each]));
  const options = [
    { declaredPaths: ['name'], buildPortion: 4 },
    { declaredPaths: [], buildPortion: 4 },
  ];
  await withStores(options, async (first, second) => {
    await create(first, [...all.values()]);
    let isRunning = true;
    let writes = 0;
    /** Each writer has resources of its own, which it changes, deletes and creates again. */
    async function writer({ resources }: Store, number: number): Promise<void> {
      for (let n = number; isRunning; n += 1) {
        const id = `d${String(4 * (n % 20) + number).padStart(5, '0')}`;
        const known = all.get(id);
        const isDeleted = known !== undefined && n % 5 === 0;
        const next = document(id, Number(known?.version ?? 0) + 1, fields(n));
        const change = isDeleted ? deletion('p', known) : known ? replacement('p', known, next) : creation('p', next);
        assert.equal(await resources.commit(change), 'committed');
        if (isDeleted) all.delete(id);
        else all.set(id, next);
        writes += 1;
      }
    }
    const writing = [first, second, first, second].map(writer);
    for (const declaredPaths of [['tags'], ['rank', 'tags'], ['objectTypeProperty.x', 'name']]) {
      const goal = writes + 60;
      await withStores([{ declaredPaths, buildPortion: 4 }], async () => {
        await untilReady(postgres, declaredPaths);
        while (writes < goal) await pause(5);
      });
    }
    isRunning = false;
    await Promise.all(writing);
  });
  const stored = new Map([
    ['p', [...all.values()]],
    ['q', []],
  ]);
  await withStores([{ declaredPaths: ['name', 'rank', 'tags'] }], (store) => assertRight(store, stored));
  assert.deepEqual(await check(), []);
});

test('a build waits for a writer that knows the paths of before, and a start waits for neither', async () => {
  await withStores([{ declaredPaths: [], ...idle }], (store) => create(store, documents(3)));
  await withConnection(async (writer) => {
    await writer.run({ text: 'BEGIN' });
    await writer.query({
      text: `SELECT paths FROM index_generation WHERE project_key = 'p' ORDER BY generation DESC LIMIT 1 FOR KEY SHARE`,
    });
    await withStores([{ declaredPaths: ['name'] }], async (store) => {
      const all = documents(6);
      // Other writes go on meanwhile.
      await create(store, all.slice(4));
      await pause(100);
      const rows = await postgres.run<{ ready: string }>('SELECT ready FROM index_generation ORDER BY generation');
      assert.deepEqual(
        rows.map(({ ready }) => ready),
        ['[]', '[]'],
      );
      const copied = await writer.run({
        text: `INSERT INTO resource SELECT project_key, 'd00003', NULL, version, created_at, modified_at,
          replace(current, 'd00000', 'd00003'), NULL, history, 0, document, NULL, terms FROM resource
          WHERE id = 'd00000'`,
      });
      assert.equal(copied, 1);
      await writer.commit();
      await untilReady(postgres, ['name']);
      assert.equal((await store.resources.list(query('p', 'name > "a"', { limit: 0 }))).total, 5);
    });
  });
  // Its checksum does not match: it was looked at, and left out.
  const findings = await check();
  assert.match(findings.join(), /resource p\/d00003: its checksum does not match/);
});

test('a project of the version before: its paths are used at once, others are built beside them', async () => {
  const all = documents(40);
  const stored = new Map([
    ['p', all],
    ['q', []],
  ]);
  await withStores([{ declaredPaths: ['tags'], ...idle }], (store) => create(store, all));
  // That version knew no generations, and had no entries for several values.
  await postgres.run(`DELETE FROM ordered_value WHERE key = ''`);
  await postgres.run('DELETE FROM index_generation');
  await postgres.run(`INSERT INTO store_setting VALUES ('~', 'declared-paths', '["tags"]')`);
  await withStores([{ declaredPaths: ['tags'] }], (store) => assertRight(store, stored));
  assert.equal((await postgres.run('SELECT * FROM index_generation')).length, 0);
  assert.deepEqual(await check(), []);
  await withStores([{ declaredPaths: ['name', 'tags'], buildPortion: 3 }], async (store) => {
    await assertRight(store, stored);
    await untilReady(postgres, ['name', 'tags']);
    await assertRight(store, stored);
  });
  assert.deepEqual(await check(), []);
});

test('an index that was destroyed is found, and rebuilt beside the service', async () => {
  const stored = new Map([
    ['p', documents(60)],
    ['q', documents(20)],
  ]);
  await withStores([{ declaredPaths: ['name', 'tags'] }], async (store) => {
    for (const [project, all] of stored) await create(store, all, project);
    await assertRight(store, stored);
    await postgres.run('DELETE FROM ordered_value');
    await postgres.run(`UPDATE resource SET terms = '{}' WHERE id < 'd00005'`);
    const findings = await check();
    assert.ok(findings.length >= 80, `${findings.length} findings`);
    assert.deepEqual(await check(true), []);
    await assertRight(store, stored);
  });
});

test('a rebuild that begins beside a service: no query uses what is left of the index', async () => {
  const stored = new Map([
    ['p', documents(60)],
    ['q', []],
  ]);
  const paths = ['name', 'tags'];
  await withStores([{ declaredPaths: paths, ...idle }], async (store) => {
    await create(store, stored.get('p')!);
    await assertRight(store, stored);
    await withConnection(async (connection) => {
      await register(connection, paths, true);
      for (let outcome = 'stopped'; outcome === 'stopped'; ) {
        // As a process that has not noticed anything yet.
        outcome = await buildIndex(connection, 'p', { owner: 'test', portion: 9, isStopped: afterCalls(1) });
        await assertRight(store, stored);
      }
    });
  });
  assert.deepEqual(await check(), []);
});

test('while the index of a path is built, a query that takes too long without it is refused with 503', async (t) => {
  // What a cluster does before the query takes longer than the deadline that such a query needs.
  if (postgres.isCluster) return t.skip('TEST_DATABASE_URL is a cluster');
  await withStores([{ declaredPaths: [], ...idle }], (store) => create(store, documents(400)));
  await withStores([{ declaredPaths: ['name'], queryTimeoutMs: 1, ...idle }], async ({ resources }) => {
    const list = () =>
      resources.list(query('p', 'not (name matches ignore case "zz")', { limit: 400, sort: bySeveral }));
    for (let refused = 0; refused < 1; ) {
      await list().then(
        () => {},
        (error: unknown) => {
          assert.deepEqual(
            [(error as { code: string }).code, (error as { status: number }).status],
            ['OverCapacity', 503],
          );
          // The look-up of what is built may be what took too long, or the beginning of the session.
          if (/INDEXED_PATHS.* is still being built/.test((error as Error).message)) refused += 1;
          else
            assert.match(
              (error as Error).message,
              /did not respond within the query deadline|The database took too long/,
            );
        },
      );
    }
  });
});

const bySeveral: ListQuery['sort'] = [
  { path: ['name'], direction: 'desc' },
  { path: ['tags'], direction: 'asc' },
];
