import type { DatabaseSync } from 'node:sqlite';
import { recordChecksum } from '../../row/change-record.ts';
import { type EventContent, type LogRow, logChecksum } from '../../row/logged-change.ts';
import { lastGone } from '../open/log-schema.ts';

export type LogWriter = ReturnType<typeof createLogWriter>;

/** Prepares adding changes to the log, on a connection that writes, inside the open transaction. */
export function createLogWriter(db: DatabaseSync) {
  const insert = db.prepare(
    `INSERT INTO change (sequence, project_key, row, checksum, id, key, version, incarnation, previous, type, at, client, origin,
      log_checksum, before) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const gone = db.prepare(`SELECT ${lastGone}`);
  gone.setReturnArrays(true);
  return {
    /** `row`: of `resource`, 0 for none. `last`: the change before of the same id; 0 for none. */
    add(sequence: number, projectKey: string, row: number, last: number, content: EventContent): void {
      const { id, key, version, incarnation, type, at, client, origin, before } = content;
      const previous = last === 0 ? null : last;
      const identity = { sequence, project_key: projectKey, id, key, version, incarnation, previous };
      const logged: LogRow = { ...identity, type, at, client, origin };
      const checksum = recordChecksum({ sequence, projectKey, row, before });
      const sum = logChecksum(logged);
      // biome-ignore format: in the order of the statement
      insert.run(sequence, projectKey, row, checksum, id, key, version, incarnation, previous, type, at, client, origin, sum, before);
    },
    /** The last deletion of an id, or the change that forgot it; 0 if neither exists. */
    lastGone(projectKey: string, id: string): number {
      const [sequence] = gone.get(projectKey, id) as unknown as readonly [number | null];
      return sequence ?? 0;
    },
  };
}
