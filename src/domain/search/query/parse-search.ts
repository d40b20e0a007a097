import { intendedLocale, localePattern } from '#words';
import { malformedParameter } from '../../../contract/errors.ts';
import { type ParameterValues, parsePaging, parseSortTerms, parseWhere, textsOf, variablesOf } from '../../paging.ts';
import type { SortTerm } from '../../ports/list-query.ts';
import type { Path } from '../../predicate/ast.ts';
import { readPath } from '../../predicate/parse.ts';
import { notHidden, pinnedFor } from '../settings/pins.ts';
import { type MatchMode, matchModes, noSettings, type SearchSettings } from '../settings.ts';
import { askedText, typedWordsOf } from '../words/asked-text.ts';
import { expectEnd, openExpression } from './expression.ts';
import { maxFacets, maxFilters, maxTextBytes, maxTexts } from './limits.ts';
import { parseFacet } from './parse-facet.ts';
import { parseFilter } from './parse-filter.ts';
import type { Facet, FacetFilter, SearchQuery, TextQuery } from './query.ts';

/** Names of the family `text.*` (decision 21). */
export const textForm = new RegExp(`^text\\.${localePattern}$`);

const filterNames = ['filter.query', 'filter', 'filter.facets'] as const;

/** Parses the parameters of E4 (decisions 20–24) under the settings of the project. Throws `ServiceError` InvalidInput. */
export function parseSearch(
  values: ParameterValues,
  projectKey: string,
  settings: SearchSettings = noSettings,
): SearchQuery {
  checkFamilies(values);
  const all = textQueries(values, settings);
  const excluded = all.flatMap((text) => text.excluded);
  // Exclusions alone find everything else, as a search without text does.
  const texts = excluded.length > 0 && all.every(({ words }) => words.length === 0) ? [] : all;
  const order = searchOrder(parseSortTerms(values), texts.length > 0);
  const { pinned, hidden } = pinnedFor(settings.pins, texts);
  const [queryFilters, filters, facetFilters] = parseFilters(values);
  return {
    projectKey,
    staged: values.get('staged') === true,
    texts,
    excluded,
    fuzzyLevel: fuzzyLevelOf(values),
    match: matchModeOf(values, settings),
    fields: settings.fields,
    boosts: settings.boosts,
    hour: 0,
    prefix: values.get('prefix') === true,
    // A predicate of `where` narrows everything, like one of `filter.query`.
    queryFilters: [...parseWhere(values), ...queryFilters.map(({ predicate }) => predicate), ...notHidden(hidden)],
    filters: filters.map(({ predicate }) => predicate),
    facetFilters,
    facets: parseFacets(values),
    ...order,
    pinned: order.sort.length === 0 ? pinned : [],
    ...parsePaging(values),
    ...(values.get('explain') === true && { explain: true }),
    ...(values.has('group') && { group: parseGroup(String(values.get('group'))) }),
  };
}

/** A search with a misspelt condition must not match everything (decision 16). */
function checkFamilies(values: ParameterValues): void {
  for (const name of values.keys()) {
    if (name.startsWith('text.') && !textForm.test(name)) {
      throw malformedParameter(name, 'expected text.<locale>, a locale such as en, de-AT or zh-Hant');
    }
    if (name.startsWith('filter.') && !(filterNames as readonly string[]).includes(name)) {
      throw malformedParameter(name, `expected one of ${filterNames.join(', ')}`);
    }
  }
}

/** The name of the family that one in another case is meant for: `text.pt-BR` for `text.pt_br`. */
export function nearestText(name: string): string | undefined {
  const locale = intendedLocale(name.slice('text.'.length));
  return locale && `text.${locale}`;
}

/** The words of a search as they were typed, by how they are looked up. */
export function typedWords(values: ParameterValues): ReadonlyMap<string, string> {
  const typed = textNames(values).flatMap((name) =>
    textsOf(values, name).flatMap((text) => typedWordsOf(localeOf(name), text)),
  );
  // The first of those that are looked up alike.
  return new Map(typed.reverse());
}

