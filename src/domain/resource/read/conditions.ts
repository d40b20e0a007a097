import { integerExpected, isAbsent } from '../../../contract/check.ts';
import { malformedParameter, ServiceError } from '../../../contract/errors.ts';
import type { JsonObject, JsonValue } from '../../../contract/json.ts';
import { canonicalInstant } from '../../instant.ts';
import { exactNumber, numberForm, parseNumber } from '../../json/number.ts';
import { parseJson } from '../../json/parse.ts';
import { isJsonArray, isJsonObject } from '../../json/values.ts';
import { type ParameterValue, type ParameterValues, textsOf, variablesOf } from '../../paging.ts';
import { containing, type Path, type Predicate } from '../../predicate/ast.ts';
import { maxListItems } from '../../predicate/literals.ts';
import { parsePredicate } from '../../predicate/parse.ts';
import { containment } from './containment.ts';

/**
 * The parameters of lists and of the existence check as predicates (decisions 17 and 18).
 *
 * An empty text is a value like any other, not a missing parameter: a variable that a client forgot to fill must not
 * list everything. Only an empty list or object inside JSON is no condition.
 */

/** Defaults of the existence check. A parameter with its default is no condition there. */
export const existenceDefaults = {
  stringParameter: 'test',
  booleanParameter: false,
  floatParameter: 10,
  integerParameter: 5,
  withMarkdownDescription: 1500,
} as const;

type Defaults = Readonly<Record<string, string | number | boolean>>;
type Condition = (value: ParameterValue, values: ParameterValues) => readonly Predicate[];

const ofArrayTestType = (name: string): Path => ['objectTypeProperty', name];
const strings = ofArrayTestType('arrayOfStringExample');
const integers = [ofArrayTestType('arrayOfIntExample'), ofArrayTestType('arrayOfUniqueIntExample')];
const floats = [ofArrayTestType('arrayOfFloatExample')];
const numbers = [ofArrayTestType('arrayOfNumberNoDefaultsExample')];
const numericArrays = [...integers, ofArrayTestType('arrayOfTwonumbersExample'), ...floats, ...numbers];

const conditionTable: ReadonlyMap<string, Condition> = new Map<string, Condition>([
  ['stringParameter', (value, values) => [predicateOrWord(textIn('stringParameter', value), values)]],
  ['booleanParameter', (value) => (value === true ? [hasStagedChanges] : [])],
  ['integerParameter', (value) => [equalsAny(integers, integerIn('integerParameter', value))]],
  ['floatParameter', (value) => [equalsAny(floats, numberIn('floatParameter', value))]],
  ['withMarkdownDescription', (value) => [equalsAny(numbers, numberIn('withMarkdownDescription', value))]],
  ['arrayOfString', (_, values) => containsStrings('arrayOfString', 'all', textsOf(values, 'arrayOfString'))],
  [
    'arrayOfStringWithDescription',
    (_, values) =>
      containsStrings('arrayOfStringWithDescription', 'any', textsOf(values, 'arrayOfStringWithDescription')),
  ],
  ['objectParameter', (value) => objectCondition(value)],
  ['unionParameter', (value) => unionCondition(textIn('unionParameter', value))],
]);

/** The predicates of the parameters, all of which must hold. A parameter with its default has none. */
export function parseConditions(values: ParameterValues, defaults: Defaults = {}): readonly Predicate[] {
  const predicates: Predicate[] = [];
  for (const [name, condition] of conditionTable) {
    const value = values.get(name);
    if (value !== undefined && !isDefault(name, value, defaults)) predicates.push(...condition(value, values));
  }
  return predicates;
}

function isDefault(name: string, value: ParameterValue, defaults: Defaults): boolean {
  const byDefault = defaults[name];
  return typeof byDefault === 'number' ? numberIn(name, value) === exactNumber(byDefault) : value === byDefault;
}

const hasStagedChanges: Predicate = {
  kind: 'compare',
  path: ['hasStagedChanges'],
  op: '=',
  value: { type: 'boolean', value: true },
};

