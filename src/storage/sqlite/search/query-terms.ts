import type { DatabaseSync } from 'node:sqlite';
import type { Projection } from '../../index/term-encoding.ts';
import { type AlternativesOf, anyText, type NeededText, type WordCounts } from '../../query/ladder.ts';
import { type Sql, sql } from '../../query/sql.ts';
import type { TermExpression } from '../../query/term-expression.ts';
import {
  type Alternative,
  anyAlternative,
  anyChoice,
  type Choice,
  looseAlternatives,
  type PlannedWord,
  type TermOptions,
} from '../../query/word-choices.ts';
import type { TextCondition } from '../query/access-paths.ts';
import { matchingRows } from '../query/access-paths.ts';
import { printTerms } from '../query/match-expression.ts';
import { selectPlainNumbers } from '../query/statements.ts';
import { type WordChanges, withoutGone } from './changed-rows.ts';
import type { RowsOfProject } from './columns/kept-rows.ts';
import { intersect, rowsOfQuery, union } from './row-sets.ts';

/** The connection, project and projection of a search. */
export interface SearchScope {
  readonly db: DatabaseSync;
  readonly projectKey: string;
  readonly staged: boolean;
  /** Rows that are kept from search to search. */
  readonly kept?: RowsOfProject | undefined;
  /** What the rules of the project change; absent where the index is right. */
  readonly changes?: WordChanges | undefined;
}

/** True if the rules of the project change where one of the words stands. */
function isChanged({ changes }: SearchScope, alternatives: readonly Alternative[]): boolean {
  if (!changes) return false;
  return alternatives.some(({ parts }) =>
    parts.some((choices) => choices.some((one) => changes.of(one) !== undefined)),
  );
}

const termOptions: TermOptions = { byBeginning: true };

/** Counts in the open snapshot. */
export function createWordCounts(scope: SearchScope): WordCounts {
  const strict = new Map<PlannedWord, number>();
  const loose = new Map<PlannedWord, number>();
  const memo = (counts: Map<PlannedWord, number>, word: PlannedWord, of: AlternativesOf) => {
    const known = counts.get(word) ?? countAlternatives(scope, of(word));
    counts.set(word, known);
    return known;
  };
  return {
    strict: (word) => memo(strict, word, (each) => each.strict),
    loose: (word) => memo(loose, word, looseAlternatives),
  };
}

/** Documents with one of the alternatives. */
export function countAlternatives(scope: SearchScope, alternatives: readonly Alternative[]): number {
  if (alternatives.length === 0) return 0;
  const { db, projectKey, staged } = scope;
  const expression = isChanged(scope, alternatives)
    ? undefined
    : printTerms(projectKey, staged, (p) => anyAlternative(projectKey, p, alternatives, termOptions));
  if (expression === undefined) return rowsOfAlternatives(scope, alternatives).length;
  const kept = scope.kept?.known(expression);
  if (kept) return kept.length;
  return selectPlainNumbers(db, sql`SELECT count(*) AS row FROM (${matchingRows(expression)})`)[0]!;
}

/** The texts as one condition: a document must match one of them. */
export function textCondition(scope: SearchScope, needed: readonly NeededText[]): TextCondition {
  if (needed.some(({ words, alternativesOf }) => words.some((word) => isChanged(scope, alternativesOf(word))))) {
    return { rows: listedRows(scope, needed) };
  }
  const terms = (projection: Projection) => anyText(scope.projectKey, projection, needed, termOptions);
  const expression = printTerms(scope.projectKey, scope.staged, terms);
  if (expression === undefined) return { terms, rows: listedRows(scope, needed) };
  return { terms, rows: matchingRows(expression), expression };
}

function listedRows(scope: SearchScope, needed: readonly NeededText[]): Sql {
  const rows = union(needed.map((one) => rowsOfNeeded(scope, one)));
  return sql`SELECT value AS row FROM json_each(${JSON.stringify([...rows])})`;
}

/** The rows of documents that an expression names; undefined if it is too large for one match expression. */
export function rowsOfTerms(
  { db, projectKey, staged, kept }: SearchScope,
  compile: (projection: Projection) => TermExpression,
): Uint32Array | undefined {
  const expression = printTerms(projectKey, staged, compile);
  if (expression === undefined) return undefined;
  return kept ? kept.of(expression) : rowsOfQuery(db, matchingRows(expression));
}

/** Choices per expression; with more, the rows of several expressions are united here. */
const maxChoices = 500;

/** The rows of an expression for each portion of the choices, together. */
export function rowsOfPortions(
  scope: SearchScope,
  choices: readonly Choice[],
  compile: (projection: Projection, some: readonly Choice[]) => TermExpression,
): Uint32Array {
  const parts: Uint32Array[] = [];
  for (let from = 0; from < choices.length; from += maxChoices) {
    const some = choices.slice(from, from + maxChoices);
    parts.push(rowsOfTerms(scope, (projection) => compile(projection, some))!);
  }
  return parts.length === 0 ? new Uint32Array() : union(parts);
}

function rowsOfChoices(scope: SearchScope, choices: readonly Choice[], isShort: boolean): Uint32Array {
  const rowsOf = (some: readonly Choice[]) =>
    rowsOfPortions(scope, some, (p, portion) => anyChoice(scope.projectKey, p, portion, isShort));
  const { changes } = scope;
  const changed = choices.filter((one) => changes?.of(one) !== undefined);
  if (changed.length === 0) return rowsOf(choices);
  const ruled = changed.map((one) => withoutGone(rowsOf([one]), changes!.of(one)!, isShort));
  return union([rowsOf(choices.filter((one) => !changed.includes(one))), ...ruled]);
}

/** The rows with one of the alternatives, for those that are too many for one expression. */
function rowsOfAlternatives(scope: SearchScope, alternatives: readonly Alternative[]): Uint32Array {
  const rows = alternatives.map(({ parts, isShort }) =>
    intersect(parts.map((choices) => rowsOfChoices(scope, choices, isShort))),
  );
  return rows.length === 0 ? new Uint32Array() : union(rows);
}

/** The rows with as many words as are needed. */
function rowsOfNeeded(scope: SearchScope, { words, count, alternativesOf }: NeededText): Uint32Array {
  if (words.length === 0) return new Uint32Array();
  const times = new Map<number, number>();
  for (const word of words) {
    for (const row of rowsOfAlternatives(scope, alternativesOf(word))) times.set(row, (times.get(row) ?? 0) + 1);
  }
  const found = [...times].filter(([, number]) => number >= count).map(([row]) => row);
  return Uint32Array.from(found).sort();
}
