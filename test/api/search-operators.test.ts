import assert from 'node:assert/strict';
import { test } from 'node:test';
import { queryOf } from './open-lists.ts';
import { openResources } from './open-resources.ts';

const { api, create } = await openResources();

const path = '/shop/resource/searchApiPattern';
const drafts: readonly object[] = [
  { key: 'guide', name: { en: 'New York hotel guide', de: 'Hotels in New York' }, kind: 'book' },
  { key: 'times', name: { en: 'Hotel in York, new rooms' }, kind: 'room' },
  { key: 'plaza', name: { en: 'Plaza hotel' }, description: { en: 'In the middle of New  York.' }, kind: 'room' },
  { key: 'parts', name: { en: 'New hotel' }, brand: 'York', kind: 'room' },
  { key: 'white', name: { en: 'White shoes', de: 'Weiße Schuhe' }, color: 'white', kind: 'footwear' },
  { key: 'blue', name: { en: 'Blue shoe', de: 'Blauer Schuh' }, kind: 'footwear' },
  { key: 'hidden', name: { en: 'Red shoe' }, note: 'with white laces', kind: 'footwear' },
];
for (const draft of drafts) await create('shop', draft);

async function find(...pairs: readonly (readonly [string, string])[]) {
  const { status, json, text } = await api.call({ path: `${path}?${queryOf(...pairs)}` });
  assert.equal(status, 200, text);
  return json;
}
async function keys(...pairs: readonly (readonly [string, string])[]): Promise<readonly string[]> {
  return (await find(...pairs)).results.map(({ key }: { key: string }) => key);
}

test('a phrase finds what has its words side by side, on every rung, in total and facets', async () => {
  assert.deepEqual(await keys(['text.en', '"new york" hotel']), ['guide', 'plaza']);
  assert.equal((await keys(['text.en', 'new york hotel'])).length, 4);
  const page = await find(['text.en', '"New York" hotel swimming'], ['facet', 'kind'], ['match', 'any']);
  assert.deepEqual(page.results.map(({ key }: { key: string }) => key).toSorted(), ['guide', 'plaza']);
  assert.equal(page.total, 2);
  assert.deepEqual(page.facets.kind.terms, [
    { term: 'book', count: 1 },
    { term: 'room', count: 1 },
  ]);
  assert.deepEqual(await keys(['text.en', '"york new"']), ['times'], 'over a comma');
  assert.deepEqual(await keys(['text.en', '"hotel york"']), []);
  assert.deepEqual(await keys(['text.en', '"shoe"'], ['sort', 'key']), ['blue', 'hidden'], 'no other form');
  assert.deepEqual(await keys(['text.en', '"new york'], ['sort', 'key']), ['guide', 'parts', 'plaza', 'times']);
});

test('an exclusion leaves out a word in all of its forms, whichever text finds the resource', async () => {
  assert.deepEqual((await keys(['text.en', 'shoes -white'])).toSorted(), ['blue']);
  assert.deepEqual(await keys(['text.en', 'shoe -whitte'], ['fuzzy', 'true'], ['sort', 'key']), [
    'blue',
    'hidden',
    'white',
  ]);
  assert.deepEqual(await keys(['text.en', 'shoe -white'], ['text.de', 'schuh']), ['blue']);
  assert.deepEqual(await keys(['text.en', 'hotel -"new york"'], ['sort', 'key']), ['parts', 'times']);
  const others = await find(['text.en', '-hotels'], ['sort', 'key'], ['facet', 'kind']);
  assert.deepEqual([others.total, others.match, others.facets.kind.total], [3, undefined, 3]);
});

test('of several locales each has its own phrases', async () => {
  assert.deepEqual(await keys(['text.en', '"hotel york"'], ['text.de', '"in new york"']), ['guide']);
  assert.deepEqual((await keys(['text.en', '"new york"'], ['text.de', 'schuh'])).toSorted(), [
    'blue',
    'guide',
    'plaza',
    'white',
  ]);
});

test('pages behind a cursor keep phrases and exclusions', async () => {
  const first = await find(['text.en', 'hotel -plaza'], ['limit', '1']);
  const second = await find(['text.en', 'hotel -plaza'], ['limit', '5'], ['cursor', first.next]);
  const all = [...first.results, ...second.results].map(({ key }) => key);
  assert.deepEqual(all.toSorted(), ['guide', 'parts', 'times']);
});

test('highlights mark a phrase as one, and its words nowhere else; explanations name it', async () => {
  const { results, highlights, explanations } = await find(
    ['text.en', '"new york" hotel'],
    ['highlight', 'true'],
    ['explain', 'true'],
  );
  const html = results.map(({ id }: { id: string }) => highlights[id].map((each: { html: string }) => each.html));
  assert.deepEqual(html, [
    ['<mark>New York</mark> <mark>hotel</mark> guide'],
    ['Plaza <mark>hotel</mark>', 'In the middle of <mark>New  York</mark>.'],
  ]);
  assert.deepEqual(explanations[results[0].id].phrases, ['new york']);
  const plain = await find(['text.en', 'hotel'], ['explain', 'true']);
  assert.equal(plain.explanations[plain.results[0].id].phrases, undefined);
});

test('suggestions complete the word that is being typed, beside phrases and without what is excluded', async () => {
  const suggest = async (text: string) => {
    const {
      status,
      json,
      text: body,
    } = await api.call({ path: `/shop/resource/suggestions?${queryOf(['text.en', text])}` });
    assert.equal(status, 200, body);
    return json.suggestions.map(({ text, count }: { text: string; count: number }) => `${text} ${count}`);
  };
  assert.deepEqual(await suggest('"new york" ho'), ['"new york" hotel 2']);
  assert.deepEqual(await suggest('-plaza ho'), ['-plaza hotel 3']);
  assert.deepEqual(await suggest('-"new york" ho'), ['-"new york" Hotel 2']);
  assert.deepEqual(await suggest('hotel "new yo"'), []);
  assert.deepEqual(await suggest('hotel -pla'), []);
});
