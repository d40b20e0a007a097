import assert from 'node:assert/strict';
import { test } from 'node:test';
import { queryOf } from './open-lists.ts';
import { openResources, refusalOf } from './open-resources.ts';

const { api, create } = await openResources();

for (const [key, name, model, price] of [
  ['a1', 'Oak chair', 'a', 5],
  ['a2', 'Chair of oak and steel, for the kitchen', 'a', 1],
  ['b1', 'Chair', ['b', 'c'], 4],
  ['b2', 'Chair', 'b', 2],
  ['n1', 'Oak chair', 7, 3],
  ['n2', 'Chair', '7', 6],
  ['x1', 'Chair', undefined, 7],
  ['x2', 'Chair', null, 8],
  ['table', 'Table', 'a', 9],
] as const) {
  await create('groups', { key, name: { en: name }, model, price });
}

async function find(...pairs: readonly (readonly [string, string])[]) {
  const { status, json, text } = await api.call({ path: `/groups/resource/searchApiPattern?${queryOf(...pairs)}` });
  assert.equal(status, 200, text);
  return json;
}
const keysIn = (page: { results: readonly { key: string }[] }) => page.results.map(({ key }) => key);

test('one result of each value, the first in the order, with its value and how many results have it', async () => {
  const page = await find(['text.en', 'chair'], ['group', 'model'], ['sort', 'price']);
  assert.deepEqual(keysIn(page), ['a2', 'b2', 'n1', 'x1', 'x2']);
  assert.deepEqual(page.groups, [
    { value: 'a', count: 2 },
    { value: 'b', count: 2 },
    { value: '7', count: 2 },
    { count: 1 },
    { count: 1 },
  ]);
  assert.deepEqual([page.total, page.count, page.match.totals.all], [5, 5, 8]);
  assert.deepEqual(keysIn(await find(['text.en', 'oak chair'], ['group', 'model'], ['match', 'all'])), ['a1', 'n1']);
  assert.deepEqual(keysIn(await find(['group', 'model'], ['sort', 'price desc'])), ['table', 'x2', 'x1', 'n2', 'b1']);
});

test('filters narrow what a group counts, facets count resources', async () => {
  const page = await find(['group', 'model'], ['sort', 'price'], ['filter', 'price:range(2 to 5)'], ['facet', 'model']);
  assert.deepEqual(keysIn(page), ['b2', 'n1', 'a1']);
  assert.deepEqual(page.groups[2], { value: 'a', count: 1 });
  assert.equal(page.facets.model.total, 7);
});

test('pages by offset and by cursor meet each group once', async () => {
  for (const asked of [
    [['text.en', 'chair']],
    [
      ['text.en', 'chair'],
      ['sort', 'price'],
    ],
    [['sort', 'price desc']],
  ] as const) {
    const whole = keysIn(await find(...asked, ['group', 'model']));
    assert.ok(whole.length >= 5);
    const met: string[] = [];
    let page = await find(...asked, ['group', 'model'], ['limit', '2']);
    for (;;) {
      met.push(...keysIn(page));
      if (page.next === undefined) break;
      page = await find(...asked, ['group', 'model'], ['limit', '2'], ['cursor', page.next]);
    }
    assert.deepEqual(met, whole);
    const paged = await find(...asked, ['group', 'model'], ['limit', '2'], ['offset', '1']);
    assert.deepEqual(keysIn(paged), whole.slice(1, 3));
    assert.deepEqual(keysIn(await find(...asked, ['group', 'model'], ['limit', '0'])), []);
  }
});

test('a malformed group is refused, and so is a group in a list', async () => {
  for (const group of ['a b', '', 'a,b']) {
    const { message } = refusalOf(
      await api.call({ path: `/groups/resource/searchApiPattern?${queryOf(['group', group])}` }),
      400,
      'InvalidInput',
    );
    assert.match(message, /group/);
  }
  refusalOf(
    await api.call({ path: `/groups/resource/sorted-query-parameters?${queryOf(['group', 'model'])}` }),
    400,
    'InvalidInput',
  );
});
