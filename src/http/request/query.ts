import { malformedParameter, ServiceError } from '../../contract/errors.ts';
import type { JsonObject, JsonValue } from '../../contract/json.ts';
import { parseNumber } from '../../domain/json/number.ts';
import { parseJson } from '../../domain/json/parse.ts';
import { isJsonObject } from '../../domain/json/values.ts';
import type { Parameter, ParameterTable, QueryValue, QueryValues } from '../route.ts';
import { nearestName } from './nearest-name.ts';

/** Parameters in a URL, counting repetitions. */
const maxParameters = 250;

/** In a form, for queries that are too long for a URL (decision 109): the most items of a list as the values of a variable, and some more. */
const maxFormParameters = 1000;

export const noQuery: QueryValues = new Map();

/** A table of parameters, prepared for look-ups by the names that clients send. */
type QueryParameters = ReturnType<typeof prepareParameters>;

/** The values that were sent for one parameter; `members` are those of the form `name[member]=value`. */
interface Sent {
  readonly parameter: Parameter;
  readonly values: string[];
  readonly members: Map<string, string[]>;
}

/** Prepares a table of parameters. */
export function prepareParameters(table: ParameterTable) {
  const exact = new Map<string, Parameter>();
  /** Families by the prefix of their names: `var.` for `var.*`. */
  const families: [prefix: string, parameter: Parameter][] = [];
  for (const [name, parameter] of Object.entries(table)) {
    if (name.endsWith('*')) families.push([name.slice(0, -1), parameter]);
    else exact.set(name, parameter);
  }
  /** For messages. */
  const names = Object.keys(table).filter((name) => hasEffect(table[name]!));
  return { exact, families, names };
}

/** Clients need to know only these parameters of a table. */
export function hasEffect({ ignored, elsewhere }: Parameter): boolean {
  return !ignored && elsewhere === undefined;
}

/**
 * Parses a query string (without `?`). Throws `ServiceError` `InvalidInput` for malformed percent-encoding, a value of
 * the wrong type, a scalar sent twice, too many parameters, a parameter that another endpoint has, and an unknown name.
 */
export function parseQuery(raw: string, parameters: QueryParameters, most = maxParameters): QueryValues {
  const sent = new Map<string, Sent>();
  let count = 0;
  for (const pair of raw.split('&')) {
    if (pair === '') continue;
    count += 1;
    if (count > most) {
      throw new ServiceError('InvalidInput', `The query has more than ${most} parameters.`);
    }
    const equals = pair.indexOf('=');
    const name = dottedName(parameters, decode(equals < 0 ? pair : pair.slice(0, equals)));
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1));
    const parameter = parameters.exact.get(name) ?? findFamily(parameters, name);
    if (parameter) sentFor(sent, name, parameter).values.push(value);
    else if (!addMember(parameters, sent, name, value)) throw unknownParameter(name, parameters);
  }
  const values = new Map<string, QueryValue>();
  for (const [name, found] of sent) values.set(name, readValue(name, found, !parameters.exact.has(name)));
  return values;
}

/** The parameters of the URL and of a form together. One that is not repeatable may be in only one of the two. */
export function parseForm(inUrl: string, bytes: Uint8Array, parameters: QueryParameters): QueryValues {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return parseQuery(`${inUrl}&${text}`, parameters, maxFormParameters);
  } catch (error) {
    throw error instanceof TypeError ? malformedParameter('form', 'expected UTF-8') : error;
  }
}

/** A misspelled name gets the right one, any other the whole list (decision 96). */
function unknownParameter(name: string, { names }: QueryParameters): ServiceError {
  const nearest = nearestName(name, names);
  const advice = nearest === undefined ? '' : `; did you mean \`${nearest}\`?`;
  const shown = name.length > 64 ? `${name.slice(0, 63)}…` : name;
  return malformedParameter(shown, `unknown parameter${advice || '.'} Known parameters: ${names.join(', ') || 'none'}`);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw malformedParameter(text, 'expected percent-encoded UTF-8');
  }
}

/** `text.en` for `text[en]` (decision 108): generated clients put the members of an object in brackets. */
function dottedName({ families }: QueryParameters, name: string): string {
  if (!name.endsWith(']')) return name;
  const bracket = name.indexOf('[');
  const prefix = `${name.slice(0, bracket)}.`;
  const isFamily = bracket > 0 && families.some(([known]) => known === prefix);
  return isFamily ? prefix + name.slice(bracket + 1, -1) : name;
}

function sentFor(sent: Map<string, Sent>, name: string, parameter: Parameter): Sent {
  if (parameter.elsewhere !== undefined) throw malformedParameter(name, parameter.elsewhere);
  let found = sent.get(name);
  if (!found) {
    found = { parameter, values: [], members: new Map() };
    sent.set(name, found);
  }
  return found;
}

