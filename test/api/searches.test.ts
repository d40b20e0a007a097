import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countLimits, createSearchCounts } from '../../src/domain/search/counts/search-counts.ts';
import { queryOf } from './open-lists.ts';
import { openResources, refusalOf } from './open-resources.ts';

const { api, create, send } = await openResources();
const store = api.app.store.resources;
await create('shop', { key: 'chair', name: { en: 'Oak chair' } });

const searched = async (project: string, ...pairs: readonly (readonly [string, string])[]) => {
  const { json } = await api.call({ path: `/${project}/searches?${queryOf(...pairs)}` });
  return json.searches.map((each: { text: string; count: number; withoutHits: number }) =>
    [each.text, each.count, each.withoutHits].join(' '),
  );
};
const find = (project: string, ...pairs: readonly (readonly [string, string])[]) =>
  api.call({ path: `/${project}/resource/searchApiPattern?${queryOf(...pairs)}` });

test('finished searches are counted, repeated ones too, by locale, with those that found nothing', async () => {
  for (let n = 0; n < 4; n += 1) await find('shop', ['text.en', n === 0 ? 'Oak  Chair' : 'oak chair']);
  for (let n = 0; n < 2; n += 1) await find('shop', ['text.en', 'sofa']);
  await find('shop', ['text.de', 'stuhl']);
  await find('shop', ['text.en', 'oak ch'], ['prefix', 'true']);
  await find('shop', ['text.en', 'page'], ['offset', '20']);
  await find('shop', ['filter', 'a:1']);
  assert.deepEqual(await searched('shop'), ['oak chair 4 0', 'sofa 2 2', 'stuhl 1 1']);
  assert.deepEqual(await searched('shop', ['withoutHits', 'true']), ['sofa 2 2', 'stuhl 1 1']);
  assert.deepEqual(await searched('shop', ['locale', 'de']), ['stuhl 1 1']);
  assert.deepEqual(await searched('shop', ['limit', '1']), ['oak chair 4 0']);
  const { json } = await api.call({ path: '/shop/searches' });
  assert.equal(json.days, 30);
  assert.match(json.searches[0].lastAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:00\.000Z$/);
  assert.deepEqual(Object.keys(json.searches[0]).sort(), ['count', 'lastAt', 'locale', 'text', 'withoutHits']);
});

test('only those who manage a project read its searches', async () => {
  refusalOf(await api.call({ path: '/shop/searches', scope: 'view_test:shop' }), 403, 'insufficient_scope');
});

test('a project that turns counting off has no more searches counted, nor are those on trial', async () => {
  const form = queryOf(['text.en', 'trial'], ['settings', '{}']);
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  await api.call({ method: 'POST', path: '/off/resource/searchApiPattern', body: form, headers });
  await send('PUT', '/off/settings/search', { countSearches: false });
  await find('off', ['text.en', 'sofa']);
  assert.deepEqual(await searched('off'), []);
});

test('several processes add up to what they wrote, also at once; days that are over are forgotten', async () => {
  let nowMs = Date.parse('2026-01-01T10:00:30Z');
  const processes = Array.from({ length: 3 }, () => createSearchCounts(store, () => nowMs));
  const [first, second] = processes;
  for (const each of processes) each.note('many', { locale: 'en', text: 'sofa', hits: 0 });
  first!.note('many', { locale: 'en', text: 'chair', hits: 3 });
  await Promise.all(processes.map((each) => each.write()));
  const lastAt = '2026-01-01T10:00:00.000Z';
  const chair = { locale: 'en', text: 'chair', count: 1, withoutHits: 0, lastAt };
  assert.deepEqual(await second!.of('many'), [{ locale: 'en', text: 'sofa', count: 3, withoutHits: 3, lastAt }, chair]);
  nowMs += 10 * 86_400_000;
  second!.note('many', { locale: 'en', text: 'sofa', hits: 1 });
  assert.deepEqual((await second!.of('many')).map(({ count }) => count).sort(), [1, 4], 'with what is not written yet');
  await second!.write();
  nowMs += 25 * 86_400_000;
  first!.note('many', { locale: 'en', text: 'lamp', hits: 1 });
  await first!.write();
  const counts = (await first!.of('many')).map(({ text, count }) => `${text} ${count}`);
  assert.deepEqual(counts.sort(), ['lamp 1', 'sofa 1']);
  assert.equal((await store.scan('many~searches', undefined, 10)).length, 2);
});

test('of very many texts a project keeps the most frequent ones', async () => {
  const counts = createSearchCounts(store, () => Date.parse('2026-01-01'));
  for (let n = 0; n < countLimits.texts + 50; n += 1)
    counts.note('bound', { locale: 'en', text: `text ${n}`, hits: 1 });
  counts.note('bound', { locale: 'en', text: 'text 7', hits: 1 });
  assert.equal((await counts.of('bound')).length, countLimits.texts);
  await counts.write();
  for (let n = 0; n < 10; n += 1) counts.note('bound', { locale: 'en', text: `new ${n % 2}`, hits: 1 });
  await counts.write();
  const kept = await counts.of('bound');
  assert.equal(kept.length, countLimits.texts);
  assert.deepEqual(
    kept
      .filter(({ count }) => count > 1)
      .map(({ text, count }) => `${text} ${count}`)
      .sort(),
    ['new 0 5', 'new 1 5', 'text 7 2'],
  );
});

test('where counts of one project cannot be written, those of the others are kept; two writes at once write each once', async () => {
  let isFailing = true;
  const counts = createSearchCounts(
    {
      get: (project, id, ...others) => {
        if (isFailing && project.startsWith('failing')) throw new Error('no answer');
        return store.get(project, id, ...others);
      },
      commit: (change) => store.commit(change),
    },
    Date.now,
  );
  for (const project of ['failing', 'healthy']) counts.note(project, { locale: 'en', text: 'sofa', hits: 0 });
  await assert.rejects(counts.write(), /no answer/);
  assert.equal((await counts.of('healthy')).length, 1);
  isFailing = false;
  await Promise.all([counts.write(), counts.write()]);
  assert.deepEqual(await searched('healthy'), ['sofa 1 1']);
});
