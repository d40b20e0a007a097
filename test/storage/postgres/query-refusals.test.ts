import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createProjectGenerations } from '../../../src/storage/postgres/generations/project-generations.ts';
import { createTermHash } from '../../../src/storage/postgres/index/term-hash.ts';
import type { Connection } from '../../../src/storage/postgres/open/connection.ts';
import { oneNode } from '../../../src/storage/postgres/open/nodes.ts';
import type { Pool } from '../../../src/storage/postgres/open/pool.ts';
import { createResourceReads } from '../../../src/storage/postgres/resource-store.ts';
import { createDamageLog } from '../../../src/storage/row/checked-table.ts';
import { noStoreMetrics } from '../../../src/telemetry/store-metrics.ts';
import { query } from './exercise.ts';

const cancelled = () => Object.assign(new Error('canceling statement'), { code: '57014', severity: 'ERROR' });

/** Reads whose pool fails with what is thrown, before it lends a connection or when that is used. */
function readsWith(use: Pool['use']) {
  const pool: Pool = { use, close: async () => {} };
  return createResourceReads({
    ...{ points: pool, lists: pool, nodes: oneNode, waitMs: 10, maxPageBytes: 1e6, queryTimeoutMs: 1000 },
    ...{ metrics: noStoreMetrics, damage: createDamageLog(() => {}), queue: 'pool' },
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

test('the server cancels a statement of the query: 400, with what to do', async () => {
  const connection = {
    terms: createTermHash(new Uint8Array(8)),
    isUsable: () => true,
    inTransaction: () => false,
    query: async ({ text }: { readonly text: string }) => {
      if (/FROM index_generation WHERE|SELECT 1 FROM resource/.test(text)) return [];
      throw cancelled();
    },
    run: async () => 0,
  } as unknown as Connection;
  const reads = readsWith((work) => work(connection));
  await assert.rejects(reads.list(query('p', 'price = 1')), { code: 'QueryTimedOut', status: 400 });
});
