import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { recordChecksum, replacedByDeletion } from '../../row/change-record.ts';
import { checksumOf, holdsChecksum } from '../../row/checked-table.ts';
import { type DocumentTexts, namedRow, type ResourceColumns, rowChecksum, rowColumns } from '../../row/stored-row.ts';
import { prepareRows, responses, selected } from '../checked-tables.ts';
import type { IndexColumns } from '../indexing/follower.ts';
import { lastSequence } from '../open/position.ts';
import type {
  ChangeOperation,
  CommitOutcome,
  CreateOperation,
  DeleteOperation,
  ResponseColumns,
  UpdateOperation,
} from './messages.ts';

function prepareAll(db: DatabaseSync) {
  const prepare = (sql: string) => db.prepare(sql);
  return {
    create: prepare(`INSERT INTO resource (${rowColumns}) VALUES (?,?,?,?,?,?,?,?,?,?) ON CONFLICT DO NOTHING`),
    update: prepare(
      'UPDATE resource SET version = ?, modified_at = ?, current = ?, staged = ?, history = ?, checksum = ? WHERE project_key = ? AND id = ? AND version = ? RETURNING row, created_at AS createdAt',
    ),
    updateIdentity: prepare(
      'UPDATE OR IGNORE resource SET key = ?, created_at = ?, version = ?, modified_at = ?, current = ?, staged = ?, history = ?, checksum = ? WHERE project_key = ? AND id = ? AND version = ? RETURNING row, created_at AS createdAt',
    ),
    setCreatedAt: prepare('UPDATE resource SET created_at = ? WHERE row = ?'),
    delete: prepare(
      'DELETE FROM resource WHERE project_key = ? AND id = ? AND version = ? RETURNING row, current, staged',
    ),
    versionOf: prepare('SELECT version FROM resource WHERE project_key = ? AND id = ?'),
    lastSequence: prepare(`SELECT ${lastSequence} AS last`),
    record: prepare('INSERT INTO change (sequence, project_key, row, before, checksum) VALUES (?, ?, ?, ?, ?)'),
    findResponse: prepareRows(db, `SELECT ${selected(responses)} FROM idempotent_answer WHERE scope = ?`),
    addResponse: prepare(
      `INSERT OR REPLACE INTO idempotent_answer (${selected(responses)}, body) VALUES (?,?,?,?,?,?,?,?)`,
    ),
  };
}

function resourceChecksum(resource: ResourceColumns): number {
  return rowChecksum(namedRow([...resource, 0]));
}

export interface Applier {
  /**
   * Applies changes inside the open transaction, in order and independently of each other. Returns their outcomes.
   * Throws only where SQLite does; then roll back.
   */
  apply(operations: readonly ChangeOperation[], nowMs: number): Applied;
}

export interface Applied {
  readonly outcomes: readonly CommitOutcome[];
  /** Changes of resources, each with a record. */
  readonly records: number;
}

/** Called for each change whose terms came with it. */
export type OnTerms = (sequence: number, terms: IndexColumns) => void;

/** Prepares the statements of the write path on a connection. */
export function createApplier(db: DatabaseSync, onTerms: OnTerms): Applier {
  const sql = prepareAll(db);
  let sequence = 0;

  function record(projectKey: string, row: number, before: string | null, terms: IndexColumns | null): CommitOutcome {
    sequence += 1;
    const checksum = recordChecksum({ sequence, projectKey, row, before });
    sql.record.run(sequence, projectKey, row, before, checksum);
    if (terms) onTerms(sequence, terms);
    return 'committed';
  }

  function create([, resource, terms]: CreateOperation): CommitOutcome {
    const { changes, lastInsertRowid } = sql.create.run(...resource, resourceChecksum(resource));
    if (changes === 0) return sql.versionOf.get(resource[0], resource[1]) ? 'idTaken' : 'keyTaken';
    return record(resource[0], Number(lastInsertRowid), null, terms);
  }

  function update([, resource, terms, , expected, identityMoved, before]: UpdateOperation): CommitOutcome {
    const [projectKey, id, key, version, createdAt, modifiedAt, current, staged, history] = resource;
    const body = [version, modifiedAt, current, staged, history, resourceChecksum(resource)] as const;
    const where = [projectKey, id, expected] as const;
    const found = (
      identityMoved ? sql.updateIdentity.get(key, createdAt, ...body, ...where) : sql.update.get(...body, ...where)
    ) as { row: number; createdAt: string } | undefined;
    if (!found) {
      const present = sql.versionOf.get(projectKey, id) as { version: number } | undefined;
      return present?.version === expected ? 'keyTaken' : 'versionMoved';
    }
    // Stored in another form than the checksum is over: by an import of an older version of the service.
    if (found.createdAt !== createdAt) sql.setCreatedAt.run(createdAt, found.row);
    return record(projectKey, found.row, before, terms);
  }

  function remove([, projectKey, id, terms, , expected]: DeleteOperation): CommitOutcome {
    const found = sql.delete.get(projectKey, id, expected) as ({ row: number } & DocumentTexts) | undefined;
    if (!found) return 'versionMoved';
    return record(projectKey, found.row, replacedByDeletion(found), terms);
  }

  /** True where a response is stored that has not expired, or that is damaged, so that it does not say when it expires. */
  function hasResponse(scope: string, nowMs: number): boolean {
    const row = sql.findResponse.get(scope);
    return row !== undefined && (!holdsChecksum(responses, row) || (row.expires_at as number) > nowMs);
  }

  function addResponse([scope, request_hash, status, headers, body, expires_at]: ResponseColumns): void {
    const row = { scope, request_hash, status, headers, body_checksum: crc32(body), expires_at };
    sql.addResponse.run(
      ...responses.columns.map((column) => row[column as keyof typeof row]),
      checksumOf(responses, row),
      body,
    );
  }

  function applyChange(operation: ChangeOperation): CommitOutcome {
    switch (operation[0]) {
      case 'create':
        return create(operation);
      case 'update':
        return update(operation);
      case 'delete':
        return remove(operation);
      case 'response':
        return 'committed';
    }
  }

  function applyOne(operation: ChangeOperation, nowMs: number): CommitOutcome {
    const response = responseOf(operation);
    if (response && hasResponse(response[0], nowMs)) return 'responseExists';
    const outcome = applyChange(operation);
    if (response && outcome === 'committed') addResponse(response);
    return outcome;
  }

  return {
    apply(operations, nowMs) {
      // Read anew each time: a command beside the service may write, too.
      const { last } = sql.lastSequence.get() as { last: number };
      sequence = last;
      const outcomes = operations.map((operation) => applyOne(operation, nowMs));
      return { outcomes, records: sequence - last };
    },
  };
}

function responseOf(operation: ChangeOperation): ResponseColumns | null {
  if (operation[0] === 'response') return operation[1];
  return operation[0] === 'delete' ? operation[4] : operation[3];
}
