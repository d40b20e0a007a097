import { hash } from 'node:crypto';
import { rowColumns as columns } from '../row/stored-row.ts';

/** The columns of `resource r` that make a `StoredRow`. */
export const rowColumns = `r.${columns.replaceAll(', ', ', r.')}`;

/** The next rows by id, up to the limit and 8 MiB of texts, but at least one. */
export const scanText = `SELECT q.* FROM (
    SELECT ${rowColumns}, row_number() OVER (ORDER BY r.id) AS position,
      sum(octet_length(r.current) + coalesce(octet_length(r.staged), 0)) OVER (ORDER BY r.id) AS bytes
    FROM (SELECT * FROM resource WHERE project_key = $1 AND id > $2 ORDER BY id LIMIT $3) r
  ) q WHERE q.bytes <= 8388608 OR q.position = 1 ORDER BY q.id`;

/** The project key of rows that belong to no project. Every table has that column, so that it can be distributed. */
export const servicePartition = '~';

/** The project key of a client's row, which is part of the client's id: '' for clients of no project. */
export function clientPartition(id: string): string {
  const dot = id.indexOf('.');
  return dot === -1 ? '' : id.slice(0, dot);
}

/** The key of an idempotent response: a hash, since its scope may be longer than the key of an index. */
export function responseKey(scope: string): string {
  return hash('sha256', scope);
}

/** The project key of an idempotent response: the first segment of the path in its scope. */
export function responsePartition(scope: string): string {
  const path = scope.split('\n', 3)[2] ?? '';
  return path.startsWith('/') ? path.slice(1).split('/', 1)[0]! : '';
}
