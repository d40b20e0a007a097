import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { IdempotentResponse, ResourceRecord } from '../../../domain/ports/resource-store.ts';
import { iterateRows, readAll, readOne } from '../../../sqlite/any-numbers.ts';
import { readError, readOrRefuse, resultCode } from '../../../sqlite/connection.ts';
import { type DamageLog, holdsChecksum, type Row } from '../../row/checked-table.ts';
import { responseOf } from '../../row/response-row.ts';
import { recordOf, recordsOf, rowColumns, type StoredRow } from '../../row/stored-row.ts';
import { responses, selected } from '../checked-tables.ts';

/**
 * Makes the snapshot of a connection that the reads of one turn of the event loop share: acquiring and releasing SQLite's lock costs more than
 * a read. With a `watched` connection, which has no transaction of its own open, a commit of another process ends it as well, so
 * that each read sees all that was visible when it began.
 */
export function createSnapshot(db: DatabaseSync, watched?: DatabaseSync) {
  const begin = db.prepare('BEGIN');
  const commit = db.prepare('COMMIT');
  const version = watched?.prepare('PRAGMA data_version');
  version?.setReturnArrays(true);
  let isReading = false;
  let seen = 0;

  function leave(): void {
    if (!isReading) return;
    isReading = false;
    try {
      commit.run();
    } catch {
      // It repeats the error of a read that failed, which its caller has. Thrown again it would end the process.
      if (db.isTransaction) db.exec('ROLLBACK');
    }
  }

  function generation(): number {
    const [now] = version ? (version.get() as unknown as readonly [number]) : [0];
    if (now !== seen) leave();
    seen = now;
    return now;
  }

  return {
    /** Begins it, unless this turn has begun it already. */
    enter(): void {
      if (version) generation();
      if (isReading) return;
      begin.run();
      isReading = true;
      setImmediate(leave);
    },
    /** Ends it; the next read sees everything committed before it. */
    leave,
    /** Where other processes write: a number that changes with each commit of theirs. Leaves a snapshot from before. */
    generation,
  };
}

/** A response that its entry in the index says has expired. */
export interface ExpiredResponse {
  readonly row: number;
  /** False where the row is damaged, or its entry: then it may not have expired, and SQLite may not be able to delete it. */
  readonly isIntact: boolean;
}

/** Characters of bodies after which a portion of a scan ends. The last record may exceed it. */
const portionLength = 4 * 1024 * 1024;

/** Records of a portion, which ends early where they are large. */
function readPortion(rows: Iterable<StoredRow>): readonly ResourceRecord[] {
  const records: ResourceRecord[] = [];
  let length = 0;
  for (const record of recordsOf(rows)) {
    records.push(record);
    length += record.current.length + (record.staged?.length ?? 0);
    if (length >= portionLength) break;
  }
  return records;
}

export type PointReads = ReturnType<typeof createPointReads>;

/** Reads single rows on the calling thread, in the snapshots of its connection. */
export function createPointReads(
  db: DatabaseSync,
  damage: DamageLog,
  { enter, leave, generation }: ReturnType<typeof createSnapshot> = createSnapshot(db),
) {
  const byId = db.prepare(`SELECT ${rowColumns} FROM resource WHERE project_key = ? AND id = ?`);
  const rowById = db.prepare('SELECT row FROM resource WHERE project_key = ? AND id = ?');
  const byKey = db.prepare(`SELECT ${rowColumns} FROM resource WHERE project_key = ? AND key = ?`);
  const after = db.prepare(`SELECT ${rowColumns} FROM resource WHERE project_key = ? AND id > ? ORDER BY id LIMIT ?`);
  const response = db.prepare(`SELECT ${selected(responses)}, body FROM idempotent_answer WHERE scope = ?`);
  // The inner rows come from the index alone, the outer ones from the table.
  const expired = db.prepare(
    `SELECT e.row, e.at, ${selected(responses)} FROM (
      SELECT rowid AS row, expires_at AS at FROM idempotent_answer
      WHERE expires_at < ? AND rowid NOT IN (SELECT value FROM json_each(?)) LIMIT ?
    ) e CROSS JOIN idempotent_answer r ON r.rowid = e.row`,
  );
  const same = db.prepare(
    'SELECT 1 FROM resource WHERE project_key = ? AND id = ? AND version = ? AND current = ? AND staged IS ? AND incarnation IS ?',
  );

  /** The record that a read finds in the snapshot. */
  function record(statement: StatementSync, projectKey: string, name: string): ResourceRecord | undefined {
    let row: StoredRow | undefined;
    try {
      enter();
      row = statement.get(projectKey, name) as StoredRow | undefined;
    } catch (error) {
      // A damaged integer that no number holds: its row is read with the nearest one.
      if (resultCode(error) !== undefined) throw readError(error);
      row = readOrRefuse(() => readOne(statement, [projectKey, name])) as StoredRow | undefined;
    }
    return row && recordOf(row);
  }

  return {
    byId: (projectKey: string, id: string) => record(byId, projectKey, id),
    byKey: (projectKey: string, key: string) => record(byKey, projectKey, key),
    /** Where a resource is; undefined where it is not found by its project and id. */
    rowOf({ projectKey, id }: Pick<ResourceRecord, 'projectKey' | 'id'>): number | undefined {
      const found = readOrRefuse(() => rowById.get(projectKey, id));
      return (found as { row: number } | undefined)?.row;
    },
    /** The next records by id; see `ResourceStore.scan`. */
    after(projectKey: string, afterId: string | undefined, limit: number): readonly ResourceRecord[] {
      return readOrRefuse(() => {
        enter();
        // No id is empty.
        return readPortion(
          iterateRows(after, projectKey, afterId ?? '', limit) as Iterable<unknown> as Iterable<StoredRow>,
        );
      });
    },
    response(scope: string, nowMs: number): IdempotentResponse | undefined {
      const row = readOrRefuse(() => {
        enter();
        return readOne(response, [scope]) as Row | undefined;
      });
      return responseOf(responses, damage, scope, row, nowMs);
    },
    /** Some responses that expired before `nowMs`, but for those in some rows. */
    expired(nowMs: number, but: readonly number[], limit: number): readonly ExpiredResponse[] {
      const rows = readOrRefuse(() => {
        enter();
        return readAll(expired, [nowMs, JSON.stringify(but), limit]) as readonly Row[];
      });
      return rows.map((row) => {
        const isIntact = row.expires_at === row.at && holdsChecksum(responses, row);
        if (!isIntact) damage.add(responses, row);
        return { row: row.row as number, isIntact };
      });
    },
    /** See `createSnapshot`. */
    generation,
    /** True if the record is what is stored now. */
    isCurrent({ projectKey, id, version, current, staged, incarnation }: ResourceRecord): boolean {
      const row = readOrRefuse(() => {
        enter();
        // Clients that set all times by E9 may create the same document again: only its incarnation is another.
        return same.get(projectKey, id, version, current, staged ?? null, incarnation ?? null);
      });
      return row !== undefined;
    },
    /** Ends the snapshot of this turn of the event loop; the next read sees everything committed before it. */
    leaveSnapshot: leave,
    close(): void {
      leave();
      db.close();
    },
  };
}
