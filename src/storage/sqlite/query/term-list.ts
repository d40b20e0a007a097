import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { ListPage, ListQuery, Position } from '../../../domain/ports/list-query.ts';
import type { Predicate } from '../../../domain/predicate/ast.ts';
import type { Projection } from '../../index/term-encoding.ts';
import { normalise } from '../../query/normalise.ts';
import { joined, sql } from '../../query/sql.ts';
import { createTermCompiler, simplifyTerms, type TermExpression } from '../../query/term-expression.ts';
import { asksPresence, type QueryContext } from './access-paths.ts';
import { type Deadline, noteStep, scanWithin } from './functions.ts';
import { printTerms } from './match-expression.ts';
import { compileExists, type Selection, strangePosition } from './plan-list.ts';
import { readPage } from './rows.ts';
import { inReadTransaction, withTotal } from './run-list.ts';
import { selectPlainNumbers } from './statements.ts';

/**
 * A list without an order that the term index decides alone: the most frequent kind. All of them are the same
 * statements, so that nothing is planned or compiled but the expression.
 */
export interface TermList
  extends Pick<ListQuery, 'projectKey' | 'staged' | 'limit' | 'offset' | 'withTotal' | 'countUpTo'> {
  /** The match expression of exactly the documents that satisfy all conditions. */
  readonly expression: string;
  /** Where the page begins. */
  readonly after?: TermListStart | undefined;
}

interface TermListStart {
  /** The row of the last item before the page. */
  readonly row: number;
  /** How many items there were on all pages before. */
  readonly met: number;
  /** The same list by its conditions, for pages that come late. */
  readonly selection?: Selection;
}

/** FTS5 finds the rows behind one by reading all before it, at 0.1 µs each. So far that costs less than the resources do. */
const maxPassed = 20_000;

/** The list as a `TermList`; undefined if it is none. */
export function compileTermList(query: ListQuery, declaredPaths: readonly string[]): TermList | undefined {
  if (query.sort.length > 0 || query.where.length === 0) return undefined;
  const { projectKey, staged, limit, offset, withTotal, countUpTo } = query;
  const expression = exactMatch(normalise(query.where), { projectKey, staged, declaredPaths });
  if (expression === undefined) return undefined;
  const after = query.after && startOf(query.after, query, declaredPaths);
  return { projectKey, staged, expression, after, limit, offset, withTotal, countUpTo };
}

/** The match expression of some conditions; undefined where terms alone cannot decide them, or only by reading all terms of a path. */
function exactMatch(
  conjuncts: readonly Predicate[],
  { projectKey, staged, declaredPaths }: QueryContext,
): string | undefined {
  if (conjuncts.length === 0 || conjuncts.some(asksPresence)) return undefined;
  const termsOf = (projection: Projection): readonly TermExpression[] => {
    const { exact } = createTermCompiler(projectKey, projection, declaredPaths);
    return conjuncts.map(exact).filter((each) => each !== undefined);
  };
  const current = termsOf('c');
  if (current.length < conjuncts.length) return undefined;
  const all = simplifyTerms({ kind: 'and', of: current });
  return printTerms(projectKey, staged, (projection) =>
    projection === 'c' ? all : { kind: 'and', of: termsOf(projection) },
  );
}

/** Its order is that of the rows, which no write changes. */
function startOf(position: Position, query: ListQuery, declaredPaths: readonly string[]): TermListStart {
  const [row, met] = position.map((each) =>
    typeof each === 'object' && each !== null && 'number' in each ? Number(each.number) : undefined,
  );
  if (row === undefined || met === undefined) throw strangePosition();
  return met < maxPassed ? { row, met } : { row, met, selection: compileExists(query, declaredPaths) };
}

interface Statements {
  readonly rows: StatementSync;
  readonly rowsAfter: StatementSync;
  readonly count: StatementSync;
  readonly countUpTo: StatementSync;
}

const connections = new WeakMap<DatabaseSync, Statements>();

function statementsOf(db: DatabaseSync): Statements {
  const known = connections.get(db);
  if (known) return known;
  const prepare = (text: string) => {
    const statement = db.prepare(text);
    statement.setReturnArrays(true);
    return statement;
  };
  // A sign, since SQLite plans a statement anew each time a LIMIT is bound that is a parameter alone.
  const matches = 'SELECT rowid FROM term WHERE term MATCH ?';
  const statements = {
    rows: prepare(`${matches} LIMIT +? OFFSET +?`),
    rowsAfter: prepare(`${matches} AND rowid > ? LIMIT +?`),
    count: prepare(`SELECT count(*) FROM (${matches})`),
    countUpTo: prepare(`SELECT count(*) FROM (${matches} LIMIT +?)`),
  };
  connections.set(db, statements);
  return statements;
}

/** Row numbers read beyond a page to learn the total: to begin an expression once more costs as much. */
const countedWithPage = 128;

/** Runs such a list as `runList` does. */
export function runTermList(db: DatabaseSync, list: TermList, deadline: Deadline, maxPageBytes: number): ListPage {
  return inReadTransaction(db, () => {
    deadline.check();
    const { expression, after, limit, offset } = list;
    noteStep(db, 'the index of terms decides all conditions');
    const statements = statementsOf(db);
    const wanted = limit === 0 ? 0 : limit + (list.withTotal && after === undefined ? countedWithPage : 1);
    const found = wanted === 0 ? [] : (findAmongResources(db, list, wanted) ?? findRows(statements, list, wanted));
    const rows = found.slice(0, limit);
    const hasNext = found.length > limit && limit > 0;
    const met = (after?.met ?? offset) + rows.length;
    const next = hasNext ? [{ number: String(rows.at(-1)) }, { number: String(met) }] : undefined;
    const page = { ...readPage(db, list, rows, deadline, maxPageBytes), next };
    return withTotal(list, page, (most) => {
      if (rows.length > 0 && found.length < wanted && after === undefined) return offset + found.length;
      const counted =
        most === undefined ? statements.count.get(expression) : statements.countUpTo.get(expression, most);
      return (counted as unknown as readonly [number])[0];
    });
  });
}

function findRows({ rows, rowsAfter }: Statements, { expression, after, offset }: TermList, wanted: number) {
  const found = after ? rowsAfter.all(expression, after.row, wanted) : rows.all(expression, wanted, offset);
  return (found as unknown as readonly (readonly [number])[]).map(([row]) => row);
}

/** Resources that are read for each match before they are too many. With fewer matches among them, FTS5 has less to pass. */
const readPerMatch = 20;
const leastRead = 2000;

/** A late page out of the resources themselves; undefined for an early one, and where matches are rare. */
function findAmongResources(db: DatabaseSync, { projectKey, after }: TermList, wanted: number) {
  if (!after?.selection) return undefined;
  const conditions = joined(after.selection.conditions, 'AND');
  const query = sql`SELECT r.row AS row FROM resource r NOT INDEXED WHERE r.row > ${after.row} AND tick(r.row) AND r.project_key = ${projectKey} AND r.row NOT IN (SELECT row FROM damaged) AND ${conditions} ORDER BY r.row LIMIT ${wanted}`;
  return scanWithin(db, Math.max(leastRead, readPerMatch * wanted), () => selectPlainNumbers(db, query));
}
