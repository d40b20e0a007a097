import { arrayTestTypeExample, arrayTestTypeSchema, checkArrayTestType } from './array-test-type.ts';
import { agreedVersion, checkInteger, checkObject, checkString, isAbsent, type JsonSchema, mismatch } from './check.ts';
import { type JsonObject, type JsonValue, object } from './json.ts';

export type { ArrayElement, ArrayTestType } from './array-test-type.ts';
export { arrayTestTypeFields, arrayTestTypeSchema, checkArrayTestType } from './array-test-type.ts';
export type { JsonNumber } from './check.ts';

/** Fields that the service sets, in the order of responses (decision 8). The client's own fields follow them. */
const systemFields = [
  'id',
  'version',
  'key',
  'createdAt',
  'lastModifiedAt',
  'createdBy',
  'lastModifiedBy',
  'hasStagedChanges',
] as const;

/** `systemFields` as a set: no field of a client's own has one of these names. */
export const systemFieldNames: ReadonlySet<string> = new Set(systemFields);

/** A single resource in a response: system fields, the client's own fields, `objectTypeProperty` always (decision 8). */
export interface ObjectTestType extends JsonObject {
  readonly id: string;
  readonly version: number;
  readonly createdAt: string;
  readonly lastModifiedAt: string;
  readonly createdBy: JsonObject;
  readonly lastModifiedBy: JsonObject;
  readonly objectTypeProperty: JsonObject;
}

/** A body of E6, E7 or E8 after its checks. */
export interface Draft {
  readonly id: string | undefined;
  /** `null`: the draft removes the key. */
  readonly key: string | null | undefined;
  /** The version that the resource must have; 0 or absent for a new one (decision 10). */
  readonly version: bigint | undefined;
  /** The client's own fields; `null` where a field is to be absent. */
  readonly fields: JsonObject;
}

/**
 * Checks a draft (decisions 7–10). Unknown fields are kept as they are. The fields that only the service sets,
 * `createdAt` to `hasStagedChanges`, are ignored, so that a response can be sent back as a draft.
 */
export function checkDraft(value: JsonValue | undefined, versionInQuery?: bigint): Draft {
  const body = checkObject(value, '');
  const { id, key, version, objectTypeProperty } = body;
  if (!isAbsent(objectTypeProperty)) checkArrayTestType(objectTypeProperty, 'objectTypeProperty');
  const fields: [string, JsonValue][] = [];
  for (const field of Object.entries(body)) if (!systemFieldNames.has(field[0])) fields.push(field);
  return {
    id: isAbsent(id) ? undefined : checkId(id, 'id'),
    key: isAbsent(key) ? key : checkKey(key, 'key'),
    version: agreedVersion(isAbsent(version) ? undefined : checkVersion(version), versionInQuery),
    fields: Object.fromEntries(fields),
  };
}

/** Segments after `/resource/` that are endpoints of their own: no id can be one of them (decision 7). */
const literalSegments: ReadonlySet<string> = new Set([
  'searchApiPattern',
  'sorted-query-parameters',
  'suggestions',
  'artificially-complex',
  'images',
  'deleted',
  'namespace-action',
  'namespace-action-with-example',
  'namespace-action-with-headers',
  'json-serializable-primitive-type',
  'batch',
  'import',
  'export',
]);

/** An id that a client chose (decision 7). */
export function checkId(value: JsonValue | undefined, path: string): string {
  const id = checkKey(value, path);
  if (id === '.' || id === '..') throw mismatch(path, 'expected an id other than "." and ".."');
  if (id.startsWith('key=')) throw mismatch(path, 'expected an id that does not begin with key=');
  if (literalSegments.has(id)) throw mismatch(path, `${id} is the name of an endpoint; choose another id`);
  return id;
}

