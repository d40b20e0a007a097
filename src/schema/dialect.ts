import * as Browser from '@hyperjump/browser';
import '@hyperjump/json-schema/draft-2020-12';
import { addKeyword, canonicalUri, getKeyword, Validation } from '@hyperjump/json-schema/experimental';
import '@hyperjump/json-schema/formats-lite';
import { setShouldValidateFormat } from '@hyperjump/json-schema/draft-2020-12';
import { RE2JS } from 're2js';
import type { JsonObject, JsonValue } from '../contract/json.ts';
import { numberOf } from '../domain/json/number.ts';
import { isJsonArray, isJsonObject } from '../domain/json/values.ts';
import { run, spend, unitsInStep } from './steps.ts';

/**
 * JSON Schema 2020-12 by Hyperjump, with keywords of our own where schemas and documents are of strangers: expressions run in linear time,
 * numbers are compared digit by digit, names are never looked up in prototypes, nothing is fetched, and references cannot go round for ever.
 */

/** What a document is to the library: a value with its type, and its members. */
export interface Instance {
  readonly value: unknown;
  readonly type: string;
  readonly children: readonly Instance[];
  readonly parent?: Instance | undefined;
}

interface Context {
  readonly evaluatedProperties?: Set<string>;
  readonly ast: { readonly plugins: unknown };
}

type Compile = (schema: Browser.Browser, ast: never, parent: Browser.Browser) => unknown;
type Interpret = (compiled: never, instance: Instance, context: Context) => boolean;

for (const scheme of ['http', 'https', 'file']) Browser.removeUriSchemePlugin(scheme);
setShouldValidateFormat(true);

/** The schemas that are being compiled, by address, with all digits of their numbers. */
export const originals = new Map<string, JsonObject>();

/** The value of a keyword as the schema has it. */
function originalOf(schema: Browser.Browser): JsonValue {
  const uri = canonicalUri(schema as never);
  // Names in the pointer may have a # too.
  const end = uri.indexOf('#');
  const original = originals.get(uri.slice(0, end));
  return original ? valueAt(original, decodeURI(uri.slice(end + 1))) : Browser.value<JsonValue>(schema);
}

/** The value that a JSON pointer (RFC 6901) leads to; null where there is none. */
export function valueAt(value: JsonValue, pointer: string): JsonValue {
  let found: JsonValue | undefined = value;
  for (const escaped of pointer.split('/').slice(1)) {
    const name = escaped.replaceAll('~1', '/').replaceAll('~0', '~');
    found = isJsonArray(found) ? found[Number(name)] : isJsonObject(found) ? found[name] : undefined;
  }
  return found ?? null;
}

// Each schema that a value is held to costs steps: references go round, and an `if` is evaluated again for its `then` and `else`.
const holdTo = Validation.interpret as unknown as (address: string, instance: Instance, context: unknown) => boolean;
Object.assign(Validation, {
  interpret(address: string, instance: Instance, context: unknown) {
    const { type, value, children } = instance;
    spend(1 + (type === 'string' ? (value as string).length : children.length) / unitsInStep);
    return holdTo(address, instance, context);
  },
});

const keyword = (name: string) => `https://json-schema.org/keyword/${name}`;

/** How the library interprets a keyword. */
const interpretOf = (name: string) =>
  (getKeyword(keyword(name)) as unknown as { readonly interpret: Interpret }).interpret;

function replace(name: string, compile: Compile | undefined, interpret: Interpret): void {
  addKeyword({ ...(getKeyword(keyword(name)) as object), ...(compile && { compile }), interpret } as never);
}

/** Those of objects and arrays, which several keywords may compare. */
const comparables = new WeakMap<object, string>();

/** Equal for equal values, whatever the order of members and the form of numbers. */
function comparable(value: JsonValue): string {
  const number = numberOf(value);
  if (number !== undefined) return String(number);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const earlier = comparables.get(value);
  if (earlier !== undefined) return earlier;
  const text = isJsonArray(value) ? `[${value.map(comparable).join()}]` : comparableObject(value as JsonObject);
  comparables.set(value, text);
  return text;
}

