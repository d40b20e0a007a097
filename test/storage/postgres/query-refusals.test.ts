import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createProjectGenerations } from '../../../src/record/postgres/generations/project-generations.ts';
import { createTermHash } from '../../../src/record/postgres/index/term-hash.ts';
import type { Connection } from '../../../src/record/postgres/open/connection.ts';
import { oneNode } from '../../../src/record/postgres/open/nodes.ts';
import { createPool, type Pool } from '../../../src/record/postgres/open/pool.ts';
import { createDamageLog } from '../../../src/record/row/checked-table.ts';
import { createDamagedResources } from '../../../src/record/row/damaged-resources.ts';
import { createResourceReads } from '../../../src/store/postgres/resource-store.ts';
import { noStoreMetrics } from '../../../src/telemetry/store-metrics.ts';
import { query } from './exercise.ts';

const cancelled = () => Object.assign(new Error('canceling statement'), { code: '57014', severity: 'ERROR' });

/** Reads whose pool fails with what is thrown, before it lends a connection or when that is used. */
function readsWith(use: Pool['use']) {
  const pool: Pool = { use, close: async () => {} };
  return createResourceReads({
    ...{ points: pool, lists: pool, nodes: oneNode, waitMs: 10, maxPageBytes: 1e6, queryTimeoutMs: 1000 },
    ...{
      metrics: noStoreMetrics,
      damaged: createDamagedResources(),
      damage: createDamageLog(() => {}),
      queue: 'pool',
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

/** A connection whose queries are cancelled; the server then looks up a row as `lookUp` does. */
function cancelling(lookUp: () => Promise<unknown[]> = async () => [{}], closed: () => void = () => {}): Connection {
  return {
    terms: createTermHash(new Uint8Array(8)),
    isUsable: () => true,
    inTransaction: () => false,
    isDoubtful: () => false,
    query: async ({ text }: { readonly text: string }) => {
      if (/FROM index_generation WHERE/.test(text)) return [];
      if (/SELECT 1 FROM resource/.test(text)) return lookUp();
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

test('the same where the server does not look up a row within 500 ms, or cannot: 503, and the connection is closed', async () => {
  for (const lookUp of [() => new Promise<unknown[]>(() => {}), () => Promise.reject(cancelled())]) {
    let closed = 0;
    const connection = cancelling(lookUp, () => {
      closed += 1;
    });
    const reads = readsWith((work) => work(connection));
    await assert.rejects(reads.list(query('p', 'price = 1')), { code: 'OverCapacity', status: 503 });
    assert.equal(closed, 1);
  }
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
