import type { ListPage } from '../../../domain/ports/list-query.ts';
import { raw, type Sql, sql } from '../../query/sql.ts';
import { damagedPage, isIntact, pageTooLarge, type StoredRow } from '../../row/stored-row.ts';
import { rowColumns } from './rows.ts';

/** A row of a page; without texts where the rows before it fill the page. */
export type PageRow = { readonly [column in keyof StoredRow]: StoredRow[column] | null };

/**
 * Reads the resources whose ids a SELECT gives, in its order and in the same statement. Texts beyond `maxBytes` are
 * left out, so that a page too large does not have to cross the wire for it to be said.
 */
export function readPage(projectKey: string, staged: boolean, ids: Sql, maxBytes: number): Sql {
  const text = raw(staged ? 'coalesce(r.staged, r.current)' : 'r.current');
  const rows = sql`SELECT ${raw(rowColumns)}, p.place, sum(octet_length(${text}) + 1) OVER (ORDER BY p.place) AS bytes
    FROM (SELECT i.id, row_number() OVER () AS place FROM (${ids}) i) p
    JOIN resource r ON r.project_key = ${projectKey} AND r.id = p.id`;
  const fits = raw(`CASE WHEN q.bytes <= ${Math.trunc(maxBytes)} THEN`);
  return sql`SELECT q.project_key, q.id, q.key, q.version, q.created_at, q.modified_at, ${fits} q.current END AS current,
    ${fits} q.staged END AS staged, q.history, q.checksum FROM (${rows}) q ORDER BY q.place`;
}

/** The page of such rows. Throws `DataCorruption`, or InvalidInput where the texts do not fit. */
export function pageOf(rows: readonly PageRow[], staged: boolean, maxBytes: number): Omit<ListPage, 'total'> {
  const fitting = rows.findIndex(({ current }) => current === null);
  if (fitting !== -1) throw pageTooLarge(maxBytes, fitting);
  const texts = (rows as readonly StoredRow[]).map((row) => {
    if (!isIntact(row)) throw damagedPage();
    return staged ? (row.staged ?? row.current) : row.current;
  });
  return { results: texts.join(','), count: texts.length };
}
