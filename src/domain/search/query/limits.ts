/** Limits of one search; a search beyond one is 400 and names it (decision 33). */

/** `filter`, `filter.query` and `filter.facets` together. */
export const maxFilters = 50;
export const maxFacets = 50;
/** Values, ranges or paths listed in one filter or facet. */
export const maxListed = 200;
/** UTF-8 bytes of one filter or facet; a predicate as a filter may have no more either. */
export const maxExpressionBytes = 8192;
/** Locales with text in one search. */
export const maxTexts = 16;
/** UTF-8 bytes of one text parameter: as many as a URL may have. */
export const maxTextBytes = 8192;
/** Distinct words of the text in one locale that count: of more those that weigh most. */
export const maxCountedWords = 64;
/** Terms in the result of a facet (decision 24). */
export const maxFacetTerms = 200;
/** Levels of a category that count; the rest of it is ignored. */
export const maxLevels = 16;
