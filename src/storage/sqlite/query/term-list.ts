import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { ListPage, ListQuery, Position } from '../../../domain/ports/list-query.ts';
import { normalise } from '../../query/normalise.ts';
import { exactExpression } from './access-paths.ts';
import type { Deadline } from './functions.ts';
import { strangePosition } from './plan-list.ts';
import { readPage } from './rows.ts';
import { inReadTransaction, withTotal } from './run-list.ts';

/**
 * A list without an order that the term index decides alone: the most frequent kind. All of them are the same
 * statements, so that nothing is planned or compiled but the expression.
 */
export interface TermList
  extends Pick<ListQuery, 'projectKey' | 'staged' | 'limit' | 'offset' | 'withTotal' | 'countUpTo'> {
  /** In FTS5's syntax: exactly the matches. */
  readonly expression: string;
  /** The row that the page begins behind. */
  readonly after?: number | undefined;
}

/** The list as a `TermList`; undefined if it is none. */
export function compileTermList(query: ListQuery, declaredPaths: readonly string[]): TermList | undefined {
  if (query.sort.length > 0 || query.where.length === 0) return undefined;
  const { projectKey, staged, limit, offset, withTotal, countUpTo } = query;
  const expression = exactExpression(normalise(query.where), { projectKey, staged, declaredPaths });
  if (expression === undefined) return undefined;
  const after = query.after && rowOf(query.after);
  return { projectKey, staged, expression, after, limit, offset, withTotal, countUpTo };
}

/** Its order is that of the rows, which no write changes. */
function rowOf([row]: Position): number {
  if (row === null || typeof row !== 'object' || !('number' in row)) throw strangePosition();
  return Number(row.number);
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
  const matches = 'SELECT rowid FROM term WHERE term MATCH ?';
  const statements = {
    rows: prepare(`${matches} LIMIT ? OFFSET ?`),
    rowsAfter: prepare(`${matches} AND rowid > ? LIMIT ?`),
    count: prepare(`SELECT count(*) FROM (${matches})`),
    countUpTo: prepare(`SELECT count(*) FROM (${matches} LIMIT ?)`),
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
    const statements = statementsOf(db);
    const wanted = limit === 0 ? 0 : limit + (list.withTotal && after === undefined ? countedWithPage : 1);
    const found = wanted === 0 ? [] : findRows(statements, list, wanted);
    const rows = found.slice(0, limit).map(([row]) => row);
    const next = found.length > limit && limit > 0 ? [{ number: String(rows.at(-1)) }] : undefined;
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
  const found = after === undefined ? rows.all(expression, wanted, offset) : rowsAfter.all(expression, after, wanted);
  return found as unknown as readonly (readonly [number])[];
}
