import type { Answer, AnyJson, Api, Query } from '../api.ts';
import { type Check, checksOf, expectEqual, expectJson, expectRefused, expectStatus } from '../check.ts';

const search = (api: Api, query: Query): Promise<Answer> => api.send('GET', '/searchApiPattern', { query });

/** Two products of a brand that no other run has; returns the brand. */
async function createProducts(api: Api): Promise<string> {
  const brand = api.unique('brand');
  await api.create({ brand, name: { en: 'Running shoes', de: 'Laufschuhe' }, color: 'blue', price: 50 });
  await api.create({ brand, name: { en: 'Walking boots' }, color: 'red', price: 90 });
  return brand;
}

const colorsOf = ({ json }: Answer) => json.results.map(({ color }: AnyJson) => color).sort();
const countsOf = ({ json }: Answer) => json.facets.color.terms.map(({ term, count }: AnyJson) => [term, count]).sort();

/** The search (E4). */
export const searchChecks: readonly Check[] = checksOf('E4', {
  interface: {
    'takes every query parameter of the interface': async (api) => {
      const cases: readonly Query[] = [
        { 'text.en': 'shoe' },
        { 'text.de-AT': 'Schuh' },
        { 'text.en': 'shoe', fuzzy: 'true', fuzzyLevel: '1' },
        { staged: 'true' },
        { filter: 'color:"blue"' },
        { 'filter.query': 'color:"blue"' },
        { 'filter.facets': 'color:"blue"', facet: 'color' },
      ];
      for (const parameters of cases) expectStatus(await search(api, parameters), 200);
    },
    'fuzzyLevel cannot exceed the level of the platform': async (api) => {
      expectStatus(await search(api, { 'text.en': 'shoe', fuzzy: 'true', fuzzyLevel: '99' }), 400);
    },
  },
  contract: {
    'finds the forms of a word in its language, and a write at once': async (api) => {
      const brand = await createProducts(api);
      for (const text of [{ 'text.en': 'shoe' }, { 'text.en': 'RUN' }, { 'text.de': 'laufschuh' }]) {
        const answer = expectStatus(await search(api, { ...text, 'filter.query': `brand:"${brand}"` }), 200);
        expectJson(answer);
        expectEqual(answer, 'what is found', colorsOf(answer), ['blue']);
      }
    },
    'a typo is found with fuzzy alone': async (api) => {
      const brand = await createProducts(api);
      for (const [fuzzy, colors] of Object.entries({ false: [], true: ['red'] })) {
        const answer = await search(api, { 'text.en': 'walknig', fuzzy, 'filter.query': `brand:"${brand}"` });
        expectEqual(answer, 'what is found', colorsOf(answer), colors);
      }
    },
    'facets count exactly; each kind of filter narrows what it should': async (api) => {
      const brand = await createProducts(api);
      const facets = { 'filter.query': `brand:"${brand}"`, facet: 'color' };
      const all = Object.entries({ blue: 1, red: 1 });
      const whole = expectStatus(await search(api, facets), 200);
      expectEqual(whole, 'counts', countsOf(whole), all);
      const filtered = await search(api, { ...facets, filter: 'price:range (60 to *)' });
      expectEqual(filtered, 'results and counts', [colorsOf(filtered), countsOf(filtered)], [['red'], all]);
      const both = [facets['filter.query'], 'price:range (60 to *)'];
      const narrowed = await search(api, { ...facets, 'filter.query': both });
      expectEqual(narrowed, 'counts', countsOf(narrowed), [['red', 1]]);
    },
    'filter.facets narrows the counts alone': async (api) => {
      const brand = await createProducts(api);
      const facet = { facet: 'color', 'filter.facets': 'price:range (60 to *)' };
      const answer = expectStatus(await search(api, { ...facet, 'filter.query': `brand:"${brand}"` }), 200);
      const expected = [['blue', 'red'], [['red', 1]]];
      expectEqual(answer, 'results and counts', [colorsOf(answer), countsOf(answer)], expected);
    },
    'staged=true searches the staged projections': async (api) => {
      const brand = api.unique('brand');
      const { id, version } = await api.create({ brand, color: 'blue', name: { en: 'Shoe' } });
      const change = { action: 'setField', path: 'color', value: 'green', staged: true };
      expectStatus(await api.update(id, version, change), 200);
      for (const [staged, color] of Object.entries({ false: 'blue', true: 'green' })) {
        const parameters = { staged, 'text.en': 'shoe', 'filter.query': `brand:"${brand}"` };
        const answer = expectStatus(await search(api, parameters), 200);
        expectEqual(answer, 'the colors', colorsOf(answer), [color]);
        const other = await search(api, { ...parameters, filter: `color:"${color === 'blue' ? 'green' : 'blue'}"` });
        expectEqual(other, 'count', other.json.count, 0);
      }
    },
    'results are sorted and paged': async (api) => {
      const brand = await createProducts(api);
      const page = { sort: 'price asc', limit: '1', offset: '1' };
      const answer = expectStatus(await search(api, { ...page, 'filter.query': `brand:"${brand}"` }), 200);
      const { limit, offset, count, total } = answer.json;
      expectEqual(answer, 'the page', { limit, offset, count, total }, { limit: 1, offset: 1, count: 1, total: 2 });
      expectEqual(answer, 'what is found', colorsOf(answer), ['red']);
    },
    'the query may be a form': async (api) => {
      const brand = await createProducts(api);
      const body = new URLSearchParams({ 'text.en': 'boot', 'filter.query': `brand:"${brand}"` }).toString();
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const answer = expectStatus(await api.send('POST', '/searchApiPattern', { body, headers }), 200);
      expectEqual(answer, 'what is found', colorsOf(answer), ['red']);
    },
    'an invalid filter, a condition of the lists, or an unknown parameter, is 400': async (api) => {
      expectRefused(await search(api, { filter: 'color:' }), 400, 'InvalidInput');
      expectRefused(await search(api, { 'txt.en': 'shoe' }), 400, 'InvalidInput');
      expectRefused(await search(api, { integerParameter: '5' }), 400, 'InvalidInput');
    },
  },
});
