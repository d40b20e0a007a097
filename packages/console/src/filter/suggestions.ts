import type { JsonMap } from '../api/json.ts';
import { isNumber, type Json, writeJson } from '../api/json.ts';
import { pathsIn } from '../model/columns.ts';
import { valueAt } from '../model/paths.ts';
import { type Position, positionAt, predicatePath } from './position.ts';

/** One way to go on with a predicate. */
export interface Suggestion {
  /** The text that replaces the word at the caret. */
  readonly insert: string;
  /** The meaning, or the number of resources that have it. */
  readonly hint: string;
}

/** Values of a path with the number of resources that have each; those in most resources first. */
export type Values = readonly { readonly value: Json; readonly count?: number }[];

const operators: readonly (readonly [string, string])[] = [
  ['= ', 'is'],
  ['!= ', 'is not, or is missing'],
  ['< ', 'less than, before'],
  ['<= ', 'at most'],
  ['> ', 'greater than, after'],
  ['>= ', 'at least'],
  ['in (', 'is one of'],
  ['not in (', 'is none of'],
  ['contains any (', 'a list has one of'],
  ['contains all (', 'a list has all of'],
  ['is defined', 'has a value'],
  ['is not defined', 'has no value'],
  ['is empty', 'is an empty list'],
  ['is not empty', 'is a list with items'],
  ['matches ignore case ', 'is, in capitals or not'],
  ['within circle(', 'longitude, latitude, metres'],
];

const systemPaths = ['key', 'id', 'version', 'createdAt', 'lastModifiedAt', 'hasStagedChanges'];
const shownAtMost = 50;

/** A value as a predicate writes it; undefined for what it cannot be compared with. */
function literal(value: Json): string | undefined {
  if (typeof value === 'string') return writeJson(value);
  if (isNumber(value) || typeof value === 'boolean') return String(value);
  return undefined;
}

/** The values of a path in the rows that are loaded, for paths whose values the service cannot count. */
export function valuesInRows(rows: readonly JsonMap[], path: readonly string[]): Values {
  const counts = new Map<string, { value: Json; count: number }>();
  for (const row of rows) {
    const found = valueAt(row, path);
    for (const value of Array.isArray(found) ? (found as readonly Json[]) : [found]) {
      const text = value === undefined ? undefined : literal(value as Json);
      if (text === undefined || text.length > 200) continue;
      const known = counts.get(text);
      if (known) known.count += 1;
      else counts.set(text, { value: value as Json, count: 1 });
    }
  }
  return [...counts.values()].sort((a, b) => b.count - a.count);
}

function pathSuggestions(rows: readonly JsonMap[], prefix: readonly string[]): readonly Suggestion[] {
  const inside = prefix.length === 0 ? '' : `${prefix.join('.')}.`;
  const seen = pathsIn(rows)
    .filter((path) => path.startsWith(inside))
    .map((path) => path.slice(inside.length).split('.'));
  const own = seen.map((names) => ({ insert: `${predicatePath(names)} `, hint: '' }));
  if (inside !== '') return own;
  const system = systemPaths.filter((path) => !own.some(({ insert }) => insert === `${path} `));
  return [
    ...own,
    ...system.map((path) => ({ insert: `${path} `, hint: '' })),
    { insert: 'not ', hint: 'the opposite' },
  ];
}

/** All ways to go on at a position; `values` are those of the path, where one is known. */
function allAt({ expected }: Position, rows: readonly JsonMap[], values: Values): readonly Suggestion[] {
  switch (expected.kind) {
    case 'path':
      return pathSuggestions(rows, expected.prefix);
    case 'operator': {
      const hinted = operators.map(([insert, hint]) => ({ insert, hint }));
      const negated = hinted.filter(({ insert }) => insert.startsWith('not '));
      return expected.isNegated ? negated.map(({ insert, hint }) => ({ insert: insert.slice(4), hint })) : hinted;
    }
    case 'value':
      if (expected.needsList) return [{ insert: '(', hint: 'a list of values' }];
      return values.flatMap(({ value, count }) => {
        const insert = literal(value);
        return insert === undefined ? [] : [{ insert, hint: count === undefined ? '' : count.toLocaleString('en') }];
      });
    case 'connective':
      return [
        { insert: 'and ', hint: 'both hold' },
        { insert: 'or ', hint: 'one holds' },
        ...(expected.isNested ? [{ insert: ')', hint: 'ends the group' }] : []),
      ];
    case 'nothing':
      return [];
  }
}

const bare = (text: string) => text.replace(/^["`]/, '').toLowerCase();

/** Ways to go on at the caret that fit what is typed of the word; those that begin with it come first. */
export function suggestionsAt(
  text: string,
  caret: number,
  rows: readonly JsonMap[],
  values: Values,
): readonly Suggestion[] {
  const position = positionAt(text, caret);
  const word = bare(position.word);
  const fitting = allAt(position, rows, values).filter(({ insert }) => bare(insert).includes(word));
  const begins = ({ insert }: Suggestion) => bare(insert).startsWith(word);
  const sorted = [...fitting.filter(begins), ...fitting.filter((one) => !begins(one))];
  // A word that is written to its end needs no help.
  const isDone = sorted.length === 1 && sorted[0]!.insert.trim() === position.word;
  return isDone ? [] : sorted.slice(0, shownAtMost);
}