function predicateOrWord(text: string, values: ParameterValues): Predicate {
  try {
    return parsePredicate(text, { variables: variablesOf(values), parameter: 'stringParameter' });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { kind: 'compare', path: strings, op: '=', value: { type: 'string', value: text } };
  }
}

function containsStrings(name: string, mode: 'all' | 'any', texts: readonly string[]): readonly Predicate[] {
  if (texts.length > maxListItems) throw malformedParameter(name, `expected at most ${maxListItems} strings`);
  if (texts.length === 0) return [];
  const values = texts.map((value) => ({ type: 'string' as const, value }));
  return [containing(strings, mode, values)];
}

const objectMembers = new Map<string, 'all' | 'any'>([
  ['arrayOfString', 'all'],
  ['arrayOfStringWithDescription', 'any'],
]);
const objectExpected = `expected an object with ${[...objectMembers.keys()].join(' and ')}`;

function objectCondition(value: ParameterValue): readonly Predicate[] {
  if (typeof value !== 'object' || Array.isArray(value)) throw malformedParameter('objectParameter', objectExpected);
  return Object.entries(value as JsonObject).flatMap(([name, member]) => {
    const mode = objectMembers.get(name);
    if (mode === undefined) throw malformedParameter('objectParameter', `${objectExpected}, not ${name}`);
    return member === null ? [] : containsStrings('objectParameter', mode, memberTexts(name, member));
  });
}

function memberTexts(name: string, member: JsonValue): readonly string[] {
  const isTexts = isJsonArray(member) && member.every((item) => typeof item === 'string');
  if (!isTexts) throw malformedParameter('objectParameter', `${name}: expected an array of strings`);
  return member as readonly string[];
}

function unionCondition(text: string): readonly Predicate[] {
  if (numberForm.test(text)) return [equalsAny(numericArrays, numberIn('unionParameter', text))];
  if (canonicalInstant(text) !== undefined) return [notBefore(text)];
  const object = parseObject(text);
  checkKnownFields(object);
  return containment(object, 'unionParameter');
}

/** A value of another type would match no resource, which looks like an empty project. */
function checkKnownFields({ version, objectTypeProperty }: JsonObject): void {
  if (!isAbsent(version) && integerExpected(version) !== undefined) {
    throw malformedParameter('unionParameter', 'version: expected an integer');
  }
  if (!isAbsent(objectTypeProperty) && !isJsonObject(objectTypeProperty)) {
    throw malformedParameter('unionParameter', 'objectTypeProperty: expected an object');
  }
}

function notBefore(text: string): Predicate {
  return { kind: 'compare', path: ['lastModifiedAt'], op: '>=', value: { type: 'string', value: text } };
}

function parseObject(text: string): JsonObject {
  const expected = 'expected a number, an ISO 8601 date-time (with + written as %2B) or a JSON object';
  if (!text.trimStart().startsWith('{')) throw malformedParameter('unionParameter', expected);
  try {
    return parseJson(text) as JsonObject;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const detail = error.details.detailedErrorMessage ?? error.message;
    throw malformedParameter('unionParameter', `${expected}: ${detail}`);
  }
}

function equalsAny(paths: readonly Path[], value: bigint | number): Predicate {
  const of = paths.map((path): Predicate => ({ kind: 'compare', path, op: '=', value: { type: 'number', value } }));
  return of.length === 1 ? of[0]! : { kind: 'or', of };
}

function textIn(name: string, value: ParameterValue): string {
  if (typeof value === 'string') return value;
  throw malformedParameter(name, 'expected a string');
}

/** The exact value of a number, which may be written as a text; 400 if it is not a finite number. */
function numberIn(name: string, value: ParameterValue): bigint | number {
  const number = typeof value === 'string' && numberForm.test(value) ? parseNumber(value) : value;
  if (typeof number === 'bigint') return number;
  if (typeof number === 'number' && Number.isFinite(number)) return exactNumber(number);
  throw malformedParameter(name, 'expected a finite number');
}

function integerIn(name: string, value: ParameterValue): bigint {
  const number = numberIn(name, value);
  if (typeof number === 'bigint') return number;
  throw malformedParameter(name, 'expected a 64-bit integer');
}
