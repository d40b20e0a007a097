/**
 * MiniSearch with the options of a shop behind node:http. Arguments: the number of documents, and the offset of the
 * corpus. Prints a line of JSON with its port.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import MiniSearch, { type SearchResult } from 'minisearch';
import { createCorpus } from '../corpus.ts';
import { editsFor } from '../library.ts';
import { languages } from '../vocabulary.ts';
import { comparedDocument } from './questions.ts';

const [count, offset] = process.argv.slice(2).map(Number) as [number, number];
const begun = performance.now();
const corpus = createCorpus(offset);
const fields = languages.flatMap((language) => [`name_${language}`, `description_${language}`]);
const index = new MiniSearch<Record<string, unknown>>({ fields, storeFields: ['color', 'brand', 'series', 'price'] });
const texts: string[] = [];
for (let n = 0; n < count; n += 1) {
  const document = comparedDocument(corpus, n);
  texts.push(JSON.stringify(document));
  const { name, description, color, brand, series, price } = document;
  const words = languages.flatMap((each) => [
    [`name_${each}`, name[each]],
    [`description_${each}`, description[each]],
  ]);
  index.add({ id: n, color, brand, series, price, ...Object.fromEntries(words) });
}

function countFacet(results: readonly SearchResult[], facet: string): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const result of results) counts.set(result[facet], (counts.get(result[facet]) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).slice(0, 200);
}

function answer(parameters: URLSearchParams): string {
  const locale = parameters.get('locale')!;
  const text = parameters.get('text')!;
  const own = [`name_${locale}`, `description_${locale}`];
  const all = index.search(text, {
    fields: own,
    boost: { [own[0]!]: 6 },
    combineWith: text.split(' ').length > 2 || parameters.has('any') ? 'OR' : 'AND',
    fuzzy: parameters.has('fuzzy') ? editsFor : false,
    prefix: (_, at, words) => parameters.has('prefix') && at === words.length - 1,
  });
  const facets = parameters.getAll('facet').map((facet) => [facet, countFacet(all, facet)] as const);
  const ends = parameters.get('price')?.split('-').map(Number);
  const within = ends ? all.filter(({ price }) => price >= ends[0]! && price <= ends[1]!) : all;
  if (parameters.has('sort')) within.sort((a, b) => a.price - b.price);
  const page = within.slice(0, Number(parameters.get('limit'))).map(({ id }) => texts[id]);
  return `{"total":${within.length},"results":[${page}],"facets":${JSON.stringify(Object.fromEntries(facets))}}`;
}

const server = createServer((request, response) => {
  const body = answer(new URL(request.url!, 'http://localhost').searchParams);
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}).listen(0, '127.0.0.1', () => {
  const buildMs = Math.round(performance.now() - begun);
  process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port, buildMs })}\n`);
});
