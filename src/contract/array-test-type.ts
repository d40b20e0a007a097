import {
  checkArray,
  checkInteger,
  checkObject,
  type Expectation,
  int32Expected,
  integerExpected,
  integerOf,
  isAbsent,
  type JsonNumber,
  type JsonSchema,
  mismatch,
  numberExpected,
  stringExpected,
} from './check.ts';
import { type JsonArray, type JsonObject, type JsonValue, list, object } from './json.ts';

/** The type of `objectTypeProperty`. All fields are optional, `null` is absent (decisions 8 and 9). */
export interface ArrayTestType {
  readonly arrayOfIntExample?: readonly JsonNumber[];
  readonly arrayOfUniqueIntExample?: readonly JsonNumber[];
  /** Exactly two. */
  readonly arrayOfTwonumbersExample?: readonly JsonNumber[];
  readonly arrayOfFloatExample?: readonly JsonNumber[];
  readonly arrayOfNumberNoDefaultsExample?: readonly JsonNumber[];
  readonly arrayOfStringExample?: readonly string[];
  readonly arrayOfObjectType?: readonly ArrayElement[];
}

export interface ArrayElement {
  /** 64 bits. */
  readonly integerExample?: JsonNumber;
  /** 32 bits. */
  readonly integerExampleInt32?: number;
}

type ItemsCheck = (items: JsonArray, path: string) => void;

/** The known fields in the order of responses, each with the check of its items. */
const itemChecks: ReadonlyMap<string, ItemsCheck> = new Map<keyof ArrayTestType, ItemsCheck>([
  ['arrayOfIntExample', each(integerExpected)],
  ['arrayOfUniqueIntExample', checkUniqueIntegers],
  ['arrayOfTwonumbersExample', checkTwoNumbers],
  ['arrayOfFloatExample', each(numberExpected)],
  ['arrayOfNumberNoDefaultsExample', each(numberExpected)],
  ['arrayOfStringExample', each(stringExpected)],
  ['arrayOfObjectType', checkArrayElements],
]);

/** Names of the seven arrays, in the order of responses. */
export const arrayTestTypeFields = [...itemChecks.keys()] as readonly (keyof ArrayTestType)[];

/** Checks the known fields of an `objectTypeProperty` (decision 9); unknown ones are the client's own. */
export function checkArrayTestType(value: JsonValue | undefined, path: string): JsonObject {
  const object = checkObject(value, path);
  for (const [name, checkItems] of itemChecks) {
    const items = Object.hasOwn(object, name) ? object[name] : undefined;
    if (!isAbsent(items)) checkItems(checkArray(items, `${path}.${name}`), `${path}.${name}`);
  }
  return object;
}

function each(expectation: Expectation): ItemsCheck {
  return (items, path) => {
    for (let i = 0; i < items.length; i += 1) {
      const problem = expectation(items[i]);
      if (problem !== undefined) throw mismatch(`${path}[${i}]`, problem);
    }
  };
}

function checkUniqueIntegers(items: JsonArray, path: string): void {
  each(integerExpected)(items, path);
  const indexes = new Map<bigint, number>();
  items.forEach((item, i) => {
    const integer = integerOf(item as JsonNumber);
    const first = indexes.get(integer);
    if (first !== undefined) throw mismatch(`${path}[${i}]`, `expected unique items; ${integer} is item ${first} too`);
    indexes.set(integer, i);
  });
}

function checkTwoNumbers(items: JsonArray, path: string): void {
  if (items.length !== 2) throw mismatch(path, `expected exactly two numbers, not ${items.length}`);
  each(numberExpected)(items, path);
}

function checkArrayElements(items: JsonArray, path: string): void {
  items.forEach((item, i) => {
    const { integerExample, integerExampleInt32 } = checkObject(item, `${path}[${i}]`);
    if (!isAbsent(integerExample)) checkInteger(integerExample, `${path}[${i}].integerExample`);
    const problem = isAbsent(integerExampleInt32) ? undefined : int32Expected(integerExampleInt32);
    if (problem !== undefined) throw mismatch(`${path}[${i}].integerExampleInt32`, problem);
  });
}

const int64Schema = { type: 'integer', format: 'int64' } as const;

const arrayElementSchema: JsonSchema = {
  title: 'ArrayElement',
  type: 'object',
  properties: {
    // In arrays `null` is kept as it was sent.
    integerExample: {
      type: ['integer', 'null'],
      format: 'int64',
      description: 'An integer of 64 bits; every digit is kept.',
    },
    integerExampleInt32: { type: ['integer', 'null'], format: 'int32', minimum: -2147483648, maximum: 2147483647 },
  },
  examples: [{ integerExample: 4611686018427388, integerExampleInt32: 2147483647 }],
};

export const arrayTestTypeExample = {
  arrayOfIntExample: [1, 1, 2, 3, 5, 8],
  arrayOfUniqueIntExample: [2, 4, 6],
  arrayOfTwonumbersExample: [0.5, 2],
  arrayOfFloatExample: [1.5, 2.25],
  arrayOfNumberNoDefaultsExample: [10, 10.5],
  arrayOfStringExample: ['red', 'green'],
  arrayOfObjectType: [{ integerExample: 4611686018427388, integerExampleInt32: 2147483647 }],
} as const;

const twoNumbersSchema = { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 } as const;

const arraySchemas: Record<keyof ArrayTestType, JsonSchema> = {
  arrayOfIntExample: list(int64Schema, { description: 'Integers; values may repeat.' }),
  arrayOfUniqueIntExample: list(int64Schema, { uniqueItems: true }),
  arrayOfTwonumbersExample: twoNumbersSchema,
  arrayOfFloatExample: list({ type: 'number' }),
  arrayOfNumberNoDefaultsExample: list({ type: 'number' }),
  arrayOfStringExample: list({ type: 'string' }),
  arrayOfObjectType: list(arrayElementSchema),
};

export const arrayTestTypeSchema: JsonSchema = {
  title: 'ArrayTestType',
  type: 'object',
  description: 'Seven arrays, all optional. Further fields are kept as they are.',
  properties: arraySchemas,
  additionalProperties: true,
  examples: [arrayTestTypeExample],
};

/** The response of E9: all seven arrays, empty where the resource has none (decision 19). */
export const allArraysSchema: JsonSchema = object(
  'AllArrays',
  {
    ...arraySchemas,
    arrayOfTwonumbersExample: { ...twoNumbersSchema, minItems: 0, description: 'Two numbers, or none.' },
  },
  {
    description: 'The seven arrays of a resource. An array that the resource does not have is empty.',
    additionalProperties: true,
    examples: [arrayTestTypeExample],
  },
);
