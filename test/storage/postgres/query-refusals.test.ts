import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createProjectGenerations } from '../../../src/storage/postgres/generations/project-generations.ts';
import { createTermHash } from '../../../src/storage/postgres/index/term-hash.ts';
import type { Connection } from '../../../src/storage/postgres/open/connection.ts';
import { oneNode } from '../../../src/storage/postgres/open/nodes.ts';
import { createPool, type Pool } from '../../../src/storage/postgres/open/pool.ts';
import { createServerPace, type ServerPace, workText } from '../../../src/storage/postgres/open/server-pace.ts';
import { createResourceReads } from '../../../src/storage/postgres/resource-store.ts';
import { createDamageLog } from '../../../src/storage/row/checked-table.ts';
import { createDamagedResources } from '../../../src/storage/row/damaged-resources.ts';
import { noStoreMetrics } from '../../../src/telemetry/store-metrics.ts';
import { query } from './exercise.ts';

const cancelled = () => Object.assign(new Error('canceling statement'), { code: '57014', severity: 'ERROR' });

/** Reads whose pool fails with what is thrown, before it lends a connection or when that is used. */
function readsWith(use: Pool['use'], pace?: ServerPace) {
  const pool: Pool = { use, close: async () => {} };
  return createResourceReads({
    ...{ points: pool, lists: pool, nodes: oneNode, waitMs: 10, maxPageBytes: 1e6, queryTimeoutMs: 1000 },
    ...{
      metrics: noStoreMetrics,
      damaged: createDamagedResources(),
      damage: createDamageLog(() => {}),
      queue: 'pool',
      pace,
    },
    generations: createProjectGenerations({
      ...{ declaredPaths: [], recorded: [], onIncomplete: () => {}, nowMs: () => performance.now() },
    }),
  });
}

test('the server cancels what begins a session: 503, since the query has not begun', async () => {
  const reads = readsWith(async () => {
    throw cancelled();
  });
  await assert.rejects(reads.list(query('p', 'price = 1')), { code: 'OverCapacity', status: 503 });
});

/** A connection whose queries are cancelled. The server says of its pace what is next in the list. */
function cancelling(paces: (number | Promise<number>)[] = [], closed: () => void = () => {}): Connection {
  return {
    terms: createTermHash(new Uint8Array(8)),
    isUsable: () => true,
    inTransaction: () => false,
    isDoubtful: () => false,
    query: async ({ text }: { readonly text: string }) => {
      if (/FROM index_generation WHERE/.test(text)) return [];
      if (/SELECT 1 FROM resource/.test(text)) return [{}];
      if (text === workText) return [{ ms: await paces.shift()! }];
      if (/FROM store_setting/.test(text)) return [];
      throw cancelled();
    },
    run: async () => 0,
    close: async () => closed(),
  } as unknown as Connection;
}

test('the server cancels a statement of the query: 400, with what to do', async () => {
  const connection = cancelling();
  const reads = readsWith((work) => work(connection));
  await assert.rejects(reads.list(query('p', 'price = 1')), { code: 'QueryTimedOut', status: 400 });
});

test('the same where others used all connections before: 503, since the query may have had less than its time', async () => {
  const reads = readsWith((work) => work(cancelling(), true));
  await assert.rejects(reads.list(query('p', 'price = 1')), {
    ...{ code: 'OverCapacity', status: 503, headers: { 'retry-after': '1' } },
  });
});

test('the same where the server takes twice as long for its work as it once did: 503; else 400', async () => {
  const pace = createServerPace();
  await pace.measureAtStart(cancelling([33, 20, 31]));
  for (const [ms, code] of [
    [39, 'QueryTimedOut'],
    [40, 'OverCapacity'],
    [12, 'QueryTimedOut'],
    [24, 'OverCapacity'],
  ] as const) {
    const reads = readsWith((work) => work(cancelling([ms])), pace);
    await assert.rejects(reads.list(query('p', 'price = 1')), { code }, `${ms} ms`);
  }
});

test('the same where the server does not do that work in time: 503, and the connection is closed', async () => {
  let closed = 0;
  const never = cancelling([new Promise<number>(() => {})], () => {
    closed += 1;
  });
  const reads = readsWith((work) => work(never), createServerPace());
  await assert.rejects(reads.list(query('p', 'price = 1')), { code: 'OverCapacity' });
  assert.equal(closed, 1);
});

test('a pool tells who had to wait for a connection', async () => {
  const told: (boolean | undefined)[] = [];
  const first = Promise.withResolvers<void>();
  const pool = createPool({ connect: async () => cancelling(), size: 1, waitMs: 60_000 });
  const uses = [first.promise, Promise.resolve()].map((work) =>
    pool.use(async (_, hasWaited) => {
      told.push(hasWaited);
      await work;
    }),
  );
  first.resolve();
  await Promise.all(uses);
  await pool.use(async (_, hasWaited) => told.push(hasWaited));
  assert.deepEqual(told, [false, true, false]);
});
