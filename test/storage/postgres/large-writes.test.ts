import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from 'pg';
import { creation, document } from '../records.ts';
import { openTestStore, startTestPostgres } from './start-test-postgres.ts';

/** Longer than any machine, or cluster, holds the test up: what waits is to be committed, not refused. */
const writeWaitMs = 60_000;

test('writes of other projects are committed while a large one, and what its project writes, waits for the database', async () => {
  const postgres = await startTestPostgres();
  const store = await openTestStore(postgres, { writeWaitMs });
  const locker = new Client({ connectionString: postgres.url });
  await locker.connect();
  const create = (project: string, id: string, text = '') =>
    store.resources.commit(creation(project, document(id, 1, { text })));
  try {
    for (const project of ['a', 'b']) assert.equal(await create(project, 'first'), 'committed');
    await locker.query(`BEGIN; SELECT FROM event_head WHERE project_key = 'a' FOR UPDATE`);
    let isHeld = true;
    const words = Array.from({ length: 40_000 }, (_, n) => `word${n}`).join(' ');
    const held = [create('a', 'large', words), create('a', 'behind')].map((each) =>
      each.finally(() => assert.ok(!isHeld)),
    );
    for (let n = 0; n < 20; n += 1) assert.equal(await create('b', `small-${n}`), 'committed');
    isHeld = false;
    await locker.query('ROLLBACK');
    assert.deepEqual(await Promise.all(held), ['committed', 'committed']);
  } finally {
    await locker.end();
    await store.close();
    await postgres.close();
  }
});
