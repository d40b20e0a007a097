import { hash } from 'node:crypto';
import { rowColumns as columns } from '../row/stored-row.ts';

/** The columns of `resource r` that make a `StoredRow`. */
export const rowColumns = `r.${columns.replaceAll(', ', ', r.')}`;

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
