import type { JsonSchema } from './check.ts';
import { list, object, text } from './json.ts';
import { resourcePageExample, resourcePageSchema } from './pages.ts';

/** Schemas of the responses of searches and suggestions (decisions 20, 24, 131 and 132). */

/** The rungs of the ladder: all words in some form, all of them with typos, most of them, any of them. */
export const rungs = ['all', 'typos', 'most', 'any'] as const;
export type Rung = (typeof rungs)[number];

const count: JsonSchema = { type: 'integer', minimum: 0, description: 'Resources.' };
const productCount: JsonSchema = { ...count, description: 'The same, with `counting products`.' };

const termsSchema: JsonSchema = object('TermsFacet', {
  type: { type: 'string', const: 'terms' },
  dataType: { type: 'string', enum: ['text', 'number', 'boolean', 'date', 'time', 'datetime'] },
  missing: { ...count, description: 'Resources without a value.' },
  total: { ...count, description: 'Resources with a value.' },
  other: { ...count, description: 'Terms beyond those listed.' },
  terms: list(object('FacetTerm', { term: { type: 'string' }, count, 'productCount?': productCount }), {
    maxItems: 200,
    description: 'By count, then by term.',
  }),
});

const treeSchema: JsonSchema = object('TreeFacet', {
  type: { type: 'string', const: 'tree' },
  missing: { ...count, description: 'Resources without a value.' },
  total: { ...count, description: 'Resources with a value.' },
  other: { ...count, description: 'Categories beyond those listed.' },
  terms: list(
    object('TreeTerm', {
      term: text('The whole path, such as `clothing > shoes`.'),
      level: { type: 'integer', minimum: 1 },
      count,
      'productCount?': productCount,
    }),
    {
      maxItems: 200,
      description: 'By count, then by level, then by term: a category comes after those that it is below.',
    },
  ),
});

const number: JsonSchema = { type: 'number' };
const bound: JsonSchema = { type: 'string', description: 'As requested; empty where the range is open.' };

const rangesSchema: JsonSchema = object('RangeFacet', {
  type: { type: 'string', const: 'range' },
  ranges: list(
    object('FacetRange', {
      from: { ...number, description: 'The lower bound, inclusive; 0 where it is open.' },
      fromStr: bound,
      to: { ...number, description: 'The upper bound, exclusive; 0 where it is open.' },
      toStr: bound,
      count,
      'productCount?': productCount,
      total: { ...number, description: 'Sum of the values in the range; of points in time in milliseconds.' },
      min: number,
      max: number,
      mean: number,
    }),
  ),
});

const valuesSchema: JsonSchema = object('FilterFacet', {
  type: { type: 'string', const: 'filter' },
  count,
  'productCount?': productCount,
});

const facetSchema: JsonSchema = {
  title: 'Facet',
  oneOf: [termsSchema, treeSchema, rangesSchema, valuesSchema],
  discriminator: {
    propertyName: 'type',
    mapping: {
      terms: '#/components/schemas/TermsFacet',
      tree: '#/components/schemas/TreeFacet',
      range: '#/components/schemas/RangeFacet',
      filter: '#/components/schemas/FilterFacet',
    },
  },
};

const rungTotals = { type: 'integer', minimum: 0 } as const;

const matchSchema: JsonSchema = object(
  'SearchMatch',
  {
    rung: text('The last rung that was taken.', { enum: rungs }),
    totals: {
      type: 'object',
      description: 'The resources found up to each rung that was taken, before `filter` narrows them.',
      properties: Object.fromEntries(rungs.map((rung) => [rung, rungTotals])),
    },
    dropped: list(
      { type: 'string' },
      { description: 'Words that no resource has, where not all words were needed, as they were typed.' },
    ),
    corrected: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description:
        'Words that no resource has as they were typed, with what was taken for each, as a resource writes it.',
    },
    'ignored?': list(
      { type: 'string' },
      {
        description:
          'Words of a text of more than 64 different ones that did not count, since they weigh less than those that did.',
      },
    ),
  },
  { description: 'How the text found its results.' },
);

const highlightSchema: JsonSchema = object(
  'Highlight',
  {
    path: text('A dotted path such as `name.en` or `variants[0].color`.'),
    'locale?': text('The locale of the text, if it has one.'),
    ranges: list(list({ type: 'integer', minimum: 0 }, { minItems: 2, maxItems: 2 }), {
      maxItems: 50,
      description: 'From the first UTF-16 unit of a word in the stored string up to the one after its last, ascending.',
    }),
    html: text(
      'The text that a reader sees, or a part of a long one, as HTML that is safe to insert: escaped, with `<mark>` around the words.',
    ),
  },
  { description: 'A text with words that answer the query.' },
);

