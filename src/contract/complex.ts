import { checkArrayTestType } from './array-test-type.ts';
import {
  checkInteger,
  checkObject,
  checkString,
  integerExpected,
  isAbsent,
  type JsonSchema,
  mismatch,
} from './check.ts';
import { type JsonObject, type JsonValue, object, text } from './json.ts';
import { checkId, checkKey, shortTextSchema, systemFieldNames } from './resource.ts';

export type ComplexDraft = ReturnType<typeof checkComplexDraft>;

/** Plain string properties. `twelthProperty` is spelt as clients know it; the correct spelling is accepted as well. */
const stringProperties = [
  'custom',
  'eigthProperty',
  'ninthProperty',
  'tenthProperty',
  'eleventhPropery',
  'twelthProperty',
  'twelfthProperty',
  'thirteenthProperty',
  'fourteenthProperty',
  'fifteenthProperty',
] as const;

/**
 * Checks a body of E9 (decision 19): the known properties by their types; unknown ones are kept as they are. `null` is absent.
 * Times are checked by the domain, which defines instants.
 */
export function checkComplexDraft(value: JsonValue | undefined) {
  const body = checkObject(value, '');
  const { id, key, version, createdAt, lastModifiedAt, createdBy, lastModifiedBy, objectTypeProperty } = body;
  for (const name of stringProperties) if (!isAbsent(body[name])) checkString(body[name], name);
  if (!isAbsent(objectTypeProperty)) checkArrayTestType(objectTypeProperty, 'objectTypeProperty');
  return {
    id: isAbsent(id) ? undefined : checkId(id, 'id'),
    key: isAbsent(key) ? key : checkKey(key, 'key'),
    /** Any text; one that is a decimal integer is the expected version. */
    version: isAbsent(version) ? undefined : checkVersionText(version),
    createdAt: isAbsent(createdAt) ? undefined : checkString(createdAt, 'createdAt'),
    lastModifiedAt: isAbsent(lastModifiedAt) ? undefined : checkString(lastModifiedAt, 'lastModifiedAt'),
    createdBy: isAbsent(createdBy) ? undefined : checkPerson(createdBy, 'createdBy'),
    lastModifiedBy: isAbsent(lastModifiedBy) ? undefined : checkPerson(lastModifiedBy, 'lastModifiedBy'),
    /** All other fields, known and unknown. */
    fields: Object.fromEntries(Object.entries(body).filter(([name]) => !systemFieldNames.has(name))),
  };
}

/** SDKs that know versions as numbers send one; it means the same as its digits. */
function checkVersionText(version: JsonValue): string {
  if (typeof version === 'string') return version;
  if (integerExpected(version) !== undefined) throw mismatch('version', 'expected a string or an integer');
  return String(checkInteger(version, 'version'));
}

function checkPerson(value: JsonValue, path: string): JsonObject {
  const person = checkObject(value, path);
  if (!isAbsent(person.firstName)) checkString(person.firstName, `${path}.firstName`);
  if (!isAbsent(person.lastName)) checkString(person.lastName, `${path}.lastName`);
  return person;
}

const instantSchema = { type: 'string', format: 'date-time' } as const;
const personSchema = object('Person', { 'firstName?': { type: 'string' }, 'lastName?': { type: 'string' } });

export const complexSchema: JsonSchema = {
  title: 'OutOfOrderPropertiesTestType',
  type: 'object',
  description: 'All properties are optional; further ones are kept as they are.',
  properties: {
    id: { ...shortTextSchema, description: 'The resource to write.' },
    version: text('The digits of an integer are the expected version; other texts become externalVersion.'),
    key: { ...shortTextSchema, description: 'The resource to write where there is no id.' },
    createdAt: instantSchema,
    lastModifiedAt: instantSchema,
    createdBy: personSchema,
    lastModifiedBy: personSchema,
    ...Object.fromEntries(stringProperties.map((name) => [name, { type: 'string' }])),
  },
  additionalProperties: true,
  examples: [
    {
      key: 'box [blue]',
      version: 'spring-draft',
      createdAt: '2026-03-01T08:00:00.000Z',
      createdBy: { firstName: 'Ada', lastName: 'Jones' },
      custom: 'gift wrap',
      eigthProperty: 'eight',
    },
  ],
};
