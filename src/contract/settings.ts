import type { JsonSchema } from './check.ts';
import { list, object, text } from './json.ts';

/** Schemas of the settings of a project (decision 133). */

const expectedVersion: JsonSchema = {
  type: 'integer',
  minimum: 0,
  description: 'The version that must be current; 0 where there are no settings yet. By default any.',
};

const systemProperties = {
  version: { type: 'integer', minimum: 0, description: 'Rises with every change. 0: the project has no settings.' },
  'lastModifiedAt?': text('When the settings were last changed.', { format: 'date-time' }),
} satisfies Readonly<Record<string, JsonSchema>>;

const locale: JsonSchema = { type: 'string', pattern: '^[a-z]{2}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$' };
const phrases: JsonSchema = list(
  { type: 'string', description: 'A word, or up to four words.' },
  { minItems: 1, maxItems: 10 },
);

const references: JsonSchema = list(
  { type: 'string', maxLength: 300, description: 'The id of a resource, or its key as `key=sofa-1`.' },
  { maxItems: 50 },
);

const properties = {
  match: {
    enum: ['auto', 'all', 'most', 'any'],
    default: 'auto',
    description: 'What `match` is where a search says nothing.',
  },
  weights: {
    type: 'object',
    description:
      'By path: how much the words of a field, and of all below it, count. Of other fields 1. The longest path decides.',
    additionalProperties: { type: 'number', exclusiveMinimum: 0, maximum: 100 },
    default: {},
  },
  excludedPaths: list(
    { type: 'string' },
    {
      maxItems: 100,
      default: [],
      description: 'Paths of fields whose words are not found, nor those of all below them.',
    },
  ),
  types: {
    type: 'object',
    default: {},
    description:
      'By path: what the texts of a field, and of all below it, are. `plain`: under no locale, although the names around them look like languages (`{"uk": "7 wide", "eu": "41"}`). `localised`: as their names say, within a path that is plain. The longest path decides.',
    additionalProperties: { enum: ['plain', 'localised'] },
    maxProperties: 100,
  },
  synonyms: list(
    object(
      'Synonym',
      {
        locale,
        'words?': { ...phrases, minItems: 2, description: 'Each of them finds the others.' },
        'from?': {
          ...phrases,
          description: 'Instead of `words`: each of these phrases also finds those of `to`, but not vice versa.',
        },
        'to?': phrases,
      },
      { additionalProperties: false },
    ),
    { maxItems: 1000, default: [], description: 'Words that find others, in the languages of their locales.' },
  ),
  stopWords: {
    type: 'object',
    default: {},
    description:
      'By locale: words that need not occur and weigh little, in addition to the stop words of the language.',
    additionalProperties: list({ type: 'string' }, { maxItems: 1000 }),
  },
  boosts: list(
    object(
      'Boost',
      {
        'where?': text('A predicate as in the parameter `where`: for resources that it holds for.', {
          maxLength: 2000,
        }),
        'recent?': text(
          'Instead of `where`, the path of an instant, such as `createdAt`: the factor counts in full for now, and half as much `halfLifeDays` before.',
        ),
        'halfLifeDays?': { type: 'number', exclusiveMinimum: 0, maximum: 36_500 },
        'near?': text(
          'Instead of `where`, the path of a number: the factor counts in full for `origin`, and half as much `scale` away from it.',
        ),
        'origin?': { type: 'number' },
        'scale?': { type: 'number', exclusiveMinimum: 0 },
        factor: { type: 'number', exclusiveMinimum: 0, maximum: 100 },
      },
      { additionalProperties: false },
    ),
    {
      maxItems: 10,
      default: [],
      description: 'What the relevance of some resources is multiplied by; of several that hold, each counts.',
    },
  ),
  pins: list(
    object(
      'Pin',
      {
        locale,
        text: text('The words of the text, in any order and form.', { maxLength: 200 }),
        'pinned?': {
          ...references,
          description: 'What comes first by relevance, in this order, if it meets the filters.',
        },
        'hidden?': { ...references, description: 'What is not found by the text.' },
      },
      { additionalProperties: false },
    ),
    { maxItems: 1000, default: [], description: 'Resources that come first, or never, for a text.' },
  ),
  countSearches: {
    type: 'boolean',
    default: true,
    description: 'Whether the texts of searches are counted, for `GET /{projectKey}/searches`.',
  },
} satisfies Readonly<Record<string, JsonSchema>>;

export const searchSettingsDraftSchema: JsonSchema = {
  title: 'SearchSettingsDraft',
  type: 'object',
  properties: { version: expectedVersion, ...properties },
  additionalProperties: false,
};

export const searchSettingsSchema: JsonSchema = object('SearchSettings', { ...systemProperties, ...properties });

export const searchSettingsExample = {
  version: 1,
  match: 'auto',
  weights: { brand: 2 },
  excludedPaths: ['internalNote', 'supplier.remarks'],
  types: { shoeSize: 'plain' },
  synonyms: [
    { locale: 'en', words: ['sofa', 'couch', 'settee'] },
    { locale: 'en', from: ['tv'], to: ['television set'] },
  ],
  stopWords: { en: ['premium'] },
  boosts: [{ where: 'inStock = true', factor: 2 }],
  pins: [{ locale: 'en', text: 'sofa', pinned: ['key=sofa-1'], hidden: ['key=sofa-old'] }],
  countSearches: true,
} as const;

const accessProperties = {
  privatePaths: list(
    { type: 'string' },
    {
      maxItems: 100,
      default: [],
      description:
        'Paths of fields that tokens with view_published neither see nor search, filter, sort, group or count by, nor all below them.',
    },
  ),
} satisfies Readonly<Record<string, JsonSchema>>;

export const accessSettingsDraftSchema: JsonSchema = {
  title: 'AccessSettingsDraft',
  type: 'object',
  properties: { version: expectedVersion, ...accessProperties },
  additionalProperties: false,
};

export const accessSettingsSchema: JsonSchema = object('AccessSettings', { ...systemProperties, ...accessProperties });

export const accessSettingsExample = { version: 1, privatePaths: ['supplier', 'price.purchase'] } as const;
