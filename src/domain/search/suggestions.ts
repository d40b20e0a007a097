import { malformedParameter } from '../../contract/errors.ts';
import { type ParameterValues, textsOf } from '../paging.ts';
import type { SearchPage } from '../ports/list-query.ts';
import { parseSearch, textForm } from './query/parse-search.ts';
import type { SearchSettings } from './settings.ts';
import { askedSpansOf } from './words/asked-text.ts';
import { readOperators } from './words/operators.ts';

/** Suggestions for a text that is being typed (decision 132). */

export type SuggestionQuery = ReturnType<typeof parseSuggestions>;

const [defaultSuggestions, maxSuggestions] = [10, 50];

/**
 * Parses the parameters of suggestions: the text as typed, and a search for all of its words, of which only the completions and the
 * corrections are of interest. Throws `ServiceError` InvalidInput.
 */
export function parseSuggestions(values: ParameterValues, projectKey: string, settings?: SearchSettings) {
  const names = [...values.keys()].filter((name) => textForm.test(name));
  const [text, ...others] = names.flatMap((name) => textsOf(values, name));
  if (text === undefined || others.length > 0) {
    throw malformedParameter(names[0] ?? 'text', 'expected one text in one locale, such as text.en=sho');
  }
  const limit = values.get('limit') ?? defaultSuggestions;
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1 || limit > maxSuggestions) {
    throw malformedParameter('limit', `expected an integer from 1 to ${maxSuggestions}`);
  }
  const own = { limit: 0, match: 'all', prefix: true, fuzzy: true, withTotal: false } as const;
  const query = parseSearch(new Map([...values, ...Object.entries(own)]), projectKey, settings);
  return { text, query: { ...query, pinned: [], suggest: limit } };
}

/** The suggestions by the page of the search. */
export function suggestionsOf({ text, query }: SuggestionQuery, { completions = [], match, written = {} }: SearchPage) {
  const { locale } = query.texts[0] ?? { locale: '' };
  const spans = askedSpansOf(locale, readOperators(locale, text).plain);
  const last = spans.at(-1);
  const suggestions = completions.map(({ word, written, count }) => {
    return { text: last ? text.slice(0, last.start) + written : written, word, count };
  });
  const corrected = new Map(Object.entries(match?.corrected ?? {}));
  const asWritten = (word: string, typed: string): string => {
    const taken = corrected.get(word);
    return taken === undefined ? typed : (written[taken] ?? taken);
  };
  // A correction must find something within the conditions.
  const hits = match?.totals[match.rung] ?? 0;
  const isOfUse = query.queryFilters.length === 0 || hits > 0;
  if (!isOfUse || !spans.some(({ word }) => corrected.has(word))) return { suggestions };
  let didYouMean = '';
  let at = 0;
  for (const { word, start, end } of spans) {
    didYouMean += text.slice(at, start) + asWritten(word, text.slice(start, end));
    at = end;
  }
  return { suggestions, didYouMean: didYouMean + text.slice(at) };
}
