import type { DatabaseSync } from 'node:sqlite';
import { recordChecksum } from '../../row/change-record.ts';
import { damagedChange, type LogRow, logChecksum, withoutUser } from '../../row/logged-change.ts';
import { logColumns, loggedBytes, prunedSequence } from '../open/log-schema.ts';
import type { LogWriter } from './log-writer.ts';
import type { ForgetOperation, ForgetResult } from './messages.ts';

/** Changes that a transaction forgets at most: some milliseconds. */
const portion = 500;

export type Forgetter = ReturnType<typeof createForgetter>;

type ChainRow = LogRow & { readonly row: number; readonly isIndexed: number; readonly bytes: number };

/** Prepares forgetting deleted resources, on a connection that writes, inside the open transaction. */
export function createForgetter(db: DatabaseSync, log: LogWriter) {
  const exists = db.prepare('SELECT 1 FROM resource WHERE project_key = ? AND id = ?');
  const bounds = db.prepare(`SELECT ${prunedSequence} AS pruned FROM store`);
  const change = db.prepare(
    `SELECT ${logColumns}, row, sequence <= (SELECT indexed FROM store) AS isIndexed, ${loggedBytes} AS bytes
      FROM change WHERE sequence = ?`,
  );
  const blank = db.prepare(
    'UPDATE change SET before = NULL, key = NULL, origin = ?, checksum = ?, log_checksum = ? WHERE sequence = ?',
  );
  const purge = db.prepare('UPDATE store SET purging = 1');
  const count = db.prepare('UPDATE project_log SET bytes = max(0, bytes - ?) WHERE project_key = ?');

  /** Deletes the content of a change. Returns the bytes that it takes less. */
  function forgetChange(found: ChainRow): number {
    const { sequence, project_key: projectKey, row, bytes } = found;
    const left = { ...found, key: null, origin: withoutUser(found.origin) };
    const checksum = recordChecksum({ sequence, projectKey, row, before: null });
    blank.run(left.origin, checksum, logChecksum(left), sequence);
    return bytes - (change.get(sequence) as unknown as ChainRow).bytes;
  }

  /** Forgets a portion of the changes, from one on into the past. Returns the one to go on with; 0 for none. */
  function forgetFrom(projectKey: string, id: string, from: number, pruned: number): number {
    let [sequence, freed] = [from, 0];
    for (let done = 0; sequence > pruned && done < portion; done += 1) {
      const found = change.get(sequence) as unknown as ChainRow | undefined;
      // A record that is there for the indexes alone: the log begins after it.
      if (found?.project_key === projectKey && found.id === null) sequence = 0;
      if (sequence === 0) break;
      if (found?.project_key !== projectKey || found.id !== id) throw damagedChange(sequence);
      // What it replaced is still needed; the caller lets the indexes follow first.
      if (found.isIndexed === 0) break;
      // What was before was forgotten with it.
      if (found.type === 'forgotten') sequence = 0;
      else {
        freed += forgetChange(found);
        sequence = found.previous ?? 0;
      }
    }
    count.run(freed, projectKey);
    return sequence > pruned ? sequence : 0;
  }

  function append(operation: ForgetOperation, sequence: number, last: number): boolean {
    const [, projectKey, id, origin] = operation;
    const { type, version, incarnation } = change.get(last) as unknown as ChainRow;
    if (type === 'forgotten') return false;
    log.add(sequence, projectKey, 0, last, { ...origin, id, key: null, version, incarnation, before: null });
    return true;
  }

  return {
    /** `isAppended`: a change was appended to the log, with the sequence that was given. */
    forget(operation: ForgetOperation, nextSequence: number): { result: ForgetResult; isAppended: boolean } {
      const [, projectKey, id, , from] = operation;
      const without = (result: ForgetResult) => ({ result, isAppended: false });
      if (exists.get(projectKey, id)) return without(['exists']);
      const { pruned } = bounds.get(projectKey) as { pruned: number | null };
      const last = log.lastGone(projectKey, id);
      if (pruned === null || last <= pruned) return without(['unknown']);
      const rest = forgetFrom(projectKey, id, from ?? last, pruned);
      if (rest > 0) return without(['rest', rest]);
      purge.run();
      return { result: ['done'], isAppended: append(operation, nextSequence, last) };
    },
  };
}
