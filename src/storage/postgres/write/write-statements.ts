import type { IdempotentResponse } from '../../../domain/ports/resource-store.ts';
import type { Connection, Statement } from '../open/connection.ts';
import { answerKey } from '../open/partition.ts';
import type { PutWrite } from './prepare-write.ts';

/**
 * Rows go to the server as lists of VALUES of one, two, four … rows, so that few statements have to be prepared. They
 * are no `INSERT … SELECT`: with RETURNING that is refused where tables are distributed.
 */
const largestChunk = 32;

/** Parts of a list whose lengths are powers of two. */
export function chunksOf<T>(items: readonly T[]): readonly (readonly T[])[] {
  const chunks: T[][] = [];
  let at = 0;
  for (let size = largestChunk; at < items.length; ) {
    if (size > items.length - at) size >>= 1;
    else {
      chunks.push(items.slice(at, at + size));
      at += size;
    }
  }
  return chunks;
}

/** Writes the value of a column with the parameters of its row. */
type Column = (parameter: (column: number) => string) => string;

/** `($2, $3), ($4, $5)`: a list of rows; `$1` is the project. What comes `first` is the same in each. */
function valuesList(rows: number, columns: readonly Column[], first = ''): string {
  return Array.from({ length: rows }, (_, row) => {
    const parameter = (column: number) => `$${2 + row * columns.length + column}`;
    return `(${first}${columns.map((column) => column(parameter)).join(', ')})`;
  }).join(', ');
}

const typed =
  (type: string) =>
  (column: number): Column =>
  (parameter) =>
    `${parameter(column)}::${type}`;
const [text, bigint, texts] = [typed('text'), typed('bigint'), typed('text[]')];

/** A document as conditions see it: the text given for that, or the one that is answered. */
const json =
  (column: number, answered: number): Column =>
  (parameter) =>
    `coalesce(${parameter(column)}::text, ${parameter(answered)}::text)::jsonb`;

const bodyNames = ['version', 'modified_at', 'current', 'staged', 'history', 'checksum'];
const documentNames = ['document', 'staged_document', 'terms'];

function bodyValues({ row, compared, comparedStaged, terms }: PutWrite): readonly unknown[] {
  const { version, modified_at, current, staged, history, checksum } = row;
  return [version, modified_at, current, staged, history, checksum, compared, comparedStaged, terms];
}

/** Columns of the body in a list of values, from a column on. */
const body = (from: number): readonly Column[] => [
  ...[bigint(from), text(from + 1), text(from + 2), text(from + 3), text(from + 4), bigint(from + 5)],
  ...[json(from + 6, from + 2), json(from + 7, from + 3), texts(from + 8)],
];

/** Inserts resources; answers those that were: id and checksum. */
export function createStatement(projectKey: string, writes: readonly PutWrite[]): Statement {
  const names = ['id', 'key', 'created_at', ...bodyNames, ...documentNames];
  const list = valuesList(writes.length, [text(0), text(1), text(2), ...body(3)], '$1, ');
  return {
    name: `create-${writes.length}`,
    text: `INSERT INTO resource (project_key, ${names.join(', ')})
      VALUES ${list} ON CONFLICT DO NOTHING RETURNING id, checksum`,
    values: [
      projectKey,
      ...writes.flatMap((write) => [write.row.id, write.row.key, write.row.created_at, ...bodyValues(write)]),
    ],
  };
}

const assigned = [...bodyNames, ...documentNames].map((name) => `${name} = n.${name}`).join(', ');

/** Overwrites resources that have the version expected; answers the places in the list of those that had. */
export function updateStatement(projectKey: string, writes: readonly PutWrite[]): Statement {
  const list = valuesList(writes.length, [bigint(0), text(1), bigint(2), ...body(3)]);
  const names = ['at', 'id', 'expected', ...bodyNames, ...documentNames];
  return {
    name: `update-${writes.length}`,
    text: `UPDATE resource r SET ${assigned} FROM (VALUES ${list}) n (${names.join(', ')})
      WHERE r.project_key = $1 AND r.id = n.id AND r.version = n.expected RETURNING n.at`,
    values: [projectKey, ...writes.flatMap((write, at) => [at, write.id, write.expectedVersion, ...bodyValues(write)])],
  };
}

/** The same of one resource whose key or createdAt changes as well. */
export function moveStatement(write: PutWrite): Statement {
  const columns = [text(0), bigint(1), text(2), text(3), ...body(4)];
  const names = ['id', 'expected', 'key', 'created_at', ...bodyNames, ...documentNames];
  const { id, expectedVersion, row } = write;
  return {
    name: 'move',
    text: `UPDATE resource r SET key = n.key, created_at = n.created_at, ${assigned}
      FROM (VALUES ${valuesList(1, columns)}) n (${names.join(', ')})
      WHERE r.project_key = $1 AND r.id = n.id AND r.version = n.expected`,
    values: [write.projectKey, id, expectedVersion, row.key, row.created_at, ...bodyValues(write)],
  };
}

/** Deletes resources that have the version expected; answers the places in the list of those that had, from 1. */
export function deleteStatement(
  projectKey: string,
  writes: readonly { readonly id: string; readonly expectedVersion: number }[],
): Statement {
  return {
    name: 'delete',
    text: `DELETE FROM resource r USING unnest($2::text[], $3::bigint[]) WITH ORDINALITY AS n (id, expected, at)
      WHERE r.project_key = $1 AND r.id = n.id AND r.version = n.expected RETURNING n.at`,
    values: [projectKey, writes.map(({ id }) => id), writes.map(({ expectedVersion }) => expectedVersion)],
  };
}

/** Keeps answers, in place of those that expired; answers the keys of those whose scope was free. */
export function answerStatement(projectKey: string, answers: readonly IdempotentResponse[], nowMs: number): Statement {
  const columns = [text(0), text(1), bigint(2), text(3), text(4), bigint(5)];
  const names = ['request_hash', 'status', 'headers', 'body', 'expires_at'];
  const last = 2 + answers.length * columns.length;
  const values = answers.flatMap((each) => [
    ...[
      answerKey(each.scope),
      each.requestHash,
      each.status,
      JSON.stringify(each.headers),
      each.body,
      each.expiresAtMs,
    ],
  ]);
  return {
    name: `answer-${answers.length}`,
    text: `INSERT INTO idempotent_answer AS a (project_key, scope_hash, ${names.join(', ')})
      VALUES ${valuesList(answers.length, columns, '$1, ')}
      ON CONFLICT (project_key, scope_hash) DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join(', ')}
      WHERE a.expires_at <= $${last}::bigint RETURNING scope_hash`,
    values: [projectKey, ...values, nowMs],
  };
}

/** Runs statements over chunks of a list, sent at once, and answers the rows of each chunk. */
export function inChunks<T, Row>(
  connection: Connection,
  items: readonly T[],
  statementOf: (chunk: readonly T[]) => Statement,
): Promise<readonly { readonly chunk: readonly T[]; readonly rows: readonly Row[] }[]> {
  return Promise.all(
    chunksOf(items).map(async (chunk) => ({ chunk, rows: await connection.query<Row>(statementOf(chunk)) })),
  );
}
