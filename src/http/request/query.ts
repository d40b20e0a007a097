import { malformedParameter, ServiceError } from '../../contract/errors.ts';
import type { Parameter, ParameterTable, QueryValue, QueryValues } from '../route.ts';
import { readObject, readScalar } from './query-value.ts';

/** Parameters of one request, counting repetitions. */
export const maxParameters = 250;

export const noQuery: QueryValues = new Map();

interface Family {
  readonly prefix: string;
  readonly parameter: Parameter;
}

/** A table of parameters, ready for look-ups by names that clients send. */
interface Names {
  readonly exact: ReadonlyMap<string, Parameter>;
  readonly families: readonly Family[];
  readonly known: string;
}

/** Values of one parameter as they were sent; `inside` those of its `name[member]` form. */
interface Sent {
  readonly parameter: Parameter;
  readonly values: string[];
  readonly inside: Map<string, string[]>;
}

const namesOf = new WeakMap<ParameterTable, Names>();

/**
 * Reads a query string (without `?`) by a table of parameters. Throws `ServiceError` `InvalidInput`: wrong
 * percent-encoding, a value of another type, a scalar sent twice, and with `strict` a name that the table lacks.
 */
export function parseQuery(raw: string, table: ParameterTable, strict: boolean): QueryValues {
  if (raw === '') return noQuery;
  const names = prepare(table);
  const sent = new Map<string, Sent>();
  for (const [name, value] of pairsOf(raw)) {
    if (!take(names, sent, name, value) && strict) {
      throw malformedParameter(name, `unknown parameter. Known are: ${names.known}`);
    }
  }
  const values = new Map<string, QueryValue>();
  for (const [name, one] of sent) values.set(name, readSent(name, one));
  return values;
}

function prepare(table: ParameterTable): Names {
  const ready = namesOf.get(table);
  if (ready) return ready;
  const all = Object.entries(table);
  const families = all.filter(([name]) => name.endsWith('*'));
  const names: Names = {
    exact: new Map(all.filter(([name]) => !name.endsWith('*'))),
    families: families.map(([name, parameter]) => ({ prefix: name.slice(0, -1), parameter })),
    known: all.map(([name]) => name).join(', ') || 'none',
  };
  namesOf.set(table, names);
  return names;
}

function* pairsOf(raw: string): Generator<readonly [string, string]> {
  const pieces = raw.split('&', maxParameters + 1).filter((piece) => piece !== '');
  if (pieces.length > maxParameters) {
    throw new ServiceError('InvalidInput', `The query has more than ${maxParameters} parameters.`);
  }
  for (const piece of pieces) {
    const equals = piece.indexOf('=');
    const name = decode(equals < 0 ? piece : piece.slice(0, equals));
    yield [name, equals < 0 ? '' : decode(piece.slice(equals + 1))];
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw malformedParameter(text, 'percent-encoded UTF-8 expected');
  }
}

/** Notes a value under its parameter; false where the table has none for the name. */
function take(names: Names, sent: Map<string, Sent>, name: string, value: string): boolean {
  const parameter = names.exact.get(name) ?? familyOf(names, name);
  if (parameter) {
    note(sent, name, parameter).values.push(value);
    return true;
  }
  const [, outer = '', member = ''] = /^([^[\]]+)\[([^[\]]+)\]$/.exec(name) ?? [];
  const object = names.exact.get(outer);
  if (object?.type !== 'object') return false;
  const { inside } = note(sent, outer, object);
  inside.set(member, [...(inside.get(member) ?? []), value]);
  return true;
}

function note(sent: Map<string, Sent>, name: string, parameter: Parameter): Sent {
  const one = sent.get(name) ?? { parameter, values: [], inside: new Map() };
  sent.set(name, one);
  return one;
}

/** A name that begins as a family's names do but is none of them is a typo, whether or not unknown names are ignored. */
function familyOf(names: Names, name: string): Parameter | undefined {
  const family = names.families.find(({ prefix }) => name.startsWith(prefix));
  if (!family) return undefined;
  const { pattern, names: known } = family.parameter;
  if (pattern && !pattern.test(name)) {
    throw malformedParameter(
      name,
      known ? `a name such as ${known} expected` : `a name that matches ${pattern.source} expected`,
    );
  }
  return family.parameter;
}

function readSent(name: string, { parameter, values, inside }: Sent): QueryValue {
  if (parameter.type === 'object') return readObject(name, values, inside);
  // The pattern of a family is for the name, and has been looked at.
  const own = parameter.pattern?.test(name) ? { ...parameter, pattern: undefined } : parameter;
  if (parameter.repeatable) {
    for (const value of values) readScalar(name, own, value);
    return values;
  }
  if (values.length > 1) throw malformedParameter(name, 'the parameter is given more than once');
  return readScalar(name, own, values[0] ?? '');
}
