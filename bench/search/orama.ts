import { create, insertMultiple, load, type RawData, save, search } from '@orama/orama';
import { editsFor, type Library } from './library.ts';
import type { Question } from './questions.ts';

function createIndex() {
  return create({
    schema: {
      ...{ en: 'string', de: 'string', fr: 'string' },
      ...{ color: 'enum', brand: 'enum', series: 'enum', price: 'number' },
    },
    sort: { enabled: false },
  } as const);
}

/** A search without `fuzzy`: whole words without typos. */
function matching(question: Question) {
  if (question.word === undefined) return {};
  const { word: term, language, fuzzy } = question;
  return { term, properties: [language], ...(fuzzy ? { tolerance: editsFor(term) } : { exact: true }) };
}

/** Orama with the settings that come nearest to a search of the service; its filter narrows its facets too. */
export function createOrama(): Library {
  const index = createIndex();
  return {
    name: 'Orama',
    async add(documents) {
      await insertMultiple(index, [...documents], documents.length);
    },
    async search(question) {
      const { facets, price, limit } = question;
      const { count } = await search(index, {
        ...matching(question),
        limit,
        facets: Object.fromEntries(facets.map((facet) => [facet, { limit: 200 }])),
        ...(price ? { where: { price: { between: [...price] } } } : {}),
      });
      return count;
    },
    save: () => JSON.stringify(save(index)),
    load: (text) => load(index, JSON.parse(text) as RawData),
  };
}
