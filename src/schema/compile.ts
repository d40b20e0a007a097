import {
  InvalidSchemaError,
  registerSchema,
  setMetaSchemaOutputFormat,
  unregisterSchema,
} from '@hyperjump/json-schema/draft-2020-12';
import { BASIC, compile, getSchema, interpret } from '@hyperjump/json-schema/experimental';
import { cons } from '@hyperjump/json-schema/instance/experimental';
import { invalidJson, ServiceError } from '../contract/errors.ts';
import type { JsonObject, JsonValue } from '../contract/json.ts';
import { isRawNumber, numberOf } from '../domain/json/number.ts';
import { isJsonArray, isJsonObject } from '../domain/json/values.ts';
import { type CompiledSchema, dataMembers, schemaMaps, type Violation } from '../domain/ports/schema.ts';
import { compilePattern, type Instance, originals } from './dialect.ts';
import { run, TooManySteps } from './steps.ts';
import { Failures, violationsOf } from './violations.ts';

const dialect = 'https://json-schema.org/draft/2020-12/schema';
/** Deeper schemas, and documents, are refused before. */
const maxDepth = 64;

setMetaSchemaOutputFormat(BASIC);

let compiled = 0;

/**
 * Compiles a schema of JSON Schema 2020-12. Rejects with 400 `InvalidJsonInput` where it is none, or refers to others; `name` is its path
 * in what was sent.
 */
export async function compileSchema(schema: JsonObject, name: string): Promise<CompiledSchema> {
  checkKeywords(schema, name);
  compiled += 1;
  const address = `urn:schema:${compiled}`;
  originals.set(address, schema);
  try {
    const { $schema: _, ...own } = withDoubles(schema) as JsonObject;
    registerSchema(own as never, address, dialect);
    const found = await compile(await getSchema(address));
    const validator = new Validator(schema, found);
    // One that refers to itself without end, or to what is not there, fails for any document.
    validator.violations({}, false);
    return validator;
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw invalidJson(`${name}: ${problemOf(error)}`);
  } finally {
    originals.delete(address);
    unregisterSchema(address);
  }
}

interface MetaOutput {
  readonly errors?: readonly { readonly instanceLocation: string }[];
}

function problemOf(error: unknown): string {
  if (error instanceof InvalidSchemaError) {
    const places = ((error.output as MetaOutput).errors ?? []).map(({ instanceLocation }) => instanceLocation);
    const deepest = places.sort((a, b) => b.length - a.length)[0] ?? '#';
    return `expected a schema of JSON Schema 2020-12; look at ${decodeURI(deepest.slice(deepest.indexOf('#')))}`;
  }
  return `expected a schema that can be applied, each $ref of which leads to a part of it: ${(error as Error).message}`;
}

class Validator implements CompiledSchema {
  readonly #schema: JsonObject;
  readonly #compiled: Awaited<ReturnType<typeof compile>>;

  constructor(schema: JsonObject, found: Awaited<ReturnType<typeof compile>>) {
    this.#schema = schema;
    this.#compiled = found;
  }

