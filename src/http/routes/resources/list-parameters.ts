import { defaultLimit, maxLimit, maxOffset, variableForm } from '../../../domain/paging.ts';
import { existenceDefaults } from '../../../domain/resource/read/conditions.ts';
import { maxFacets, maxFilters, maxTexts } from '../../../domain/search/query/limits.ts';
import { textForm } from '../../../domain/search/query/parse-search.ts';
import type { Parameter, ParameterTable } from '../../route.ts';
import { consistency } from './replica-reads.ts';

/** The query parameters of the lists and of the existence check (decisions 16–18). */

/** What all lists have in common. */
export const paging: ParameterTable = {
  limit: {
    type: 'number',
    description: 'Resources on a page, a whole number.',
    minimum: 0,
    maximum: maxLimit,
    default: defaultLimit,
  },
  offset: {
    type: 'number',
    description: 'Resources to skip, a whole number. To walk far, sort by `id` and ask for `id > "<last id>"` instead.',
    minimum: 0,
    maximum: maxOffset,
    default: 0,
  },
  withTotal: {
    type: 'boolean',
    description: 'Whether `total` is counted. Without it pages are cheaper.',
    default: true,
  },
  sort: {
    type: 'string',
    repeatable: true,
    description: 'A dotted path, then optionally `asc` or `desc`; the first is the most significant, ties go by id.',
    example: ['createdAt desc'],
  },
  expand: {
    type: 'string',
    repeatable: true,
    description: 'A path to references that get their resource as `obj`: `parent`, `lines[*].item`, `lines[0].item`.',
    example: ['parent'],
  },
};

const stagedParameter: Parameter = {
  type: 'boolean',
  description: 'Whether staged projections are matched and answered.',
  default: false,
};

const predicates: ParameterTable = {
  where: {
    type: 'string',
    repeatable: true,
    description: 'A predicate; several must all hold.',
    example: ['objectTypeProperty(arrayOfIntExample contains any (6))'],
  },
  'var.*': {
    type: 'string',
    repeatable: true,
    pattern: variableForm,
    names: 'var.size',
    description: 'The text of an input variable, `:name` in a predicate; repeated, a list.',
  },
  staged: stagedParameter,
};

const conditions: ParameterTable = {
  stringParameter: {
    type: 'string',
    description: 'A predicate, or else a word that some string of `arrayOfStringExample` equals.',
    example: '6 in arrayOfIntExample',
  },
  booleanParameter: { type: 'boolean', description: 'True asks for resources with staged changes.' },
  floatParameter: { type: 'number', exact: true, description: 'A number in `arrayOfFloatExample`.' },
  integerParameter: {
    type: 'integer',
    exact: true,
    description: 'An integer of 64 bits in `arrayOfIntExample` or `arrayOfUniqueIntExample`.',
  },
  withMarkdownDescription: {
    type: 'number',
    exact: true,
    description: 'A number in `arrayOfNumberNoDefaultsExample`.',
  },
  objectParameter: {
    type: 'object',
    description:
      'The conditions `arrayOfString` and `arrayOfStringWithDescription` in one object: as JSON, or as pairs like `objectParameter[arrayOfString]=red`.',
    example: { arrayOfString: ['red'], arrayOfStringWithDescription: ['green', 'blue'] },
  },
  arrayOfString: {
    type: 'string',
    repeatable: true,
    description: 'Strings all of which are in `arrayOfStringExample`.',
  },
  arrayOfStringWithDescription: {
    type: 'string',
    repeatable: true,
    description: 'Strings at least one of which is in `arrayOfStringExample`.',
  },
  unionParameter: {
    type: 'string',
    description:
      'A number that is in a numeric array, or a date-time not after `lastModifiedAt`, or a JSON object that the resource contains.',
    example: '2026-01-01T00:00:00Z',
  },
};

/**
 * A parameter that other endpoints have and this one has no use for: taken and ignored, whatever its value, so that
 * clients with one set of parameters for all endpoints work (decision 16).
 */
function ignored(names: readonly string[]): ParameterTable {
  const description = 'A parameter of another endpoint, ignored here.';
  return Object.fromEntries(names.map((name) => [name, { type: 'string', repeatable: true, description }]));
}

