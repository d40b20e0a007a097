import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { IdempotentResponse, ResourceRecord } from '../../../domain/ports/resource-store.ts';
import { namedRow, type RowColumns, recordOf, rowColumns } from '../../row/stored-row.ts';
import type { CommitWatch } from './commit-watch.ts';

export interface PointReads {
  byId(projectKey: string, id: string): ResourceRecord | undefined;
  byKey(projectKey: string, key: string): ResourceRecord | undefined;
  /** The next records by id; see `ResourceStore.scan`. */
  after(projectKey: string, afterId: string | undefined, limit: number): readonly ResourceRecord[];
  response(scope: string, nowMs: number): IdempotentResponse | undefined;
  /** Where other processes write: see `CommitWatch`. Leaves a snapshot from before. */
  generation(): number;
  /** True if the record is what is stored now. */
  isCurrent(record: ResourceRecord): boolean;
  /** Ends the snapshot of this turn of the event loop; the next read sees everything committed before it. */
  leaveSnapshot(): void;
  close(): void;
}

/** Characters of bodies after which a portion of a scan ends. The last record may exceed it. */
const portionLength = 4 * 1024 * 1024;

/** Records of a portion, which ends early where they are large. */
function readPortion(rows: Iterable<RowColumns>): readonly ResourceRecord[] {
  const records: ResourceRecord[] = [];
  let length = 0;
  for (const row of rows) {
    const record = recordOf(namedRow(row));
    records.push(record);
    length += record.current.length + (record.staged?.length ?? 0);
    if (length >= portionLength) break;
  }
  return records;
}

/**
 * Reads single rows on the calling thread. The reads of one turn of the event loop share a read transaction: acquiring
 * and releasing SQLite's lock costs more than the read. With a `watch`, a commit of another process ends the snapshot
 * as well, so that each read sees all that was visible when it began (decision 79).
 */
export function createPointReads(db: DatabaseSync, watch?: CommitWatch): PointReads {
  const byId = db.prepare(`SELECT ${rowColumns} FROM resource WHERE project_key = ? AND id = ?`);
  const byKey = db.prepare(`SELECT ${rowColumns} FROM resource WHERE project_key = ? AND key = ?`);
  const after = db.prepare(`SELECT ${rowColumns} FROM resource WHERE project_key = ? AND id > ? ORDER BY id LIMIT ?`);
  for (const statement of [byId, byKey, after]) statement.setReturnArrays(true);
  const response = db.prepare('SELECT * FROM idempotent_answer WHERE scope = ? AND expires_at > ?');
  const same = db.prepare(
    'SELECT 1 FROM resource WHERE project_key = ? AND id = ? AND version = ? AND current = ? AND staged IS ?',
  );
  const begin = db.prepare('BEGIN');
  const commit = db.prepare('COMMIT');
  let isReading = false;
  let seen = 0;

  function leaveSnapshot(): void {
    if (!isReading) return;
    isReading = false;
    commit.run();
  }

  function generation(): number {
    const now = watch?.generation() ?? 0;
    if (now !== seen) leaveSnapshot();
    seen = now;
    return now;
  }

  function enterSnapshot(): void {
    if (watch) generation();
    if (isReading) return;
    begin.run();
    isReading = true;
    setImmediate(leaveSnapshot);
  }

  const readBy = (statement: StatementSync) => (projectKey: string, name: string) => {
    enterSnapshot();
    const row = statement.get(projectKey, name) as RowColumns | undefined;
    return row && recordOf(namedRow(row));
  };

  return {
    byId: readBy(byId),
    byKey: readBy(byKey),
    after(projectKey, afterId, limit) {
      enterSnapshot();
      // No id is empty.
      return readPortion(after.iterate(projectKey, afterId ?? '', limit) as Iterable<unknown> as Iterable<RowColumns>);
    },
    response(scope, nowMs) {
      enterSnapshot();
      const row = response.get(scope, nowMs) as Record<string, string | number> | undefined;
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
    generation,
    isCurrent({ projectKey, id, version, current, staged }) {
      enterSnapshot();
      return same.get(projectKey, id, version, current, staged ?? null) !== undefined;
    },
    leaveSnapshot,
    close() {
      leaveSnapshot();
      db.close();
    },
  };
}
