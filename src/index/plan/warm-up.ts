import type { ListQuery } from '../../domain/ports/list-query.ts';
import type { SearchQuery } from '../../domain/search/query/query.ts';

const warmUpText: SearchQuery['texts'][number] = {
  ...{ locale: 'en', words: ['warming'], wholes: [], begun: [], synonyms: [], small: [], times: [1], last: 0 },
  ...{ phrases: [], inPhrases: [], excluded: [] },
};

/**
 * A search without results, for a thread or a connection that has just started: it loads the code, a stemmer and the
 * statements for which the first search of a client would otherwise wait. No project has the key.
 */
export const warmUpSearch: SearchQuery = {
  projectKey: '~',
  staged: false,
  texts: [warmUpText],
  excluded: [],
  fuzzyLevel: 1,
  match: 'auto',
  fields: [],
  boosts: [],
  hour: 0,
  pinned: [],
  prefix: false,
  queryFilters: [],
  filters: [{ kind: 'within', path: ['n'], ranges: [{ from: { type: 'number', value: 1n }, to: undefined }] }],
  facetFilters: [],
  facets: [
    { kind: 'terms', name: 'terms', path: ['t'], countingProducts: false },
    {
      kind: 'ranges',
      name: 'ranges',
      path: ['n'],
      countingProducts: false,
      ranges: [{ from: undefined, to: undefined }],
    },
  ],
  sort: [],
  ties: [],
  limit: 20,
  offset: 0,
  withTotal: true,
};

/** A list that warms a thread up: matches found by an index, sorted and counted. */
export const warmUpList: ListQuery = {
  projectKey: '~',
  staged: false,
  where: [{ kind: 'compare', op: '=', path: ['n'], value: { type: 'number', value: 1n } }],
  sort: [{ path: ['createdAt'], direction: 'desc' }],
  limit: 20,
  offset: 0,
  withTotal: true,
};
