import type { IdempotentResponse } from '../../../domain/ports/resource-store.ts';
import { checksumOf, type Row } from '../../row/checked-table.ts';
import { responseRow } from '../../row/response-row.ts';
import { endsWith, type StoredRow } from '../../row/stored-row.ts';
import { responses } from '../checked-tables.ts';
import type { Connection, Statement } from '../open/connection.ts';
import { responseKey, responsePartition } from '../rows.ts';
import type { PutWrite, Write } from './prepare-write.ts';

/** A column of a list of VALUES: its SQL, by its own parameter and those of other columns, and its value in a row. */
export interface Column<T> {
  readonly name: string;
  readonly sql: (own: string, parameterOf: (name: string) => string) => string;
  readonly value: (item: T, index: number) => unknown;
}

/** A column whose SQL is its parameter. */
export function column<T>(name: string, type: string, value: Column<T>['value']): Column<T> {
  return { name, sql: (own) => `${own}::${type}`, value };
}

/** A text that is read as JSON by conditions: what cannot be is refused when it is written. */
function jsonText<T>(name: string, value: Column<T>['value']): Column<T> {
  return { name, sql: (own) => `CASE WHEN ${own}::text::jsonb IS NOT NULL THEN ${own}::text END`, value };
}

const keyColumns: readonly Column<PutWrite>[] = [
  column('key', 'text', ({ row }) => row.key),
  column('created_at', 'text', ({ row }) => row.created_at),
];
const idColumn: Column<PutWrite> = column('id', 'text', ({ row }) => row.id);
const bodyColumns: readonly Column<PutWrite>[] = [
  column('version', 'bigint', ({ row }) => row.version),
  column('modified_at', 'text', ({ row }) => row.modified_at),
  jsonText('current', ({ row }) => row.current),
  jsonText('staged', ({ row }) => row.staged),
  column('history', 'text', ({ row }) => row.history),
  column('checksum', 'bigint', ({ row }) => row.checksum),
  column('document', 'text::jsonb', ({ compared }) => compared),
  column('staged_document', 'text::jsonb', ({ comparedStaged }) => comparedStaged),
  column('terms', 'bigint[]', ({ terms }) => terms),
];

const createColumns = [idColumn, ...keyColumns, ...bodyColumns];
const guardColumns: readonly Column<PutWrite>[] = [
  column('at', 'bigint', (_, index) => index),
  idColumn,
  column('expected', 'bigint', ({ expectedVersion }) => expectedVersion),
  column('expected_end', 'text', ({ expectedEnd }) => expectedEnd),
];
/** `project_key` is `$1`. */
const responseColumns: readonly Column<Row>[] = [
  ...['scope_hash', 'request_hash', 'headers', 'body'].map((name) => column<Row>(name, 'text', (row) => row[name])),
  ...['status', 'expires_at', 'body_checksum'].map((name) => column<Row>(name, 'bigint', (row) => row[name])),
  column('checksum', 'bigint', (row) => checksumOf(responses, row)),
];

/** Names of columns, for SQL. */
export const namesOf = (columns: readonly { readonly name: string }[]) => columns.map(({ name }) => name).join(', ');

/** `($2, $3), ($4, $5)`: a list of rows; `$1` is the project, with which each row may begin. */
export function valuesList<T>(columns: readonly Column<T>[], rows: number, first = ''): string {
  return Array.from({ length: rows }, (_, row) => {
    const parameter = (index: number) => `$${2 + row * columns.length + index}`;
    const parameterOf = (name: string) => parameter(columns.findIndex((each) => each.name === name));
    return `(${first}${columns.map(({ sql }, index) => sql(parameter(index), parameterOf)).join(', ')})`;
  }).join(', ');
}

/** The values of the parameters of `valuesList`. */
export function valuesOf<T>(columns: readonly Column<T>[], items: readonly T[]): readonly unknown[] {
  return items.flatMap((item, index) => columns.map(({ value }) => value(item, index)));
}

/** Inserts resources; returns id and checksum of those that were inserted. */
export function createStatement(projectKey: string, writes: readonly PutWrite[]): Statement {
  const name = `create-${writes.length}`;
  const text = `INSERT INTO resource (project_key, ${namesOf(createColumns)})
      VALUES ${valuesList(createColumns, writes.length, '$1, ')} ON CONFLICT DO NOTHING RETURNING id, checksum`;
  return { name, text, values: [projectKey, ...valuesOf(createColumns, writes)] };
}