function comparableObject(value: JsonObject): string {
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${comparable(value[name]!)}`).join()}}`;
}

/** The number of an instance; undefined for anything else. */
function numberIn({ type, value }: Instance): bigint | number | undefined {
  return type === 'number' ? numberOf(value as JsonValue) : undefined;
}

/** Compiles an expression; RE2 writes a character by its number otherwise. Throws where it is none. */
export function compilePattern(pattern: string): RE2JS {
  return RE2JS.compile(pattern.replace(/(?<!\\)((?:\\\\)*)\\u([0-9A-Fa-f]{4})/g, '$1\\x{$2}'));
}

/** True if a text has a match, in a time that is the product of its length and that of the expression. */
const matcher = (pattern: string) => {
  const compiled = compilePattern(pattern);
  const size = compiled.programSize();
  return (text: string) => {
    spend(((text.length + 1) * size) / unitsInStep);
    return compiled.matcher(text).find();
  };
};

/** Of a document the members are their names and values. */
const membersOf = ({ type, children }: Instance) =>
  type === 'object' ? children.map((member) => member.children as readonly [Instance, Instance]) : [];

const isOfType = (type: string, instance: Instance) => {
  if (type !== 'integer') return instance.type === type;
  const number = numberIn(instance);
  return typeof number === 'bigint' || Number.isInteger(number);
};

replace('type', undefined, ((types: string | readonly string[], instance) =>
  [types].flat().some((type) => isOfType(type, instance))) as Interpret);

const bounds: Readonly<Record<string, (value: bigint | number, bound: bigint | number) => boolean>> = {
  minimum: (value, bound) => value >= bound,
  maximum: (value, bound) => value <= bound,
  exclusiveMinimum: (value, bound) => value > bound,
  exclusiveMaximum: (value, bound) => value < bound,
  multipleOf: isMultiple,
};
for (const [name, holds] of Object.entries(bounds)) {
  replace(name, (schema) => numberOf(originalOf(schema)), ((bound: bigint | number, instance) => {
    const value = numberIn(instance);
    return value === undefined || holds(value, bound);
  }) as Interpret);
}

/** Decimals are divided as they are written: 0.3 is a multiple of 0.1. */
function isMultiple(value: bigint | number, of: bigint | number): boolean {
  if (typeof value === 'bigint' && typeof of === 'bigint') return value % of === 0n;
  const quotient = Number(value) / Number(of);
  return Number.isFinite(quotient) && Math.abs(quotient - Math.round(quotient)) <= Math.abs(quotient) * 1e-14;
}

replace(
  'const',
  (schema) => comparable(originalOf(schema)),
  ((wanted: string, { value }) => comparable(value as JsonValue) === wanted) as Interpret,
);
replace('enum', (schema) => new Set((originalOf(schema) as readonly JsonValue[]).map(comparable)), ((
  allowed: ReadonlySet<string>,
  { value },
) => allowed.has(comparable(value as JsonValue))) as Interpret);
replace('uniqueItems', undefined, ((isUnique: boolean, { type, value }) => {
  if (type !== 'array' || !isUnique) return true;
  const items = value as readonly JsonValue[];
  spend(items.length);
  return new Set(items.map(comparable)).size === items.length;
}) as Interpret);

replace(
  'pattern',
  (schema) => matcher(Browser.value(schema)),
  ((matches: (text: string) => boolean, instance) =>
    instance.type !== 'string' || matches(instance.value as string)) as Interpret,
);

/** Longer texts have no format: some expressions of formats need a time that is the square of the length. */
const maxFormatUnits = 1000;
const hasFormat = interpretOf('draft-2020-12/format');
replace('draft-2020-12/format', undefined, ((format: never, instance, context) => {
  if (instance.type !== 'string') return true;
  return (instance.value as string).length <= maxFormatUnits && hasFormat(format, instance, context);
}) as Interpret);

const interpretAt = (address: string, instance: Instance, context: Context) =>
  Validation.interpret(address as never, instance as never, context as never) as boolean;

const compileAt = async (schema: unknown, ast: never) =>
  (await Validation.compile(schema as never, ast, undefined as never)) as string;