const ofOtherEndpoints: ParameterTable = {
  ...ignored(['optionalQueryParameter', 'secondOptionalQueryParameter']),
  ...ignored(['fuzzy', 'fuzzyLevel', 'filter', 'filter.facets', 'filter.query', 'facet']),
  'text.*': {
    type: 'string',
    repeatable: true,
    pattern: textForm,
    names: 'text.en or text.de-AT',
    description: 'A parameter of the search, ignored here.',
  },
  ...ignored(['queryParameterOne', 'queryParameterTwo', 'filename', 'variant', 'sku']),
};

const { objectParameter, ...otherConditions } = conditions;

/** E1: conditions and all that shapes a list. */
export const listParameters: ParameterTable = {
  ...conditions,
  ...predicates,
  ...paging,
  ...consistency,
  ...ofOtherEndpoints,
};

/** E5: the same conditions with their defaults; what only shapes an answer is ignored. */
export const existenceParameters: ParameterTable = {
  ...withDefaults(conditions),
  ...predicates,
  ...ignored(Object.keys(paging)),
  ...consistency,
  ...ofOtherEndpoints,
};

/** E12: predicates and all that shapes a list; the conditions of E1 and E5 are ignored. */
export const sortedListParameters: ParameterTable = {
  ...predicates,
  ...paging,
  ...consistency,
  ...ignored(Object.keys(otherConditions)),
  // Still an object: only so are the names `objectParameter[…]` known.
  objectParameter: { ...objectParameter!, description: 'A parameter of another endpoint, ignored here.' },
  ...ofOtherEndpoints,
};

const filterExample = 'color:"red","blue"';

/** E4. Parameters that it lacks are ignored, but for misspelled texts and filters: these must not find everything. */
export const searchParameters: ParameterTable = {
  'text.*': {
    type: 'string',
    repeatable: true,
    pattern: textForm,
    names: 'text.en or text.de-AT',
    description: `Words that must all be found, in strings under this locale and under none; of several locales (${maxTexts} at most) one is enough.`,
  },
  fuzzy: { type: 'boolean', description: 'Whether words with typing errors are found too.', default: false },
  fuzzyLevel: {
    type: 'number',
    minimum: 0,
    maximum: 2,
    description:
      'Edits that a word may be away, with `fuzzy`: 0, 1 or 2. Never more than the length of the word allows by default: none up to 2 characters, one up to 5, two beyond.',
  },
  filter: {
    type: 'string',
    repeatable: true,
    description: `Narrows the results, not the facets: \`path:"a","b"\`, \`path:range (1 to 5)\`, \`path:exists\`, \`path:missing\`, or a predicate. All filters must hold, ${maxFilters} at most of all kinds.`,
    example: [filterExample],
  },
  'filter.query': {
    type: 'string',
    repeatable: true,
    description: 'Narrows results and facets.',
    example: [filterExample],
  },
  'filter.facets': {
    type: 'string',
    repeatable: true,
    description: 'Narrows the facets of other paths, not the results.',
    example: [filterExample],
  },
  'filter.*': {
    type: 'string',
    guard: true,
    pattern: /^filter\.(?:query|facets)$/,
    names: 'filter, filter.query or filter.facets',
    description: 'No other filter than the two is known.',
  },
  facet: {
    type: 'string',
    repeatable: true,
    description: `What to count: \`path\`, \`path:"a","b"\` or \`path:range (0 to 10),(10 to *)\`, then \`as <name>\`, then \`counting products\`. ${maxFacets} at most.`,
    example: ['color', 'price:range (0 to 5000),(5000 to *) as prices'],
  },
  'var.*': predicates['var.*']!,
  staged: stagedParameter,
  ...paging,
  ...consistency,
};

function withDefaults(table: ParameterTable): ParameterTable {
  const defaults: Readonly<Record<string, string | number | boolean>> = existenceDefaults;
  return Object.fromEntries(
    Object.entries(table).map(([name, parameter]) => {
      const byDefault = defaults[name];
      return [name, byDefault === undefined ? parameter : { ...parameter, default: byDefault }];
    }),
  );
}