/** Adds a value sent as `name[member]=value`. Returns false if there is no such object parameter. */
function addMember({ exact }: QueryParameters, sent: Map<string, Sent>, name: string, value: string): boolean {
  const [, outer = '', member = ''] = /^([^[\]]+)\[([^[\]]+)\]$/.exec(name) ?? [];
  const parameter = exact.get(outer);
  if (parameter?.type !== 'object') return false;
  const { members } = sentFor(sent, outer, parameter);
  members.set(member, [...(members.get(member) ?? []), value]);
  return true;
}

/** The family that a name belongs to. Refuses a name with the prefix of a family that does not match its pattern. */
function findFamily({ families }: QueryParameters, name: string): Parameter | undefined {
  for (const [prefix, parameter] of families) {
    if (!name.startsWith(prefix)) continue;
    const { pattern, names } = parameter;
    if (!pattern || pattern.test(name)) return parameter;
    const nearest = parameter.nearest?.(name);
    const advice = nearest === undefined ? '' : `; did you mean \`${nearest}\`?`;
    const expected = names ? `such as ${names}` : `that matches ${pattern.source}`;
    throw malformedParameter(name, `expected a name ${expected}${advice}`);
  }
  return undefined;
}

function readValue(name: string, { parameter, values, members }: Sent, isOfFamily: boolean): QueryValue {
  if (parameter.type === 'object') return readObject(name, values, members);
  // The pattern of a family is for the name, which was checked already.
  const checked = isOfFamily ? { ...parameter, pattern: undefined } : parameter;
  if (parameter.repeatable) {
    for (const value of values) readScalar(name, checked, value);
    return values;
  }
  if (values.length > 1) throw malformedParameter(name, 'the parameter was sent more than once');
  return readScalar(name, checked, values[0] ?? '');
}

/** The part of a parameter's definition that its values are checked against. */
type Check = Omit<Parameter, 'description' | 'pattern'> & { readonly pattern?: RegExp | undefined };

/** The grammar of a JSON number: no plus sign, spaces, hexadecimal digits or names (RFC 8259 §6). */
const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Reads one value of a scalar parameter. Throws `ServiceError` `InvalidInput`, which says what is expected. */
function readScalar(name: string, check: Check, text: string): string | number | boolean {
  switch (check.type) {
    case 'boolean':
      if (text !== 'true' && text !== 'false') throw malformedParameter(name, 'expected true or false');
      return text === 'true';
    case 'number':
    case 'integer':
      return readNumber(name, check, text);
    case 'string':
    case 'object':
      if (check.words && !check.words.includes(text)) {
        throw malformedParameter(name, `expected ${check.words.join(' or ')}`);
      }
      if (check.pattern && !check.pattern.test(text)) {
        throw malformedParameter(name, `expected ${check.form ?? `text that matches ${check.pattern.source}`}`);
      }
      return text;
    default:
      check.type satisfies never;
      return text;
  }
}

function readNumber(name: string, check: Check, text: string): string | number {
  const { type, minimum = -Infinity, maximum = Infinity } = check;
  // 7.0 is the integer 7, and must not become a double on the way (decision 5).
  const digits = type === 'integer' ? text.replace(/^(-?\d+)\.0+$/, '$1') : text;
  const value = jsonNumber.test(digits) ? Number(digits) : Number.NaN;
  const isValid = type === 'integer' ? isInteger(digits) : Number.isFinite(value);
  if (!isValid || !(value >= minimum && value <= maximum)) {
    const beyond = value > maximum && check.beyond !== undefined ? `; ${check.beyond}` : '';
    throw malformedParameter(name, `expected ${expected(check)}${beyond}`);
  }
  return check.exact ? digits : value;
}

/** A 64-bit integer in digits, or a number with an exponent that is exactly an integer. */
function isInteger(digits: string): boolean {
  if (/^-?\d+$/.test(digits)) return typeof parseNumber(digits) === 'bigint';
  return /e/i.test(digits) && Number.isSafeInteger(Number(digits));
}

function expected({ type, minimum, maximum }: Check): string {
  const noun = type === 'integer' ? 'an integer' : 'a number';
  if (minimum !== undefined && maximum !== undefined) return `${noun} from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return `${noun} of at least ${minimum}`;
  return maximum === undefined ? noun : `${noun} of at most ${maximum}`;
}

/** Reads an object parameter, sent as JSON or as `name[member]=value` pairs, whose members are lists of strings. */
function readObject(
  name: string,
  values: readonly string[],
  members: ReadonlyMap<string, readonly string[]>,
): JsonObject {
  if (values.length + Math.min(members.size, 1) > 1) {
    throw malformedParameter(name, 'expected one JSON object, or members in brackets; not both, and not twice');
  }
  if (values[0] === undefined) return Object.fromEntries(members);
  const value = parse(name, values[0]);
  if (isJsonObject(value)) return value;
  throw malformedParameter(name, 'expected a JSON object');
}

function parse(name: string, text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof ServiceError) throw malformedParameter(name, 'expected a JSON object');
    throw error;
  }
}
