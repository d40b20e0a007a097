import { type ParameterValues, textsOf } from '../../paging.ts';
import type { SearchPage } from '../../ports/list-query.ts';
import type { SearchQuery } from '../query/query.ts';

/** A text that was searched for, as it is counted. */
export interface SearchedText {
  readonly locale: string;
  /** In lower case, with single spaces, and letters of usual width. */
  readonly text: string;
  readonly hits: number;
}

const longestText = 100;
/** What looks like an address or a telephone number may tell of a person; between its digits may be signs with spaces around them. */
const personal = /@|(?:\p{Nd}[\s()/.\p{Pd}]{0,3}){7}/u;

/**
 * What is counted of a search: the text of a first page that somebody has finished; undefined for one that is still being typed, an
 * explained one, which somebody makes who sets the search up, and for texts that are long or may tell of a person.
 */
export function searchedText(
  values: ParameterValues,
  query: SearchQuery,
  { match }: SearchPage,
): SearchedText | undefined {
  const locale = query.texts[0]?.locale;
  const isFirst = query.offset === 0 && query.after === undefined;
  if (locale === undefined || !match || !isFirst || query.prefix || query.explain || query.staged) return undefined;
  const sent = textsOf(values, `text.${locale}`).join(' ').normalize('NFKC');
  const text = sent.trim().replace(/\s+/g, ' ').toLowerCase();
  if (text === '' || text.length > longestText || personal.test(text)) return undefined;
  return { locale, text, hits: match.totals[match.rung] ?? 0 };
}
