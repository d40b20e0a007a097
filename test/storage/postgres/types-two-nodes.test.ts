import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApi } from '../../start-test-api.ts';
import { startTestPostgres } from './start-test-postgres.ts';

/** Two services over one database: none of them goes by types that were replaced. */

const postgres = await startTestPostgres();
const nodes = [await startTestApi({ DATABASE_URL: postgres.url }), await startTestApi({ DATABASE_URL: postgres.url })];
after(async () => {
  for (const node of nodes) await node.close();
  await postgres.close();
});

test('types that one service acknowledged hold for the next write of another one, whatever it remembers', async () => {
  const path = '/two-nodes/resource';
  for (let round = 0; round < 12; round += 1) {
    const [here, there] = round % 2 === 0 ? nodes : nodes.toReversed();
    const least = round + 1;
    const post = (size: number) =>
      there!.call({ method: 'POST', path, body: { type: 'box', size, code: `${round}-${size}` } });
    // It has read the types of before.
    assert.equal((await post(least - 1)).status, 201);
    const schema = { properties: { size: { minimum: least } } };
    const body = { types: { box: { schema, unique: ['code'] } } };
    const put = await here!.call({ method: 'PUT', path: '/two-nodes/settings/types', body });
    assert.equal(put.status, 200, put.text);
    const [small, large, again] = [await post(least - 1), await post(least), await post(least)];
    assert.deepEqual([small.status, large.status, again.status], [400, 201, 400], `round ${round}: ${small.text}`);
    assert.equal(again.json.errors[0].code, 'DuplicateField');
  }
});
