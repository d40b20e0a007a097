import type { DatabaseSync } from 'node:sqlite';
import type { JsonObject } from '../../contract/json.ts';
import { parseNumber } from '../../domain/json/number.ts';
import { parseStoredJson } from '../../domain/json/parse.ts';
import type { Path, Predicate } from '../../domain/predicate/ast.ts';
import { match } from '../../domain/predicate/match.ts';
import { valuesAt } from '../../domain/predicate/path.ts';
import { compareScalars, scalarOf } from '../../domain/predicate/scalar.ts';
import { type Sql, type SqlValue, sql } from '../plan/sql.ts';

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
 * Registers on a connection the functions that compiled queries call: `satisfies(name, json, predicate)`, `sort_key(name,
 * json, path, direction)`, of what `seenOf` names of a document, `is_among(list, row)`, and `tick(row)`, which checks the deadline for
 * every row that is read.
 */
export function registerFunctions(db: DatabaseSync, deadline: Deadline): void {
  const budget: Budget = { rowsLeft: Number.POSITIVE_INFINITY, rowsRead: 0, steps: [], deadline, lists: [] };
  budgets.set(db, budget);
  const pure = { deterministic: true, directOnly: true } as const;
  const predicateOf = ofLast(readPredicate);
  const pathOf = ofLast((path) => JSON.parse(path) as Path);
  db.function('satisfies', pure, (name, json, predicate) =>
    match(predicateOf(String(predicate)), documentOf(name, json)) ? 1 : 0,
  );
  db.function('sort_key', pure, (name, json, path, direction) =>
    sortKey(documentOf(name, json), pathOf(String(path)), direction === 'asc' ? 1 : -1),
  );
  db.function('is_among', { directOnly: true }, (list, row) => {
    const rows = budget.lists[Number(list)]!;
    return rows[firstFrom(rows, Number(row))] === Number(row) ? 1 : 0;
  });
  // Not deterministic, or SQLite would call it once for the whole query.
  db.function('tick', { directOnly: true }, (_row) => {
    deadline.check();
    budget.rowsLeft -= 1;
    budget.rowsRead += 1;
    if (budget.rowsLeft < 0) throw new ScanTooLong();
    return 1;
  });
}

/** A document, as far as a member of a name says; all of it for an empty name. */
function documentOf(name: SqlValue, json: SqlValue): JsonObject {
  const value = json === null ? null : parseStoredJson(String(json));
  return name === '' ? (value as JsonObject) : { [String(name)]: value };
}

/** A function of a text that is mostly the text of the last call. */
function ofLast<T>(compute: (text: string) => T): (text: string) => T {
  let last: { readonly text: string; readonly value: T } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, value: compute(text) };
    return last.value;
  };
}

/**
 * What a document sorts by: its least value in asc (a sign of 1), its greatest in desc (decision 16), null where it has none. SQLite
 * orders types as decision 16 does: numbers, texts, and booleans as one byte.
 */
function sortKey(document: JsonObject, path: Path, sign: 1 | -1): SqlValue {
  const scalars = valuesAt(document, path).map(scalarOf);
  const first = scalars.reduce(
    (best, each) => (!best || (each && sign * compareScalars(each, best) < 0) ? each : best),
    undefined,
  );
  if (!first) return null;
  return first.type === 'boolean' ? Uint8Array.of(first.value ? 1 : 0) : first.value;
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

/** The position of the first row of an ascending list that is not below another one. */
export function firstFrom(rows: Uint32Array, row: number): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rows[middle]! < row) low = middle + 1;
    else high = middle;
  }
  return low;
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

/** The predicate that `compilePredicate` wrote. */
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
