import { languages } from '#words';
import { defaultLimit, maxCounted, maxLimit, maxOffset, variableForm } from '../../../domain/paging.ts';
import { existenceDefaults } from '../../../domain/resource/read/conditions.ts';
import { maxFacets, maxFilters, maxTexts } from '../../../domain/search/query/limits.ts';
import { nearestText, textForm } from '../../../domain/search/query/parse-search.ts';
import type { ParameterTable } from '../../route.ts';
import { consistency } from './eventual-reads.ts';
import { ignored, ofOtherResources, ofTheList, ofTheSearch } from './parameters-elsewhere.ts';

/** The query parameters of the lists and of the existence check (decisions 16–18). */

const strings = { type: 'string', repeatable: true } as const;

/** The part of a list that a page has. */
export const pageOf = (items: string, ofLimit = ''): ParameterTable => ({
  limit: {
    type: 'integer',
    description: `The number of ${items} on a page.${ofLimit}`,
    minimum: 0,
    maximum: maxLimit,
    default: defaultLimit,
  },
  offset: {
    type: 'integer',
    description: `The number of ${items} to skip. To read many pages, follow \`next\` by \`cursor\` instead.`,
    minimum: 0,
    maximum: maxOffset,
    beyond: 'to read further, send the `next` of a page as `cursor`',
    default: 0,
  },
});

/** Common to all lists of resources. */
export const paging: ParameterTable = {
  ...pageOf('resources'),
  cursor: {
    type: 'string',
    description:
      'The `next` of the previous page. All other parameters must stay the same, except `limit`, `expand`, `fields` and `withTotal`; `total` is only counted with `withTotal=true`.',
  },
  withTotal: {
    type: 'boolean',
    description: `Whether to count the matching resources in \`total\`: with \`true\` all of them, with \`false\` none. A list without this parameter counts up to ${maxCounted}, and says by \`totalRelation\` if there are more; a search counts at least as many. With \`true\` the counts of facets are exact as well.`,
  },
  sort: {
    ...strings,
    description:
      'A dotted path, optionally followed by `asc` or `desc`. If repeated, the first one is the most significant. Ties are broken by id.',
    example: ['createdAt desc'],
  },
  expand: {
    ...strings,
    description:
      'The path of references to expand: each gets the referenced resource as `obj`. For example `parent`, `lines[*].item` or `lines[0].item`. `images` gives each object with the `sku` of a variant with images, such as those of `variants`, the addresses of its `images`.',
    example: ['parent'],
  },
  fields: {
    ...strings,
    description:
      'Dotted paths, separated by commas: returns only these fields of each resource, and `id`, `version` and `key`. A path through an array applies to each of its elements.',
    example: ['name,parent.id'],
  },
};

export const predicates = {
  where: {
    ...strings,
    description:
      'A predicate. If repeated, all predicates must hold. Input variables such as `:size` have their values in parameters of their own: `var.size=42`, repeated for a list.',
    example: ['objectTypeProperty(arrayOfIntExample contains any (6))'],
  },
  'var.*': {
    ...strings,
    pattern: variableForm,
    names: 'var.size',
    description: 'The values of the input variables of predicates. If repeated, the variable is a list.',
  },
  staged: {
    type: 'boolean',
    description: 'Whether to find and return the staged projections instead of the current ones.',
    default: false,
  },
} satisfies ParameterTable;

const conditions = {
  stringParameter: {
    type: 'string',
    description: 'A predicate, or else a string that is in `arrayOfStringExample`.',
    example: '6 in arrayOfIntExample',
  },
  booleanParameter: { type: 'boolean', description: 'If true, only resources with staged changes match.' },
  floatParameter: { type: 'number', exact: true, description: 'A number that is in `arrayOfFloatExample`.' },
  integerParameter: {
    type: 'integer',
    format: 'int64',
    exact: true,
    description: 'A 64-bit integer that is in `arrayOfIntExample` or `arrayOfUniqueIntExample`.',
  },
  withMarkdownDescription: {
    type: 'number',
    exact: true,
    description: 'A number that is in `arrayOfNumberNoDefaultsExample`.',
  },
  objectParameter: {
    type: 'object',
    description:
      'The conditions `arrayOfString` and `arrayOfStringWithDescription` in one object, as JSON or as pairs such as `objectParameter[arrayOfString]=red`.',
    example: '{"arrayOfString":["red"]}',
  },
  arrayOfString: {
    ...strings,
    description: 'Strings that must all be in `arrayOfStringExample`.',
  },
  arrayOfStringWithDescription: {
    ...strings,
    description: 'Strings of which at least one must be in `arrayOfStringExample`.',
  },
  unionParameter: {
    type: 'string',
    description:
      'A number that is in one of the numeric arrays, a date-time that `lastModifiedAt` is not before, or a JSON object that the resource contains.',
    example: '2026-01-01T00:00:00Z',
  },
} satisfies ParameterTable;