function textNames(values: ParameterValues): readonly string[] {
  return [...values.keys()].filter((name) => textForm.test(name));
}

function localeOf(name: string): string {
  return name.slice('text.'.length);
}

/** The words of all texts of a parameter: where it is repeated, it asks for all of them. */
function textQueries(values: ParameterValues, settings: SearchSettings): readonly TextQuery[] {
  const names = textNames(values);
  if (names.length > maxTexts) throw malformedParameter(names[maxTexts]!, `expected at most ${maxTexts} locales`);
  const prefix = values.get('prefix') === true;
  const tolerance = { fuzzyLevel: fuzzyLevelOf(values), takesHeads: matchModeOf(values, settings) !== 'all' };
  return names.map((name) => {
    const texts = textsOf(values, name);
    const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    if (bytes > maxTextBytes) throw malformedParameter(name, `expected at most ${maxTextBytes} bytes, not ${bytes}`);
    return askedText(localeOf(name), texts, prefix, settings, tolerance);
  });
}

function parseGroup(text: string): Path {
  const cursor = openExpression(text, 'group');
  const path = readPath(cursor);
  expectEnd(cursor, 'a single path such as model');
  return path;
}

function matchModeOf(values: ParameterValues, settings: SearchSettings): MatchMode {
  const asked = values.get('match') ?? settings.match;
  const known = matchModes.find((mode) => mode === asked);
  if (known === undefined) throw malformedParameter('match', `expected one of ${matchModes.join(', ')}`);
  return known;
}

/** Checked whether or not the search is fuzzy (decision 22). Words are capped by their length where they are compared. */
function fuzzyLevelOf(values: ParameterValues): SearchQuery['fuzzyLevel'] {
  const level = values.get('fuzzyLevel') ?? 2;
  if (level !== 0 && level !== 1 && level !== 2)
    throw malformedParameter('fuzzyLevel', 'expected an integer from 0 to 2');
  return values.get('fuzzy') === true ? level : 0;
}

function parseFilters(values: ParameterValues): readonly [FacetFilter[], FacetFilter[], FacetFilter[]] {
  const variables = variablesOf(values);
  const texts = filterNames.map((name) => textsOf(values, name));
  if (texts.flat().length > maxFilters) {
    throw malformedParameter('filter', `expected at most ${maxFilters} filters, of all three kinds together`);
  }
  const of = (at: 0 | 1 | 2) => texts[at]!.map((text) => parseFilter(text, filterNames[at], variables));
  return [of(0), of(1), of(2)];
}

function parseFacets(values: ParameterValues): readonly Facet[] {
  const texts = textsOf(values, 'facet');
  if (texts.length > maxFacets) throw malformedParameter('facet', `expected at most ${maxFacets} facets`);
  const variables = variablesOf(values);
  const facets = texts.map((text) => parseFacet(text, variables));
  const names = new Set<string>();
  for (const { name } of facets) {
    if (names.has(name)) {
      throw malformedParameter('facet', `two facets have the name ${name}; give one another by ' as <alias>'`);
    }
    names.add(name);
  }
  return facets;
}

/** With text, `score desc` means relevance, and what follows it decides among equals; without, `score` is a field. */
function searchOrder(sort: readonly SortTerm[], hasText: boolean): Pick<SearchQuery, 'sort' | 'ties'> {
  const isScore = ({ path }: SortTerm) => path.length === 1 && path[0] === 'score';
  const at = hasText ? sort.findIndex(isScore) : -1;
  if (at < 0) return { sort, ties: [] };
  // Taken as a field, it would be missing from almost every resource, and nothing would be sorted.
  if (sort.some((term) => isScore(term) && term.direction === 'asc')) {
    throw malformedParameter('sort', 'with text, score is relevance and sorts descending only: write score desc');
  }
  const ties = sort.slice(1);
  if (at === 0 && !ties.some(isScore)) return { sort: [], ties };
  throw malformedParameter(
    'sort',
    'with text, score desc means relevance and must be the first sort; others decide ties',
  );
}
