import type { DatabaseSync } from 'node:sqlite';
import { ServiceError } from '../../contract/errors.ts';
import type { IdempotentAnswer, ResourceRecord, VersionChange } from '../../domain/ports.ts';
import { rowChecksum } from './checksum.ts';
import { type RowColumns, rowColumns, type StoredRow, toRow } from './row-columns.ts';

export interface PointReads {
  byId(projectKey: string, id: string): ResourceRecord | undefined;
  byKey(projectKey: string, key: string): ResourceRecord | undefined;
  answer(scope: string, nowMs: number): IdempotentAnswer | undefined;
  /** Ends the snapshot of this turn; the next read sees everything that was committed before it. */
  leaveSnapshot(): void;
  close(): void;
}

/** The stored form of history: `[[version, [field, …]], …]`. */
export function writeHistory(history: readonly VersionChange[]): string {
  return JSON.stringify(history.map(({ version, fields }) => [version, fields]));
}

function readHistory(text: string): readonly VersionChange[] {
  const pairs = JSON.parse(text) as [number, string[]][];
  return pairs.map(([version, fields]) => ({ version, fields }));
}

/** A row whose content is not what was written is never served. */
export function assertChecksum(row: StoredRow): void {
  if (rowChecksum(row) === row.checksum) return;
  throw new ServiceError(
    'DataCorruption',
    `The stored resource '${row.id}' is damaged and is not served. Restore it from a backup.`,
  );
}

function toRecord(columns: RowColumns): ResourceRecord {
  const row = toRow(columns);
  assertChecksum(row);
  let history: readonly VersionChange[] | undefined;
  return {
    projectKey: row.project_key,
    id: row.id,
    key: row.key ?? undefined,
    version: row.version,
    createdAt: row.created_at,
    lastModifiedAt: row.modified_at,
    current: row.current,
    staged: row.staged ?? undefined,
    // Most reads never look at it.
    get history() {
      history ??= readHistory(row.history);
      return history;
    },
  };
}

/**
 * Reads single rows on the calling thread. The reads of one turn of the event loop share one read transaction: taking
 * and giving back SQLite's lock costs more than the read.
 */
export function createPointReads(db: DatabaseSync): PointReads {
  const byId = db.prepare(`SELECT ${rowColumns} FROM resource WHERE project_key = ? AND id = ?`);
  const byKey = db.prepare(`SELECT ${rowColumns} FROM resource WHERE project_key = ? AND key = ?`);
  byId.setReturnArrays(true);
  byKey.setReturnArrays(true);
  const answer = db.prepare('SELECT * FROM idempotent_answer WHERE scope = ? AND expires_at > ?');
  const begin = db.prepare('BEGIN');
  const commit = db.prepare('COMMIT');
  let reading = false;

  function leaveSnapshot(): void {
    if (!reading) return;
    reading = false;
    commit.run();
  }

  function enterSnapshot(): void {
    if (reading) return;
    begin.run();
    reading = true;
    setImmediate(leaveSnapshot);
  }

  return {
    byId(projectKey, id) {
      enterSnapshot();
      const row = byId.get(projectKey, id) as RowColumns | undefined;
      return row && toRecord(row);
    },
    byKey(projectKey, key) {
      enterSnapshot();
      const row = byKey.get(projectKey, key) as RowColumns | undefined;
      return row && toRecord(row);
    },
    answer(scope, nowMs) {
      enterSnapshot();
      const row = answer.get(scope, nowMs) as Record<string, string | number> | undefined;
      if (!row) return undefined;
      return {
        scope,
        requestHash: String(row.request_hash),
        status: Number(row.status),
        headers: JSON.parse(String(row.headers)) as Record<string, string>,
        body: String(row.body),
        expiresAtMs: Number(row.expires_at),
      };
    },
    leaveSnapshot,
    close() {
      leaveSnapshot();
      db.close();
    },
  };
}