/**
 * Whether a row `r` has the version and is of the incarnation expected. Of a damaged one only the version is compared, which may be
 * larger than a number of JavaScript holds exactly.
 */
const isExpected = `CASE WHEN n.expected_end IS NULL THEN r.version::double precision = n.expected::double precision
  ELSE r.version = n.expected AND ${endsWith('r.history', 'n.expected_end')} END`;

/** Overwrites resources that are as expected; returns their indexes in the list, and their createdAt. */
export function updateStatement(
  projectKey: string,
  writes: readonly PutWrite[],
  kind: 'update' | 'move' = 'update',
): Statement {
  const assigned = kind === 'move' ? [...keyColumns, ...bodyColumns] : bodyColumns;
  const columns = [...guardColumns, ...assigned];
  const name = `${kind}-${writes.length}`;
  const text = `UPDATE resource r SET ${assigned.map((each) => `${each.name} = n.${each.name}`).join(', ')}
      FROM (VALUES ${valuesList(columns, writes.length)}) n (${namesOf(columns)})
      WHERE r.project_key = $1 AND r.id = n.id AND ${isExpected} RETURNING n.at, r.created_at`;
  return { name, text, values: [projectKey, ...valuesOf(columns, writes)] };
}

/** Sets createdAt alone, which an update leaves as it is unless it changes. */
export function createdAtStatement({ projectKey, id, row }: PutWrite): Statement {
  return {
    text: 'UPDATE resource SET created_at = $3 WHERE project_key = $1 AND id = $2',
    values: [projectKey, id, row.created_at],
  };
}

/** A resource that was deleted, with its index in the list. */
export interface DeletedRow extends Pick<StoredRow, 'key' | 'current' | 'staged' | 'history'> {
  readonly at: number;
}

/** Deletes resources that are as expected; returns each as a `DeletedRow`. */
export function deleteStatement(projectKey: string, writes: readonly Write[]): Statement {
  return {
    name: 'delete',
    text: `DELETE FROM resource r
      USING unnest($2::text[], $3::bigint[], $4::text[]) WITH ORDINALITY AS n (id, expected, expected_end, position)
      WHERE r.project_key = $1 AND r.id = n.id AND ${isExpected}
      RETURNING n.position - 1 AS at, r.key, r.current, r.staged, r.history`,
    values: [
      projectKey,
      writes.map(({ id }) => id),
      writes.map(({ expectedVersion }) => expectedVersion),
      writes.map(({ expectedEnd }) => expectedEnd),
    ],
  };
}

/** The row of a response. */
export function storedResponse(response: IdempotentResponse): Row {
  const { scope } = response;
  return { project_key: responsePartition(scope), scope_hash: responseKey(scope), ...responseRow(response) };
}

/** Inserts responses; returns the keys of those whose scope was free. */
export function responseStatement(projectKey: string, rows: readonly Row[]): Statement {
  const name = `response-${rows.length}`;
  const text = `INSERT INTO idempotent_answer (project_key, ${namesOf(responseColumns)})
      VALUES ${valuesList(responseColumns, rows.length, '$1, ')} ON CONFLICT DO NOTHING RETURNING scope_hash`;
  return { name, text, values: [projectKey, ...valuesOf(responseColumns, rows)] };
}

/**
 * Rows are sent as lists of VALUES of one, two, four … rows, so that few statements have to be prepared. `INSERT …
 * SELECT` would do for any number, but is refused with RETURNING on distributed tables.
 */
const maxChunk = 32;

/** Parts of a list whose lengths are powers of two. */
export function chunksOf<T>(items: readonly T[]): readonly (readonly T[])[] {
  const chunks: T[][] = [];
  let at = 0;
  for (let size = maxChunk; at < items.length; ) {
    if (size > items.length - at) size >>= 1;
    else {
      chunks.push(items.slice(at, at + size));
      at += size;
    }
  }
  return chunks;
}

/** A part of a list, and the rows that its statement returned. */
export interface ChunkResult<T, Row> {
  readonly chunk: readonly T[];
  readonly rows: readonly Row[];
}

/** Runs a statement for each chunk of a list, all sent at once. */
export function inChunks<T, Row>(
  connection: Connection,
  items: readonly T[],
  statementOf: (chunk: readonly T[]) => Statement,
): Promise<readonly ChunkResult<T, Row>[]> {
  return Promise.all(
    chunksOf(items).map(async (chunk) => ({ chunk, rows: await connection.query<Row>(statementOf(chunk)) })),
  );
}
