import { malformedParameter } from '../contract/errors.ts';
import type { JsonObject } from '../contract/json.ts';
import { beginsWithIndex, namesAtStart, noIndex, pathSyntax } from './json/path-syntax.ts';
import type { SortTerm } from './ports/list-query.ts';
import { type Predicate, partsOf } from './predicate/ast.ts';
import { maxPredicateBytes, parsePredicate } from './predicate/parse.ts';

/** The parameters that all lists share: which part of a list to return, and in what order (decision 16). */

/** Query parameters of lists: parsed, by name, repeatable ones as arrays. */
export type ParameterValues = ReadonlyMap<string, ParameterValue>;
export type ParameterValue = string | number | boolean | JsonObject | readonly string[];

export const defaultLimit = 20;
export const maxLimit = 500;
export const maxOffset = 10_000;
/** A list stops counting here by default (decision 99): `offset` cannot reach further matches. */
export const maxCounted = maxOffset;
const maxSortTerms = 10;
/** Limit for all predicates of a request together, so that a short form cannot stand for a long query. */
const maxValues = 10_000;
export const maxPathNames = 32;

/** Names of the family `var.*`, the input variables of predicates. */
export const variableForm = /^var[.][a-zA-Z0-9]+$/;

export interface Paging {
  /** 0–500 */
  readonly limit: number;
  /** 0–10,000 */
  readonly offset: number;
  readonly withTotal: boolean;
}

/** Reads `limit`, `offset` and `withTotal`; 400 outside the bounds. A page behind a cursor counts only if it is asked to. */
export function parsePaging(values: ParameterValues): Paging {
  return {
    limit: wholeNumber(values, 'limit', defaultLimit, maxLimit),
    offset: wholeNumber(values, 'offset', 0, maxOffset),
    withTotal: values.has('cursor') ? values.get('withTotal') === true : values.get('withTotal') !== false,
  };
}

// The interface calls both numbers, so 20.0 is 20; 2.5 is refused.
function wholeNumber(values: ParameterValues, name: string, byDefault: number, max: number): number {
  const value = values.get(name) ?? byDefault;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max) return value;
  throw malformedParameter(name, `expected an integer from 0 to ${max}`);
}

/** The texts of a repeatable parameter, in order; empty where it was not sent. */
export function textsOf(values: ParameterValues, name: string): readonly string[] {
  const value = values.get(name);
  if (value === undefined) return [];
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value as readonly string[];
  throw malformedParameter(name, 'expected a string');
}

/** The input variables that were sent: name without `var.` → texts in order. */
export function variablesOf(values: ParameterValues): ReadonlyMap<string, readonly string[]> {
  const variables = new Map<string, readonly string[]>();
  for (const name of values.keys()) {
    if (variableForm.test(name)) variables.set(name.slice('var.'.length), textsOf(values, name));
  }
  return variables;
}

/** The predicates of every `where`, all of which must hold. */
export function parseWhere(values: ParameterValues): readonly Predicate[] {
  const texts = textsOf(values, 'where');
  if (texts.length === 0) return [];
  if (Buffer.byteLength(texts.join('')) > maxPredicateBytes) {
    throw malformedParameter('where', `expected at most ${maxPredicateBytes} bytes, all predicates together`);
  }
  const variables = variablesOf(values);
  const predicates: Predicate[] = [];
  let count = 0;
  for (const text of texts) {
    const predicate = parsePredicate(text, { variables, parameter: 'where' });
    count += countValues(predicate);
    if (count > maxValues)
      throw malformedParameter('where', `expected at most ${maxValues} values, all lists together`);
    predicates.push(predicate);
  }
  return predicates;
}

/** The values that a predicate compares with. A variable with a long list counts wherever it is used. */
function countValues(predicate: Predicate): number {
  if ('values' in predicate) return predicate.values.length;
  const parts = partsOf(predicate);
  return parts.length === 0 ? 1 : parts.reduce((sum, part) => sum + countValues(part), 0);
}

/** The sort terms of every `sort`, the most significant first. */
export function parseSortTerms(values: ParameterValues): readonly SortTerm[] {
  const texts = textsOf(values, 'sort');
  if (texts.length > maxSortTerms) throw malformedParameter('sort', `at most ${maxSortTerms} may be given`);
  return texts.map(parseSort);
}

/** Reads `path`, `path asc` or `path desc`. Names of other characters are written in backticks, as in predicates. */
export function parseSort(text: string): SortTerm {
  const { names: path, rest } = namesAtStart(text.trimStart(), 'word') ?? { names: [], rest: text };
  const [, direction = 'asc'] = sortDirection.exec(rest) ?? [];
  if (path.length === 0 || !sortDirection.test(rest)) {
    const problem = beginsWithIndex(rest) ? noIndex : 'expected a dotted path, then optionally asc or desc';
    throw malformedParameter('sort', `"${text}": ${problem}`);
  }
  // Other interfaces sort backwards so. As a path it would be one that no resource has, and nothing would be sorted.
  if (text.trimStart().startsWith('-')) {
    const instead = `write "${pathSyntax(path).slice(1)} desc" to sort backwards`;
    throw malformedParameter('sort', `"${text}": ${instead}; a name that begins with - is written in backticks`);
  }
  if (path.length > maxPathNames) throw malformedParameter('sort', `a path has at most ${maxPathNames} names`);
  return { path, direction: direction.toLowerCase() === 'desc' ? 'desc' : 'asc' };
}

const sortDirection = /^(?:\s+(asc|desc))?\s*$/i;
