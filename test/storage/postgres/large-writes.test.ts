import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from 'pg';
import { parseSearch } from '../../../src/domain/search/query/parse-search.ts';
import { creation, document, replacement } from '../records.ts';
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

/** On one server, and as if it were several, where words pass in another way. */
for (const [name, more] of [
  ['one server', {}],
  ['several servers', { locate: async (keys: readonly string[]) => new Map(keys.map((key) => [key, 'one'])) }],
] as const) {
  test(`a document of 18,000 different words is found by them, and no longer once they are replaced: ${name}`, async () => {
    const postgres = await startTestPostgres();
    const store = await openTestStore(postgres, more);
    const words = (from: string) => Array.from({ length: 9000 }, (_, n) => `${from}${n.toString(36)}`).join(' ');
    const large = document('large', 1, { name: { en: words('w'), zh: words('z') } });
    const replaced = document('large', 2, { name: { en: words('v'), zh: words('z') } });
    const found = async (text: string) => {
      const { results } = await store.resources.search(parseSearch(new Map([['text.en', text]]), 'p'));
      return (JSON.parse(`[${results}]`) as { id: string }[]).map(({ id }) => id).sort();
    };
    try {
      assert.equal(await store.resources.commit(creation('p', large)), 'committed');
      assert.deepEqual([await found('w6y'), await found('v6y')], [['large'], []]);
      const group = [
        replacement('p', large, replaced),
        creation('p', document('other', 1, { name: { en: words('u') } })),
      ];
      assert.equal(await store.resources.commitAll(group), 'committed');
      assert.deepEqual([await found('w6y'), await found('v6y'), await found('u6y')], [[], ['large'], ['other']]);
    } finally {
      await store.close();
      await postgres.close();
    }
  });
}
