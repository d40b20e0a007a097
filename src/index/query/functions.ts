import type { DatabaseSync } from 'node:sqlite';
import type { JsonObject, JsonValue } from '../../contract/json.ts';
import { canonicalInstant } from '../../domain/instant.ts';
import { parseNumber } from '../../domain/json/number.ts';
import { parseStoredJson } from '../../domain/json/parse.ts';
import type { Predicate } from '../../domain/predicate/ast.ts';
import { nearestDistance } from '../../domain/predicate/circle.ts';
import { foldCase } from '../../domain/predicate/fold-case.ts';
import { match } from '../../domain/predicate/match.ts';
import { type Sql, sql } from '../plan/sql.ts';

/** Stops a query from inside: `check` throws when the time is up. */
export interface Deadline {
  /** For every row that is read: the clock is read now and then only. */
  check(): void;
}

/** A deadline that can also be checked exactly, where a step takes milliseconds. */
export interface PromptDeadline extends Deadline {
  checkNow(): void;
}

/** Rows that a scan may still read; see `scanWithin`. */
interface Budget {
  rowsLeft: number;
  /** Rows that were read since `beginTrace`. */
  rowsRead: number;
  /** Steps of the query plan since then, in words for operators. */
  steps: string[];
  readonly deadline: Deadline;
  /** The lists of rows that compiled queries name by their number. */
  lists: Uint32Array[];
}

/** More say no more. */
const maxSteps = 12;

/** A scan in an order has read as many rows as it may. Another plan is cheaper now. */
class ScanTooLong extends Error {}

const budgets = new WeakMap<DatabaseSync, Budget>();

/**
 * Registers on a connection the functions that compiled queries call: `instant(text)`, `fold(text)`,
 * `metres_to(json, longitude, latitude)`, `satisfies(json, predicate)`, `is_among(list, row)`, and `tick(row)`, which
 * checks the deadline for every row that is read.
 */
export function registerFunctions(db: DatabaseSync, deadline: Deadline): void {
  const budget: Budget = { rowsLeft: Number.POSITIVE_INFINITY, rowsRead: 0, steps: [], deadline, lists: [] };
  budgets.set(db, budget);
  const pure = { deterministic: true, directOnly: true } as const;
  db.function('instant', pure, (text) => (typeof text === 'string' ? (canonicalInstant(text) ?? null) : null));
  db.function('fold', pure, (text) => (typeof text === 'string' ? foldCase(text) : null));
  db.function('metres_to', pure, (json, longitude, latitude) => {
    if (typeof json !== 'string') return null;
    return nearestDistance(JSON.parse(json) as JsonValue, Number(longitude), Number(latitude)) ?? null;
  });
  let known: { readonly text: string; readonly predicate: Predicate } | undefined;
  db.function('satisfies', pure, (json, text) => {
    if (known?.text !== text) known = { text: String(text), predicate: readPredicate(String(text)) };
    return match(known.predicate, parseStoredJson(String(json)) as JsonObject) ? 1 : 0;
  });
  db.function('is_among', { directOnly: true }, (list, row) =>
    hasRow(budget.lists[Number(list)]!, Number(row)) ? 1 : 0,
  );
  // Not deterministic, or SQLite would call it once for the whole query.
  db.function('tick', { directOnly: true }, (_row) => {
    deadline.check();
    budget.rowsLeft -= 1;
    budget.rowsRead += 1;
    if (budget.rowsLeft < 0) throw new ScanTooLong();
    return 1;
  });
}

/**
 * A condition that is true for `resource r` if its row is in an ascending list, until `forgetRows`. As a subquery, all
 * rows would be read out of the index and sorted for it.
 */
export function isAmong(db: DatabaseSync, rows: Uint32Array): Sql {
  return sql`is_among(${budgets.get(db)!.lists.push(rows) - 1}, r.row)`;
}

/** Forgets the lists of the search before. */
export function forgetRows(db: DatabaseSync): void {
  const budget = budgets.get(db)!;
  if (budget.lists.length > 0) budget.lists = [];
}

/** Checks the deadline of the query that runs on the connection, between steps that take a moment. Throws when the time is up. */
export function checkDeadline(db: DatabaseSync): void {
  const deadline = budgets.get(db)?.deadline as Partial<PromptDeadline> & Deadline;
  if (deadline?.checkNow) deadline.checkNow();
  else deadline?.check();
}

/** True if an ascending list has a row. */
export function hasRow(rows: Uint32Array, row: number): boolean {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rows[middle]! < row) low = middle + 1;
    else high = middle;
  }
  return rows[low] === row;
}

/** Begins to note how a query runs on the connection. */
export function beginTrace(db: DatabaseSync): void {
  const budget = budgets.get(db)!;
  budget.rowsRead = 0;
  if (budget.steps.length > 0) budget.steps = [];
}

/** Notes a step of the plan, once. */
export function noteStep(db: DatabaseSync, step: string): void {
  const { steps } = budgets.get(db)!;
  if (steps.length < maxSteps && !steps.includes(step)) steps.push(step);
}

/** The trace since `beginTrace`: the number of scanned resources, and the steps. */
export function traceOf(db: DatabaseSync): { readonly rowsRead: number; readonly plan: readonly string[] } {
  const { rowsRead, steps } = budgets.get(db)!;
  return { rowsRead, plan: steps };
}

/** The predicate that `writePredicate` wrote. */
function readPredicate(text: string): Predicate {
  return JSON.parse(text, (name, value, { source }) =>
    name === 'value' && typeof value === 'number' && source !== undefined ? parseNumber(source) : value,
  ) as Predicate;
}

/** Runs a query with a limit on the rows it reads; returns undefined if it would exceed the limit. */
export function scanWithin<T>(db: DatabaseSync, rows: number, run: () => T): T | undefined {
  const budget = budgets.get(db)!;
  const before = budget.rowsLeft;
  budget.rowsLeft = rows;
  try {
    return run();
  } catch (error) {
    if (error instanceof ScanTooLong) return undefined;
    throw error;
  } finally {
    budget.rowsLeft = before;
  }
}
