import type { JsonObject, JsonValue } from '../contract/json.ts';
import { pathSyntax } from '../domain/json/path-syntax.ts';
import { isJsonArray, isJsonObject } from '../domain/json/values.ts';
import { maxViolations, type Violation } from '../domain/ports/schema.ts';
import { type Instance, valueAt } from './dialect.ts';

/** What does not fit a schema, for people: which field, what it has, and what would be right. */

interface Failing {
  /** The address of the keyword, or of a schema that is `false`. */
  readonly address: string;
  readonly instance: Instance;
}

interface Context {
  readonly ast: Readonly<Record<string, unknown>>;
  failing?: Failing[];
}

type KeywordNode = readonly [id: string, address: string, compiled: unknown];

/** Of these only that they fail is told: what fails within one alternative need not be wrong. */
const alternatives = /\/(?:anyOf|oneOf|not|contains|if)$/;

/** Collects the keywords that a document fails. */
export class Failures {
  readonly id = 'failures';
  #found: readonly Failing[] = [];

  get found(): readonly Failing[] {
    return this.#found;
  }

  afterKeyword(
    [, address]: KeywordNode,
    instance: Instance,
    context: Context,
    isValid: boolean,
    ofSchema: Context,
    keyword: { readonly simpleApplicator?: boolean },
  ): void {
    if (isValid) return;
    ofSchema.failing ??= [];
    const isOwn = !keyword.simpleApplicator || alternatives.test(address);
    if (isOwn) ofSchema.failing.push({ address, instance });
    // Too many for parameters of a call.
    else for (const each of context.failing ?? []) ofSchema.failing.push(each);
  }

  afterSchema(address: string, instance: Instance, context: Context, isValid: boolean): void {
    if (!isValid && context.ast[address] === false) {
      context.failing ??= [];
      context.failing.push({ address, instance });
    }
    this.#found = context.failing ?? [];
  }
}

/** The violations of what failed, each once. */
export function violationsOf(failures: readonly Failing[], schema: JsonObject): readonly Violation[] {
  const found = new Map<string, Violation>();
  for (const { address, instance } of failures) {
    const pointer = decodeURI(address.slice(address.indexOf('#') + 1));
    for (const violation of ofKeyword(pointer, instance, schema)) {
      found.set(`${violation.code} ${violation.field} ${violation.problem}`, violation);
      if (found.size === maxViolations) return [...found.values()];
    }
  }
  return [...found.values()];
}

function ofKeyword(pointer: string, instance: Instance, schema: JsonObject): readonly Violation[] {
  const keyword = pointer.slice(pointer.lastIndexOf('/') + 1);
  const given = valueAt(schema, pointer);
  const path = pathOf(instance);
  const field = fieldText(path);
  if (keyword === 'required' || keyword === 'dependentRequired') {
    const needed = keyword === 'required' ? (given as readonly string[]) : dependent(given, instance);
    const missing = needed.filter((name) => !Object.hasOwn(instance.value as JsonObject, name));
    return missing.map((name) => ({ code: 'RequiredField', field: fieldText([...path, name]), problem: 'missing' }));
  }
  const allowed = keyword === 'enum' ? (given as readonly JsonValue[]) : keyword === 'const' ? [given] : undefined;
  const allowedValues = allowed && allowed.length <= maxShownValues ? allowed : undefined;
  const problem = expectationOf(keyword, given);
  return [{ code: 'InvalidField', field, problem, invalidValue: shown(instance.value as JsonValue), allowedValues }];
}

function dependent(given: JsonValue, { value }: Instance): readonly string[] {
  const held = Object.entries(given as JsonObject).filter(([name]) => Object.hasOwn(value as JsonObject, name));
  return held.flatMap(([, names]) => names as readonly string[]);
}

/** Names, and positions in lists. */
function pathOf(instance: Instance): readonly (string | number)[] {
  const path: (string | number)[] = [];
  for (let node = instance; node.parent; node = node.parent) {
    const { type, children } = node.parent;
    if (type === 'array') path.unshift(children.indexOf(node));
    if (type === 'property') path.unshift(children[0]!.value as string);
  }
  return path;
}

/** Longer names are cut. */
const maxNameUnits = 64;

/** The path of a field as clients write it. */
function fieldText(path: readonly (string | number)[]): string {
  const isLong = (step: string | number) => typeof step === 'string' && step.length > maxNameUnits;
  return pathSyntax(path.map((step) => (isLong(step) ? `${(step as string).slice(0, maxNameUnits - 1)}…` : step)));
}

/** More values that are allowed are not listed. */
const maxShownValues = 100;

/** Longer values are not repeated to who sent them. */
const maxShownUnits = 200;

function shown(value: JsonValue): JsonValue | undefined {
  if (typeof value === 'string') return value.length > maxShownUnits ? undefined : value;
  return isJsonArray(value) || isJsonObject(value) ? undefined : value;
}

const types: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'an integer',
  null: 'null',
  number: 'a number',
  object: 'an object',
  string: 'a string',
};

/** What a keyword expects, by its value. */
const expectations: Readonly<Record<string, (given: string) => string>> = {
  minimum: (given) => `at least ${given}`,
  maximum: (given) => `at most ${given}`,
  exclusiveMinimum: (given) => `more than ${given}`,
  exclusiveMaximum: (given) => `less than ${given}`,
  multipleOf: (given) => `a multiple of ${given}`,
  minLength: (given) => `at least ${given} characters`,
  maxLength: (given) => `at most ${given} characters`,
  minItems: (given) => `at least ${given} items`,
  maxItems: (given) => `at most ${given} items`,
  minProperties: (given) => `at least ${given} fields`,
  maxProperties: (given) => `at most ${given} fields`,
  pattern: (given) => `a text that matches ${given}`,
  format: (given) => `a text of the format ${given}`,
  const: (given) => given,
  enum: (given) => `one of ${given}`,
  uniqueItems: () => 'different items',
  contains: () => 'a list with items as the schema says',
  anyOf: () => 'one of the alternatives of the schema',
  oneOf: () => 'exactly one of the alternatives of the schema',
  not: () => 'something that the schema does not exclude',
};

function expectationOf(keyword: string, given: JsonValue): string {
  if (keyword === 'type')
    return `expected ${[given]
      .flat()
      .map((type) => types[String(type)] ?? type)
      .join(' or ')}`;
  const expected = expectations[keyword];
  if (expected) return `expected ${expected(shortText(given))}`;
  return given === false ? 'the schema has no such field' : 'the schema does not allow it';
}

function shortText(value: JsonValue): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > maxShownUnits ? `${text.slice(0, maxShownUnits)}…` : text;
}
