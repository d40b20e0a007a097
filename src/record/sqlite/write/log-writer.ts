import type { DatabaseSync } from 'node:sqlite';
import { recordChecksum } from '../../row/change-record.ts';
import { type EventContent, type LogRow, logChecksum } from '../../row/logged-change.ts';
import { lastGone } from '../open/log-schema.ts';

/** Adds changes to the log, inside the open transaction. */
export interface LogWriter {
  /** `row`: of `resource`, 0 for none. `previous`: the change before of the same id; 0 for none. */
  add(sequence: number, projectKey: string, row: number, previous: number, content: EventContent): void;
  /** The last deletion of an id, or the change that forgot it; 0 if neither exists. */
  lastGone(projectKey: string, id: string): number;
}

/** Prepares the statements on a connection that writes. */
export function createLogWriter(db: DatabaseSync): LogWriter {
  const insert = db.prepare(
    `INSERT INTO change (sequence, project_key, row, checksum, id, key, version, incarnation, previous, type, at, client, origin,
      log_checksum, before) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const gone = db.prepare(`SELECT ${lastGone}`);
  gone.setReturnArrays(true);
  return {
    add(
      sequence,
      projectKey,
      row,
      previousSequence,
      { id, key, version, incarnation, type, at, client, origin, before },
    ) {
      const previous = previousSequence === 0 ? null : previousSequence;
      const identity = { sequence, project_key: projectKey, id, key, version, incarnation, previous };
      const logged: LogRow = { ...identity, type, at, client, origin };
      const checksum = recordChecksum({ sequence, projectKey, row, before });
      const sum = logChecksum(logged);
      // biome-ignore format: in the order of the statement
      insert.run(sequence, projectKey, row, checksum, id, key, version, incarnation, previous, type, at, client, origin, sum, before);
    },
    lastGone(projectKey, id) {
      const [sequence] = gone.get(projectKey, id) as unknown as readonly [number | null];
      return sequence ?? 0;
    },
  };
}