const rungSchema: JsonSchema = { type: 'string', enum: rungs };

const explanationSchema: JsonSchema = object(
  'Explanation',
  {
    score: { type: 'number', description: 'The sum of the scores of the words. An earlier rung comes before it.' },
    rung: { ...rungSchema, description: 'The first rung whose condition the resource meets.' },
    locale: text('The locale of the text.'),
    share: {
      type: 'number',
      description: 'On the rung `most`, the share of the weights of the words that the resource has; else 1.',
    },
    boost: { type: 'number', description: 'What the `boosts` of the settings multiply the score by; else 1.' },
    'pinned?': { type: 'boolean', description: 'True if it comes first since the settings pin it for this text.' },
    'phrases?': list(
      { type: 'string' },
      { description: 'The phrases of the text, as they were typed; it has all of them.' },
    ),
    words: list(
      object('ExplainedWord', {
        word: text('The word of the query, in lower case and without accents.'),
        'matched?': text('The word of the resource that counts, or its parts; absent if it has none.'),
        'form?': text('In which form the resource has the word.', {
          enum: ['written', 'inflected', 'joined', 'synonym', 'split', 'compound', 'beginning', 'head', 'typos'],
        }),
        'path?': text('Where it counts, such as `name.en` or `variants[0].color`.'),
        'place?': { type: 'string', enum: ['name', 'attribute', 'text'] },
        weight: { type: 'number', description: 'By how rare the word is; 0 if no resource has it.' },
        factor: { type: 'number', description: 'What the form is worth beside the word as it is written.' },
        field: {
          type: 'number',
          description: 'What the place is worth, by its length and by the weight of the field in the settings.',
        },
        score: { type: 'number', description: '`weight × factor × field`, and times `share` and `boost`.' },
      }),
      { maxItems: 64, description: 'In the order of the text.' },
    ),
  },
  { description: 'Why a result ranks where it does, by the text that it fits best.' },
);

/** A page of resources with what the facets counted. */
export const searchPageSchema: JsonSchema = {
  title: 'SearchPage',
  allOf: [
    resourcePageSchema,
    {
      type: 'object',
      properties: {
        facets: {
          type: 'object',
          description: 'By alias, or path as requested.',
          additionalProperties: facetSchema,
        },
        match: matchSchema,
        groups: list(
          object('ResultGroup', {
            'value?': text('The value at the path of `group`, as a facet writes it; absent if the resource has none.'),
            count: { type: 'integer', minimum: 1, description: 'How many results have it.' },
          }),
          { description: 'With `group`: of each result in `results`, in their order, its group.' },
        ),
        highlights: {
          type: 'object',
          description: 'With `highlight=true` and text: by the id of the resource, the texts that answer the query.',
          additionalProperties: list(highlightSchema, { maxItems: 20 }),
        },
        explanations: {
          type: 'object',
          description:
            'With `explain=true` and text: by the id of the resource, why it ranks where it does. Of 100 results at most.',
          additionalProperties: explanationSchema,
        },
      },
    },
  ],
};

export const searchPageExample = {
  ...resourcePageExample,
  facets: {
    color: { type: 'terms', dataType: 'text', missing: 0, total: 1, other: 0, terms: [{ term: 'red', count: 1 }] },
  },
  match: { rung: 'all', totals: { all: 1 }, dropped: [], corrected: {} },
} as const;

/** The response of suggestions. */
export const suggestionsSchema: JsonSchema = object('Suggestions', {
  suggestions: list(
    object('Suggestion', {
      text: text('What was typed, its last word completed as resources write it.'),
      word: text('The word that completes it, in lower case and without accents.'),
      count: { type: 'integer', minimum: 1, description: 'Resources that have all of its words.' },
    }),
    { maxItems: 50, description: 'By count, greatest first, then by word.' },
  ),
  'didYouMean?': text('The typed text, in which words that no resource has are corrected.'),
});

export const suggestionsExample = {
  suggestions: [
    { text: 'running shoes', word: 'shoes', count: 41 },
    { text: 'running shorts', word: 'shorts', count: 12 },
  ],
} as const;
