import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from 'pg';
import { creation, document } from '../records.ts';
import { openTestStore, startTestPostgres } from './start-test-postgres.ts';

test('writes of other projects are committed while a large one, and what its project writes, waits for the database', async () => {
  const postgres = await startTestPostgres();
  const store = await openTestStore(postgres, {});
  const locker = new Client({ connectionString: postgres.url });
  await locker.connect();
  const create = (project: string, id: string, text = '') =>
    store.resources.commit(creation(project, document(id, 1, { text })));
  try {
    for (const project of ['a', 'b']) assert.equal(await create(project, 'first'), 'committed');
    await locker.query(`BEGIN; SELECT FROM event_head WHERE project_key = 'a' FOR UPDATE`);
    let isHeld = true;
    const words = Array.from({ length: 40_000 }, (_, n) => `word${n}`).join(' ');
    // What waits for so long that its deadline passes, as on a busy cluster, is refused instead: nothing is stored then.
    const held = [create('a', 'large', words), create('a', 'behind')].map((each) =>
      each.then(
        (outcome) => assert.ok(outcome === 'committed' && !isHeld),
        (error) => assert.equal(error.code, 'OverCapacity'),
      ),
    );
    for (let n = 0; n < 5; n += 1) assert.equal(await create('b', `small-${n}`), 'committed');
    isHeld = false;
    await locker.query('ROLLBACK');
    await Promise.all(held);
    assert.equal(await create('a', 'after'), 'committed');
  } finally {
    await locker.end();
    await store.close();
    await postgres.close();
  }
});