  violations(document: JsonObject, isPartial: boolean): readonly Violation[] {
    run.steps = 0;
    try {
      const instance = instanceOf(document) as never;
      // A draft that lacks nothing is judged as what is published.
      if (interpret(this.#compiled, instance).valid) return [];
      run.isPartial = isPartial;
      if (isPartial && interpret(this.#compiled, instance).valid) return [];
      const failures = new Failures();
      run.steps = 0;
      interpret(this.#compiled, instance, { plugins: [failures as never] });
      return violationsOf(failures.found, this.#schema);
    } catch (error) {
      const isEndless = error instanceof TooManySteps || error instanceof RangeError;
      const reason = isEndless
        ? 'its references, alternatives or expressions lead to too many others, or the document is too large for them'
        : (error as Error).message;
      throw new ServiceError('InvalidOperation', `The schema of the type cannot be applied: ${reason}.`);
    } finally {
      run.isPartial = false;
      run.steps = Number.NEGATIVE_INFINITY;
    }
  }
}

/** A node of the tree that the library goes through; it finds the place of a node by those above. */
function nodeOf(type: string, value: unknown, children: Instance[], parent: Instance | undefined): Instance {
  const of = [undefined, value, type, children, parent] as never as [string, never, never, never, never];
  return cons('', ...of) as never;
}

function instanceOf(value: JsonValue, parent?: Instance): Instance {
  const isNumber = typeof value === 'number' || isRawNumber(value);
  const type = isNumber ? 'number' : value === null ? 'null' : isJsonArray(value) ? 'array' : typeof value;
  const children: Instance[] = [];
  const node = nodeOf(type, value, children, parent);
  if (isJsonArray(value)) for (const item of value) children.push(instanceOf(item, node));
  else if (!isNumber && isJsonObject(value)) {
    for (const name of Object.keys(value)) {
      const members: Instance[] = [];
      const member = nodeOf('property', undefined, members, node);
      members.push(nodeOf('string', name, [], member), instanceOf(value[name]!, member));
      children.push(member);
    }
  }
  return node;
}

/** The schema with numbers as doubles: the library only asks whether they are numbers. */
function withDoubles(value: JsonValue): JsonValue {
  if (isRawNumber(value)) return Number(numberOf(value));
  if (isJsonArray(value)) return value.map(withDoubles);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withDoubles(member)]));
}

/** Instructions that the expressions of a schema may have together: each takes about 100 bytes, and a microsecond to compile. */
const maxInstructions = 10_000;

/** Refuses what the library would look for elsewhere, and expressions that cannot run in linear time. */
function checkKeywords(schema: JsonValue, path: string, depth = 0, patterned = { instructions: 0 }): void {
  const look = (inner: JsonValue, at: string) => checkKeywords(inner, at, depth + 1, patterned);
  if (depth > maxDepth) throw invalidJson(`${path}: expected at most ${maxDepth} levels`);
  if (isJsonArray(schema)) for (const [at, each] of schema.entries()) look(each, `${path}[${at}]`);
  if (!isJsonObject(schema) || isRawNumber(schema)) return;
  const { $schema = dialect, $ref, $dynamicRef, pattern, patternProperties } = schema;
  if ($schema !== dialect && $schema !== `${dialect}#`) throw invalidJson(`${path}.$schema: expected ${dialect}`);
  for (const [name, reference] of Object.entries({ $ref, $dynamicRef })) {
    if (reference === undefined || (typeof reference === 'string' && reference.startsWith('#'))) continue;
    throw invalidJson(`${path}.${name}: expected a reference within the schema, such as #/$defs/money`);
  }
  for (const name of ['$id', '$vocabulary']) {
    if (schema[name] !== undefined)
      throw invalidJson(`${path}.${name}: leave it out, since schemas have no addresses here`);
  }
  const check = (each: string, at: string) => {
    patterned.instructions += instructionsOf(each, at);
    if (patterned.instructions > maxInstructions) throw invalidJson(`${at}: expected shorter or fewer expressions`);
  };
  if (typeof pattern === 'string') check(pattern, `${path}.pattern`);
  const patterns = isJsonObject(patternProperties) ? Object.keys(patternProperties) : [];
  for (const each of patterns) check(each, `${path}.patternProperties`);
  for (const [name, member] of Object.entries(schema)) {
    if (dataMembers.has(name)) continue;
    if (!schemaMaps.has(name) || !isJsonObject(member)) look(member, `${path}.${name}`);
    else for (const [own, each] of Object.entries(member)) look(each, `${path}.${name}.${own}`);
  }
}

function instructionsOf(pattern: string, path: string): number {
  try {
    return compilePattern(pattern).programSize();
  } catch (error) {
    const { message } = error as Error;
    throw invalidJson(`${path}: expected an expression of RE2, without backreferences and lookarounds: ${message}`);
  }
}
