/** Translates the query of the page into a search request. */

export const pageSize = 20;

/** A facet as it is asked for. */
export interface AskedFacet {
  /** As the parameter `facet` has it: `category:tree as kinds`. */
  readonly text: string;
  /** Under which it is answered. */
  readonly name: string;
  readonly path: string;
  readonly kind: 'terms' | 'tree' | 'range' | 'filter';
}

/** Divides a text at commas that are in no quotes and in no brackets, and are not between two values or ranges. */
function partsOf(line: string): readonly string[] {
  // A comma before a quote or a bracket goes on with the values of the same facet.
  const separator = /,(?!\s*["(])(?=(?:[^"]*"[^"]*")*[^"]*$)(?![^(]*\))/;
  return line.split(separator);
}

/** The facets in a text: one a line, or with commas between. */
export function facetsOf(text: string): readonly AskedFacet[] {
  const parts = text.split('\n').flatMap(partsOf);
  const named = parts.map((part) => part.trim()).filter((part) => part !== '');
  return named.map((part) => {
    const [, path = part, form = ''] = /^((?:`[^`]*`|[^:\s])+)\s*(?::\s*(\S+))?/.exec(part) ?? [];
    const [, alias = path.replaceAll('`', '')] = /\sas\s+(\S+)/.exec(part) ?? [];
    return { text: part, name: alias, path, kind: kindOf(form) };
  });
}

function kindOf(form: string): AskedFacet['kind'] {
  if (form === '') return 'terms';
  if (form.startsWith('tree')) return 'tree';
  return form.startsWith('range') ? 'range' : 'filter';
}

/** Names of the parameters of the page that hold what is chosen: with the path of a facet behind it. */
const chosenPrefix = 'in.';

/** The chosen values of a facet: terms, or ranges such as `100 to *`. */
export const chosenOf = (page: URLSearchParams, path: string): readonly string[] => page.getAll(chosenPrefix + path);

/** The page with one value more, or less where it was chosen. */
export function toggled(page: URLSearchParams, path: string, value: string): URLSearchParams {
  const next = new URLSearchParams(page);
  const name = chosenPrefix + path;
  if (next.has(name, value)) next.delete(name, value);
  else next.append(name, value);
  next.delete('offset');
  return next;
}

export const hasChosen = (page: URLSearchParams): boolean =>
  [...page.keys()].some((name) => name.startsWith(chosenPrefix));

/** The page with nothing chosen. */
export function withoutChosen(page: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...page].filter(([name]) => !name.startsWith(chosenPrefix) && name !== 'offset'));
}

/** A filter for the values that are chosen of a facet: one of them is there. */
function filterOf({ path, kind }: AskedFacet, values: readonly string[]): string {
  if (kind === 'range') return `${path}:range${values.map((value) => `(${value})`).join(',')}`;
  const quoted = values.map((value) => JSON.stringify(value)).join(',');
  return kind === 'tree' ? `${path}:subtree(${quoted})` : `${path}:${quoted}`;
}

/** The locale of the text. */
export const languageOf = (page: URLSearchParams): string => page.get('language') || 'en';

/** The query of a search from the query of the page. */
export function searchQuery(page: URLSearchParams): URLSearchParams {
  const query = new URLSearchParams();
  const text = page.get('text') ?? '';
  if (text.trim() !== '') {
    query.set(`text.${languageOf(page)}`, text);
    query.set('highlight', 'true');
    query.set('explain', 'true');
  }
  for (const name of ['fuzzy', 'prefix', 'staged'] as const) if (page.get(name) === 'true') query.set(name, 'true');
  if (page.get('fuzzyLevel') && query.has('fuzzy')) query.set('fuzzyLevel', page.get('fuzzyLevel')!);
  for (const name of ['match', 'group'] as const) if (page.get(name)) query.set(name, page.get(name)!);
  const facets = facetsOf(page.get('facets') ?? '');
  for (const facet of facets) {
    query.append('facet', facet.text);
    const chosen = chosenOf(page, facet.path);
    if (chosen.length === 0) continue;
    // The other facets count what is chosen here; this one shows what there would be of its other values.
    query.append('filter', filterOf(facet, chosen));
    query.append('filter.facets', filterOf(facet, chosen));
  }
  query.set('limit', String(pageSize));
  if (page.get('offset')) query.set('offset', page.get('offset')!);
  return query;
}