/** E1: conditions, and everything that shapes a list. */
export const listParameters: ParameterTable = {
  ...conditions,
  ...predicates,
  ...paging,
  ...consistency,
  ...ofTheSearch,
  ...ofOtherResources,
};

const conditionDefaults: ParameterTable = Object.fromEntries(
  Object.entries(existenceDefaults).map(([name, value]) => [
    name,
    { ...conditions[name as keyof typeof existenceDefaults], default: value },
  ]),
);

/** E5: the same conditions with their defaults. What only shapes a response is ignored. */
export const existenceParameters: ParameterTable = {
  ...conditions,
  ...conditionDefaults,
  ...predicates,
  ...ignored(Object.keys(paging)),
  ...consistency,
  ...ofTheSearch,
  ...ofOtherResources,
};

/** E12: predicates, and everything that shapes a list. */
export const sortedListParameters: ParameterTable = {
  ...predicates,
  ...paging,
  ...consistency,
  ...ofTheList(conditions),
  ...ofTheSearch,
  ...ofOtherResources,
};

const textFamily = {
  ...strings,
  pattern: textForm,
  names: 'text.en, text.de-AT or text.zh-Hant',
  nearest: nearestText,
  documented: languages.map(({ code }) => `text.${code}`),
} as const;

const filterExample = 'color:"red","blue"';

/** E4: texts, filters and facets beside what E12 has. */
export const searchParameters: ParameterTable = {
  'text.*': {
    ...textFamily,
    example: 'shoe',
    description: `Words to search for in the locale of the name: \`text.en=shoe\`; other locales, such as \`text.de-AT\`, are accepted as well. They are looked for in strings of this locale, of wider ones (of \`zh-Hant-TW\` also \`zh-Hant\` and \`zh\`) or of no locale; \`match\` says how many must be found. If several locales are sent (at most ${maxTexts}), one of them must match. Words in quotes are a phrase (\`"new york"\`), and \`-white\` excludes what has the word.`,
  },
  match: {
    type: 'string',
    words: ['auto', 'all', 'most', 'any'],
    description:
      'How many of the words must be found: `all`; `most`; or `auto`, all of them, filled up by resources with typos (with `fuzzy`) and with most of the words while there are few.',
    default: 'auto',
  },
  prefix: {
    type: 'boolean',
    description:
      'Whether the last word is still being typed, so that any word that begins like it is found; with `fuzzy` also where the beginning has typos, from the fourth letter on.',
    default: false,
  },
  fuzzy: { type: 'boolean', description: 'Whether words with typos match, too.', default: false },
  fuzzyLevel: {
    type: 'number',
    minimum: 0,
    maximum: 2,
    description:
      'With `fuzzy`, the number of typos allowed in a word: 0, 1 or 2. It is limited by the length of the word: none up to 2 characters, one up to 5 characters, otherwise two.',
  },
  highlight: {
    type: 'boolean',
    description:
      'Whether to say in `highlights` which words of the results answer the text: where they stand, and as HTML.',
    default: false,
  },
  explain: {
    type: 'boolean',
    description: 'Whether to say in `explanations` why the results rank where they do: the score, word by word.',
    default: false,
  },
  filter: {
    ...strings,
    description: `Narrows the results, but not the facets: \`path:"a","b"\`, \`path:range (1 to 5)\`, \`path:subtree ("clothing > shoes")\`, \`path:exists\`, \`path:missing\`, or a predicate. All filters must hold. At most ${maxFilters} filters of all kinds.`,
    example: [filterExample],
  },
  'filter.query': {
    ...strings,
    description: 'Narrows the results and the facets.',
    example: [filterExample],
  },
  'filter.facets': {
    ...strings,
    description: 'Narrows the facets of other paths, but not the results.',
    example: [filterExample],
  },
  facet: {
    ...strings,
    description: `A facet: \`path\`, \`path:tree\` (categories such as \`clothing > shoes\` on each level), \`path:"a","b"\` or \`path:range (0 to 10),(10 to *)\`, optionally followed by \`as <name>\` and \`counting products\`. At most ${maxFacets}.`,
    example: ['color', 'price:range (0 to 5000),(5000 to *) as prices'],
  },
  group: {
    type: 'string',
    description:
      'A path: only the first result of each of its values is returned, and `groups` says how many have the value. `total` is the number of groups then.',
    example: 'model',
  },
  ...predicates,
  ...paging,
  ...consistency,
  ...ofTheList(conditions),
  ...ofOtherResources,
};

/** Suggestions: a text, and what narrows the resources that count. */
export const suggestionParameters: ParameterTable = {
  'text.*': {
    ...textFamily,
    example: 'running sh',
    description: 'What was typed so far, in one locale. Its last word is completed.',
  },
  limit: {
    type: 'integer',
    description: 'The number of suggestions.',
    minimum: 1,
    maximum: 50,
    default: 10,
  },
  'filter.query': {
    ...strings,
    description: 'Only resources that the filter finds count, as in the search.',
    example: [filterExample],
  },
  ...predicates,
  ...consistency,
};
