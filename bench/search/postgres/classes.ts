import type { ParameterValue } from '../../../src/domain/paging.ts';
import type { FieldRule } from '../../../src/domain/search/field-rules.ts';
import { comparedClasses, comparedQuestions, serviceParameters } from '../compare/questions.ts';
import type { Corpus } from '../corpus.ts';
import { withTypo } from '../questions.ts';
import { below, type Random, seededRandom } from '../random.ts';
import { vocabularyOf } from '../vocabulary.ts';

/** Searches of one kind, as the parameters of E4. */
export interface SearchClass {
  readonly name: string;
  readonly fields?: readonly FieldRule[];
  readonly searches: (corpus: Corpus, documents: number, count: number) => readonly Parameters[];
}

export type Parameters = ReadonlyMap<string, ParameterValue>;

/** A word of every document, and one of eight in a hundred. */
const [everywhere, inSome] = ['standardly', 'seasonally'];
/** Words beyond this rank are in few documents. */
const rareFrom = 10_000;

const of = (parameters: Readonly<Record<string, ParameterValue>>): Parameters =>
  new Map(Object.entries({ limit: 20, ...parameters }));

function each(make: (random: Random) => Readonly<Record<string, ParameterValue>>): SearchClass['searches'] {
  return (_corpus, _documents, count) => {
    const random = seededRandom(2027);
    return Array.from({ length: count }, () => of(make(random)));
  };
}

const rareWord = (random: Random) => vocabularyOf('en')[rareFrom + below(random, rareFrom)]!;
const commonWord = (random: Random) => vocabularyOf('en')[below(random, 20)]!;
const weighted = (path: string, weight: number): readonly FieldRule[] => [{ path: [path], weight }];
const allFacets = ['color', 'brand', 'series'];

/** The classes of the comparison with Lucene, and what is dear here. */
export const searchClasses: readonly SearchClass[] = [
  ...comparedClasses.map((compared) => ({
    name: compared.name,
    searches: (corpus: Corpus, documents: number, count: number) =>
      comparedQuestions(compared, corpus, documents, count).map((question) =>
        parametersOf(serviceParameters(question)),
      ),
  })),
  {
    name: 'a common word with a rare one',
    searches: each((random) => ({ 'text.en': `${everywhere} ${rareWord(random)}` })),
  },
  { name: 'two common words', searches: each((random) => ({ 'text.en': `${commonWord(random)} ${everywhere}` })) },
  {
    name: 'two letters of a word',
    searches: each((random) => ({ 'text.en': rareWord(random).slice(0, 2), prefix: true })),
  },
  { name: 'one letter of a word', searches: each((random) => ({ 'text.en': commonWord(random)[0]!, prefix: true })) },
  {
    name: 'three common words with typos',
    searches: each((random) => {
      const words = [commonWord, commonWord, commonWord].map((make) => withTypo(make(random), random));
      return { 'text.en': words.join(' '), fuzzy: true };
    }),
  },
  { name: 'a word of every document by price', searches: each(() => ({ 'text.en': everywhere, sort: 'price asc' })) },
  {
    name: '3 facets over 10 %',
    searches: each(() => ({ facet: allFacets, 'filter.query': 'color:"red","green"' })),
  },
  { name: '3 facets over everything', searches: each(() => ({ facet: allFacets })) },
  { name: 'where of 67 % by id', searches: each(() => ({ where: 'price > 33000', sort: 'id asc' })) },
  { name: 'where of 67 % by price', searches: each(() => ({ where: 'price > 33000', sort: 'price asc' })) },
  {
    name: 'where of 67 % by price, and a word of 8 %',
    searches: each(() => ({ 'text.en': inSome, where: 'price > 33000', sort: 'price asc' })),
  },
  {
    name: 'a word of 8 %, the description counts half',
    fields: weighted('description', 0.5),
    searches: each(() => ({ 'text.en': inSome })),
  },
  {
    name: 'a word of every document, the description counts half',
    fields: weighted('description', 0.5),
    searches: each(() => ({ 'text.en': everywhere })),
  },
  {
    name: 'a word of every document, which stands in the excluded description alone',
    fields: weighted('description', 0),
    searches: each(() => ({ 'text.en': everywhere })),
  },
  {
    name: 'a common word with a rare one, the description counts half',
    fields: weighted('description', 0.5),
    searches: each((random) => ({ 'text.en': `${everywhere} ${rareWord(random)}` })),
  },
  {
    name: 'one word, a field that none has counts double',
    fields: weighted('slogan', 2),
    searches: each((random) => ({ 'text.en': rareWord(random) })),
  },
];

function parametersOf(search: URLSearchParams): Parameters {
  const found = new Map<string, ParameterValue>();
  for (const name of new Set(search.keys())) {
    const all = search.getAll(name);
    const one = all[0]!;
    const value = name === 'limit' ? Number(one) : name === 'fuzzy' ? one === 'true' : one;
    found.set(name, name === 'facet' || name === 'filter' ? all : value);
  }
  return found;
}