async function compileMembers(schema: Browser.Browser, ast: never): Promise<Map<string, string>> {
  const compiled = new Map<string, string>();
  for await (const [name, member] of Browser.entries(schema)) {
    compiled.set(name, await compileAt(member, ast));
  }
  return compiled;
}

replace('properties', compileMembers, ((schemas: ReadonlyMap<string, string>, instance, context) => {
  let isValid = true;
  for (const [{ value }, member] of membersOf(instance)) {
    const name = value as string;
    const address = schemas.get(name);
    if (address === undefined) continue;
    if (!interpretAt(address, member, context)) isValid = false;
    context.evaluatedProperties?.add(name);
  }
  return isValid;
}) as Interpret);

type Patterned = readonly (readonly [matches: (text: string) => boolean, address: string])[];

async function compilePatterns(schema: Browser.Browser, ast: never): Promise<Patterned> {
  return [...(await compileMembers(schema, ast))].map(([pattern, address]) => [matcher(pattern), address]);
}

replace('patternProperties', compilePatterns, ((patterns: Patterned, instance, context) => {
  let isValid = true;
  for (const [matches, address] of patterns) {
    for (const [{ value }, member] of membersOf(instance)) {
      if (!matches(value as string)) continue;
      if (!interpretAt(address, member, context)) isValid = false;
      context.evaluatedProperties?.add(value as string);
    }
  }
  return isValid;
}) as Interpret);

interface Others {
  readonly names: ReadonlySet<string>;
  readonly patterns: readonly ((text: string) => boolean)[];
  readonly address: string;
}

async function compileOthers(schema: Browser.Browser, ast: never, parent: Browser.Browser): Promise<Others> {
  const { properties = {}, patternProperties = {} } = Browser.value<JsonObject>(parent);
  return {
    names: new Set(Object.keys(properties as JsonObject)),
    patterns: Object.keys(patternProperties as JsonObject).map(matcher),
    address: await compileAt(schema, ast),
  };
}

replace('additionalProperties', compileOthers, (({ names, patterns, address }: Others, instance, context) => {
  let isValid = true;
  for (const [{ value }, member] of membersOf(instance)) {
    const name = value as string;
    if (names.has(name) || patterns.some((matches) => matches(name))) continue;
    if (!interpretAt(address, member, context)) isValid = false;
    context.evaluatedProperties?.add(name);
  }
  return isValid;
}) as Interpret);

/** Each alternative may be the right one of a draft that lacks what tells them apart. */
const isOneOf = interpretOf('oneOf');
replace('oneOf', undefined, ((alternatives: readonly string[], instance, context) =>
  run.isPartial
    ? alternatives.filter((address) => interpretAt(address, instance, context)).length > 0
    : isOneOf(alternatives as never, instance, context)) as Interpret);

/** Whether a condition holds for what a document has now, also where it may lack fields. */
function holdsNow(address: string, instance: Instance, context: Context): boolean {
  const { isPartial } = run;
  run.isPartial = false;
  const holds = interpretAt(address, instance, context);
  run.isPartial = isPartial;
  return holds;
}

replace('not', undefined, ((address: string, instance, context) => !holdsNow(address, instance, context)) as Interpret);
for (const wanted of [true, false]) {
  replace(wanted ? 'then' : 'else', undefined, (([condition, branch]: readonly string[], instance, context) => {
    if (condition === undefined || branch === undefined) return true;
    const silent = { ...context, plugins: context.ast.plugins };
    return holdsNow(condition, instance, silent) !== wanted || interpretAt(branch, instance, context);
  }) as Interpret);
}

for (const name of ['dependentRequired', 'dependentSchemas']) {
  const interpret = interpretOf(name);
  replace(name, undefined, ((names: readonly unknown[], instance, context) => {
    spend(names.length);
    return interpret(names as never, instance, context);
  }) as Interpret);
}

/** What a draft that somebody works on need not have yet. */
for (const name of ['required', 'dependentRequired', 'minProperties']) {
  const interpret = interpretOf(name);
  replace(name, undefined, (compiled, instance, context) => run.isPartial || interpret(compiled, instance, context));
}
