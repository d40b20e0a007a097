import assert from 'node:assert/strict';
import { test } from 'node:test';
import { queryOf } from './open-lists.ts';
import { openResources, refusalOf } from './open-resources.ts';

const { api, create } = await openResources();

const ids = new Map<string, string>();
for (const [key, name, kind] of [
  ['oak', 'Oak sofa', 'sofa'],
  ['red', 'Red sofa', 'sofa'],
  ['old', 'Sofa, second hand', 'sofa'],
  ['chair', 'Chair', 'chair'],
  ['lamp', 'Lamp', 'lamp'],
] as const) {
  ids.set(key, (await create('pins', { key, name: { en: name, de: name }, kind })).id);
}

const put = (body: unknown) =>
  api.call({
    method: 'PUT',
    path: '/pins/settings/search',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });
async function find(text: string, ...pairs: readonly (readonly [string, string])[]) {
  const asked = queryOf(...(text === '' ? [] : [['text.en', text] as const]), ...pairs);
  const { status, json, text: body } = await api.call({ path: `/pins/resource/searchApiPattern?${asked}` });
  assert.equal(status, 200, body);
  return json;
}
const keysIn = (page: { results: readonly { key: string }[] }) => page.results.map(({ key }) => key);
const keys = async (...asked: Parameters<typeof find>) => keysIn(await find(...asked));

const pin = {
  locale: 'en',
  text: 'oak sofa',
  pinned: ['key=lamp', ids.get('chair')!, 'key=gone'],
  hidden: ['key=red', ids.get('old')!],
};
assert.equal((await put({ pins: [pin, { locale: 'en', text: 'chaise', hidden: ['key=chair'] }] })).status, 200);

test('pinned resources come first in their order, whether or not they have the words; hidden ones never come', async () => {
  assert.deepEqual(await keys('oak sofa'), ['lamp', 'chair', 'oak']);
  assert.deepEqual(await keys('oak sofa', ['sort', 'key']), ['oak'], 'sorted by a field nothing is pinned');
  const page = await find('oak sofa', ['facet', 'kind'], ['limit', '1']);
  assert.equal(page.total, 3);
  assert.deepEqual(page.facets.kind.terms.length, 3);
  assert.deepEqual(await keys('oak sofa', ['filter', 'kind:"sofa","lamp"']), ['lamp', 'oak']);
  assert.deepEqual(await keys('oak sofa -lamp'), ['chair', 'oak'], 'an exclusion is a condition');
});

test('a pin is for the words of a text: in any order and form, whatever the case, without small words', async () => {
  for (const text of ['Sofa OAK', 'the oak sofas', 'oak, sofa!']) {
    assert.deepEqual((await keys(text)).slice(0, 2), ['lamp', 'chair'], text);
  }
  for (const text of ['sofa', 'oak sofa red', 'oak sof', '"oak sofa"', 'oak']) {
    assert.ok(!(await keys(text)).includes('lamp'), text);
  }
  const stopWords = { en: ['premium'] };
  const settings = { stopWords, pins: [{ locale: 'en', text: 'premium lamp', pinned: ['key=oak'] }] };
  const form = queryOf(['text.en', 'lamps premium'], ['settings', JSON.stringify(settings)]);
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const tried = await api.call({ method: 'POST', path: '/pins/resource/searchApiPattern', body: form, headers });
  assert.equal(keysIn(tried.json)[0], 'oak', 'small words of the project');
  const german = await api.call({ path: `/pins/resource/searchApiPattern?${queryOf(['text.de', 'oak sofa'])}` });
  assert.deepEqual(keysIn(german.json).includes('lamp'), false);
  assert.deepEqual(
    keysIn(
      (await api.call({ path: `/pins/resource/searchApiPattern?${queryOf(['text.en-GB', 'oak sofa'])}` })).json,
    ).slice(0, 1),
    ['lamp'],
  );
});

test('pages behind a cursor or an offset meet each resource once, and explanations say what is pinned', async () => {
  const met: string[] = [];
  let page = await find('oak sofa', ['limit', '1']);
  for (;;) {
    met.push(...keysIn(page));
    if (page.next === undefined) break;
    page = await find('oak sofa', ['limit', '1'], ['cursor', page.next]);
  }
  assert.deepEqual(met, ['lamp', 'chair', 'oak']);
  assert.deepEqual(await keys('oak sofa', ['limit', '2'], ['offset', '1']), ['chair', 'oak']);
  const { results, explanations } = await find('oak sofa', ['explain', 'true']);
  const pinned = results.map(({ id }: { id: string }) => explanations[id].pinned);
  assert.deepEqual(pinned, [true, true, undefined]);
  assert.deepEqual(explanations[results[0].id].words, []);
});

test('pins are tried with the settings in a form, and refused with the place of what is wrong', async () => {
  const form = queryOf(
    ['text.en', 'lamp'],
    ['settings', JSON.stringify({ pins: [{ locale: 'en', text: 'lamps', pinned: ['key=old'] }] })],
  );
  const tried = await api.call({
    method: 'POST',
    path: '/pins/resource/searchApiPattern',
    body: form,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  assert.deepEqual(keysIn(tried.json), ['old', 'lamp']);
  assert.deepEqual(await keys('lamp'), ['lamp']);
  for (const [body, message] of [
    [{ text: 'a', pinned: ['x'] }, /pins\[0\]\.locale/],
    [{ locale: 'en', text: '!', pinned: ['x'] }, /pins\[0\]\.text: expected words/],
    [{ locale: 'en', text: '"oak lamp"', pinned: ['x'] }, /pins\[0\]\.text: expected words without phrases/],
    [{ locale: 'en', text: 'lamp -oak', pinned: ['x'] }, /pins\[0\]\.text: expected words without phrases/],
    [{ locale: 'en', text: 'a' }, /pins\[0\]: expected a resource that is pinned or hidden/],
    [
      { locale: 'en', text: 'a', pinned: ['key='] },
      /pins\[0\]\.pinned\[0\]: expected the id of a resource, or its key/,
    ],
    [
      { locale: 'en', text: 'a', hidden: Array.from({ length: 51 }, () => 'x') },
      /pins\[0\]\.hidden: expected at most 50/,
    ],
    [{ locale: 'en', text: 'a', boost: ['x'] }, /pins\[0\]\.boost: unknown field/],
  ] as const) {
    assert.match(refusalOf(await put({ pins: [body] }), 400, 'InvalidJsonInput').detailedErrorMessage, message);
  }
});