/** A key (decision 7), or any text that is as short: 1 to 256 characters (code points), none of them a control character. */
export function checkKey(value: JsonValue | undefined, path: string): string {
  const text = checkString(value, path);
  // At most two code units make a character, so that a long text need not be counted.
  const fits = text !== '' && text.length <= 512 && (text.length <= 256 || [...text].length <= 256);
  if (!fits) throw mismatch(path, 'expected a string of 1 to 256 characters');
  if (/\p{Cc}/u.test(text)) throw mismatch(path, 'expected a string without control characters');
  return text;
}

function checkVersion(value: JsonValue): bigint {
  const version = checkInteger(value, 'version');
  if (version < 0n) throw mismatch('version', 'expected an integer of at least 0');
  return version;
}

export const authorSchema: JsonSchema = {
  title: 'Author',
  type: 'object',
  description: 'The client of the token, and `X-External-User-ID` where it was sent.',
  properties: {
    clientId: { type: 'string' },
    name: {
      type: 'string',
      description:
        'The name that the client has now. In histories, events, exports and lists of deleted resources, for readers with the scope `manage_api_clients`.',
    },
    externalUserId: { type: 'string' },
  },
  additionalProperties: true,
};
/** What `checkKey` accepts, as a schema: no control characters, spelled without a class of Unicode. */
export const shortTextSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 256,
  pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]+$',
} as const;
const idSchema = shortTextSchema;
const keySchema = { ...idSchema, description: 'Chosen by the client, unique in the project.' } as const;
const instantSchema = { type: 'string', format: 'date-time' } as const;

export const objectTestTypeSchema: JsonSchema = object(
  'Resource',
  {
    id: { ...idSchema, description: 'A UUID, unless the client chose another text.' },
    version: { type: 'integer', format: 'int64', minimum: 1, description: 'Rises with every change.' },
    'key?': keySchema,
    createdAt: instantSchema,
    lastModifiedAt: instantSchema,
    createdBy: authorSchema,
    lastModifiedBy: authorSchema,
    objectTypeProperty: arrayTestTypeSchema,
    'hasStagedChanges?': { type: 'boolean', description: 'True, and only present, where staged changes wait.' },
  },
  {
    description: 'A resource: system fields, then the fields that the client sent.',
    additionalProperties: true,
    examples: [
      {
        id: '0197f3c2-6d10-7a53-9c41-2f6b8e0d9a11',
        version: 3,
        key: 'summer-sale',
        createdAt: '2026-05-04T09:12:33.120Z',
        lastModifiedAt: '2026-05-05T17:40:02.009Z',
        createdBy: { clientId: 'my-shop.importer' },
        lastModifiedBy: { clientId: 'my-shop.importer', externalUserId: 'jane' },
        name: { en: 'Summer sale' },
        objectTypeProperty: arrayTestTypeExample,
      },
    ],
  },
);

const { required: _, ...selected } = objectTestTypeSchema;

/** The response of reads with `fields`: only `id` and `version` are always present. */
export const selectedResourceSchema: JsonSchema = {
  ...selected,
  title: 'SelectedResource',
  description: 'A resource, or with `fields` only its `id`, `version`, `key` and the fields asked for.',
  required: ['id', 'version'],
};

export const objectTestTypeDraftSchema: JsonSchema = {
  title: 'ResourceDraft',
  type: 'object',
  description: 'All fields are optional, `null` is absent. Further fields are kept as they are.',
  properties: {
    id: { ...idSchema, description: 'The resource to write; a new one gets a UUID where it is absent.' },
    key: {
      ...keySchema,
      type: ['string', 'null'],
      description: 'Chosen by the client, unique in the project. `null` removes it.',
    },
    version: {
      type: 'integer',
      format: 'int64',
      minimum: 0,
      description: 'The version that must be current; 0 for a new one.',
    },
    objectTypeProperty: arrayTestTypeSchema,
  },
  additionalProperties: true,
  examples: [{ key: 'summer-sale', name: { en: 'Summer sale' }, objectTypeProperty: arrayTestTypeExample }],
};
