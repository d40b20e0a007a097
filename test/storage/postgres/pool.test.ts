import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Connection } from '../../../src/record/postgres/open/connection.ts';
import { createPool } from '../../../src/record/postgres/open/pool.ts';

/** A connection that notes whether it was closed. */
function fakeConnection(made: { closed: number; usable: boolean; doubtful?: boolean }): Connection {
  return {
    projectsApart: false,
    query: async () => [],
    run: async () => 0,
    commit: async () => true,
    inTransaction: () => false,
    isUsable: () => made.usable,
    isDoubtful: () => made.doubtful ?? false,
    async close() {
      made.closed += 1;
    },
  };
}

function countingPool(size: number, waitMs: number) {
  const made: { closed: number; usable: boolean; doubtful?: boolean }[] = [];
  const pool = createPool({
    connect: async () => {
      made.push({ closed: 0, usable: true });
      return fakeConnection(made.at(-1)!);
    },
    ...{ size, waitMs },
  });
  return { pool, made };
}

test('a pool of two: four pieces of work go on two connections, two at a time', async () => {
  const { pool, made } = countingPool(2, 60_000);
  let [now, most] = [0, 0];
  const work = async () => {
    now += 1;
    most = Math.max(most, now);
    await new Promise(setImmediate);
    now -= 1;
  };
  await Promise.all(Array.from({ length: 4 }, () => pool.use(work)));
  assert.equal(most, 2);
  assert.equal(made.length, 2);
  await pool.close();
  assert.deepEqual(
    made.map(({ closed }) => closed),
    [1, 1],
  );
});

test('a pool closes a connection that became doubtful, and that one alone', async () => {
  const { pool, made } = countingPool(2, 60_000);
  const both = Promise.withResolvers<void>();
  let begun = 0;
  const work = async () => {
    begun += 1;
    if (begun === 2) both.resolve();
    await both.promise;
  };
  await Promise.all([pool.use(work), pool.use(work)]);
  await pool.use(async () => {
    // The last one that was returned is the first that is lent.
    made[1]!.doubtful = true;
  });
  assert.deepEqual(
    made.map(({ closed }) => closed),
    [0, 1],
  );
  await pool.use(async () => {});
  assert.equal(made.length, 2);
  await pool.close();
});

test('a pool that stays full: who waits is refused with 503 and Retry-After', async () => {
  const { pool } = countingPool(1, 0);
  const held = Promise.withResolvers<void>();
  const first = pool.use(() => held.promise);
  await assert.rejects(
    pool.use(async () => {}),
    { status: 503, headers: { 'retry-after': '1' } },
  );
  held.resolve();
  await first;
  await pool.close();
});

test('a connection that broke: it is closed with the idle ones, and the next work gets a new one', async () => {
  const { pool, made } = countingPool(2, 60_000);
  await Promise.all([pool.use(() => new Promise(setImmediate)), pool.use(() => new Promise(setImmediate))]);
  await assert.rejects(
    pool.use(async () => {
      made.at(-1)!.usable = false;
      throw new Error('broken');
    }),
    /broken/,
  );
  assert.deepEqual(
    made.map(({ closed }) => closed),
    [1, 1],
  );
  await pool.use(async () => {});
  assert.equal(made.length, 3);
  await pool.close();
});

test('a pool that is closed: work under way ends first, more is refused', async () => {
  const { pool, made } = countingPool(1, 60_000);
  const held = Promise.withResolvers<void>();
  const first = pool.use(() => held.promise);
  const closing = pool.close();
  await assert.rejects(
    pool.use(async () => {}),
    { status: 503 },
  );
  assert.equal(made[0]!.closed, 0);
  held.resolve();
  await Promise.all([first, closing]);
  assert.equal(made[0]!.closed, 1);
});

/** How many of so many pieces of work of each group run at the same time in a pool of eight. */
async function runningOf(groups: readonly string[]): Promise<Record<string, number>> {
  const { pool } = countingPool(8, 60_000);
  const running = new Map<string, number>();
  const held = Promise.withResolvers<void>();
  const all = groups.flatMap((group) =>
    Array.from({ length: 20 }, () =>
      pool.use(() => {
        running.set(group, (running.get(group) ?? 0) + 1);
        return held.promise;
      }, group),
    ),
  );
  await new Promise(setImmediate);
  const counts = Object.fromEntries(running);
  held.resolve();
  await Promise.all(all);
  // Nobody was forgotten.
  assert.deepEqual(
    [...running.values()],
    groups.map(() => 20),
  );
  await pool.close();
  return counts;
}

test('groups of a pool: one has half of the connections, several leave one another some, none at all has all', async () => {
  assert.deepEqual(await runningOf(['a']), { a: 4 });
  assert.deepEqual(await runningOf(['a', 'b']), { a: 4, b: 2 });
  assert.deepEqual(await runningOf(['a', 'b', 'c']), { a: 4, b: 2, c: 1 });
  assert.deepEqual(await runningOf(['']), { '': 8 });
});
