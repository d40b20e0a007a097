import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Connection } from '../../../src/record/postgres/open/connection.ts';
import { oneNode } from '../../../src/record/postgres/open/nodes.ts';
import type { Pool } from '../../../src/record/postgres/open/pool.ts';
import { createPointReads } from '../../../src/record/postgres/read/point-reads.ts';
import { DamageLog } from '../../../src/record/row/checked-table.ts';
import { rowChecksum } from '../../../src/record/row/stored-row.ts';

function rowOf(project_key: string, id: string) {
  const row = {
    ...{ project_key, id, key: null, version: 1, incarnation: null, created_at: 'then', modified_at: 'then' },
    ...{ current: '{}', staged: null, history: '' },
  };
  return { ...row, checksum: rowChecksum(row) };
}

const noDamage = new DamageLog();

/** A pool whose projects can be away, as parts of a distributed database are: a real one has them all or none. */
function poolOf(away: Map<string, number>) {
  const connection = {
    async query({ values: [projectKey, ids] }: { readonly values: readonly [string, readonly string[]] }) {
      const times = away.get(projectKey) ?? 0;
      away.set(projectKey, times - 1);
      await new Promise(setImmediate);
      if (times > 0) throw Object.assign(new Error('the node is away'), { code: '08006' });
      return ids.map((id) => rowOf(projectKey, id));
    },
  };
  const pool: Pool = {
    use: (work) => work(connection as unknown as Connection),
    close: async () => {},
  };
  return pool;
}

const partsOf = (away: Map<string, number>) => ({ pool: poolOf(away), nodes: oneNode, damage: noDamage });

test('reads of one turn: a project that is away for good refuses its own readers only', async () => {
  const { byId } = createPointReads(partsOf(new Map([['away', 2]])));
  const reads = [byId('well', 'a'), byId('away', 'b'), byId('well', 'c'), byId('away', 'd'), byId('other', 'e')];
  const results = await Promise.allSettled(reads);
  assert.deepEqual(
    results.map((result) =>
      result.status === 'fulfilled' ? result.value?.id : (result.reason as { code: string }).code,
    ),
    ['a', 'OverCapacity', 'c', 'OverCapacity', 'e'],
  );
});

test('a project that is away for a moment is read again, by itself', async () => {
  const away = new Map([['away', 1]]);
  const { byId } = createPointReads(partsOf(away));
  const found = await Promise.all([byId('well', 'a'), byId('away', 'b')]);
  assert.deepEqual(
    found.map((record) => record?.id),
    ['a', 'b'],
  );
  assert.deepEqual(Object.fromEntries(away), { well: -1, away: -1 });
});
