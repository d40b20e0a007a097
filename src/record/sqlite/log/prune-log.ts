import type { DatabaseSync } from 'node:sqlite';
import { iterateRows } from '../../../sqlite/any-numbers.ts';
import { lastSequence, maxCounted } from '../../../sqlite/position.ts';
import { recordChecksum } from '../../row/change-record.ts';
import { lastOfProject, logColumns, loggedBytes } from '../open/log-schema.ts';
import type { Statement } from '../write/messages.ts';
import { keptRecords } from './change-source.ts';
import { createIntactCheck } from './read-log.ts';

/** The oldest changes of a project that are to go. */
interface PrunePortion {
  readonly count: number;
  /** True if there may be more. A project that is written all the time always has another change that is due. */
  readonly isFull: boolean;
  /** Deletes them, in one transaction. */
  readonly statements: readonly Statement[];
}

/** Changes of a portion: about a millisecond to find them, some more to delete them. */
const portionChanges = 500;

interface Oldest {
  readonly sequence: number;
  readonly row: number;
  readonly at: number;
  readonly bytes: number;
}

interface State {
  readonly bytes: number;
  readonly indexed: number;
  /** The last change of the project, which stays; NULL where the store keeps no history. */
  readonly stays: number | null;
}

/** All columns of the log but the key of the table; what remains is a record for the caches of searches. */
const emptied = [...logColumns.split(', ').slice(2), 'log_checksum', 'before']
  .map((name) => `${name} = NULL`)
  .join(', ');

/** Prepares finding what is to be pruned, on a connection that reads. */
export function createLogPruner(db: DatabaseSync) {
  const isIntact = createIntactCheck(db);
  const projects = db.prepare('SELECT project_key AS projectKey FROM project_log');
  const state = db.prepare(
    `SELECT bytes, indexed, iif(log_from IS NULL, NULL,
        ${lastOfProject}) AS stays
      FROM store, project_log WHERE project_log.project_key = ?`,
  );
  const oldest = db.prepare(
    `SELECT c.sequence, c.row, c.at, ${loggedBytes} AS bytes FROM project_change p CROSS JOIN change c USING (sequence)
      WHERE p.project_key = ? ORDER BY p.sequence LIMIT ${portionChanges}`,
  );
  return {
    /** The projects that may have something. */
    projects: () => (projects.all() as { projectKey: string }[]).map(({ projectKey }) => projectKey),
    /** The next batch of a project, or undefined. */
    portion(projectKey: string, olderThanMs: number, maxBytes: number): PrunePortion | undefined {
      const { bytes, indexed, stays } = state.get(projectKey, projectKey, projectKey) as unknown as State;
      let excess = bytes - maxBytes;
      const seen: Oldest[] = [];
      let due = 0;
      for (const change of iterateRows(oldest, projectKey) as Iterable<unknown> as Iterable<Oldest>) {
        if ((stays !== null && change.sequence >= stays) || change.sequence > indexed) break;
        seen.push(change);
        if (stays === null || change.at < olderThanMs || excess > 0) due = seen.length;
        // A damaged change decides nothing: its time may keep the log for ever.
        else if (isIntact(change.sequence)) break;
        excess -= change.bytes;
      }
      const gone = seen.slice(0, due);
      const last = gone.at(-1);
      if (!last) return undefined;
      const isFull = gone.length === portionChanges;
      return { count: gone.length, isFull, statements: statementsOf(projectKey, gone, last.sequence) };
    },
  };
}

/**
 * The caches of searches need the last records: of these only the content goes. The plus keeps SQLite from looking through
 * all changes of the project for each of them.
 */
function statementsOf(projectKey: string, gone: readonly Oldest[], until: number): readonly Statement[] {
  const listed = 'project_change WHERE project_key = ? AND sequence <= ?';
  const oldest = `change WHERE sequence IN (SELECT sequence FROM ${listed})`;
  const blank = gone.map(({ sequence, row }) => [
    sequence,
    recordChecksum({ sequence, projectKey, row, before: null }),
  ]);
  return [
    {
      sql: `UPDATE project_log SET pruned = max(iif(pruned > ${maxCounted}, 0, pruned), ?),
        bytes = max(0, bytes - (SELECT coalesce(sum(${loggedBytes}), 0) FROM ${oldest})) WHERE project_key = ?`,
      params: [until, projectKey, until, projectKey],
    },
    {
      sql: `DELETE FROM ${oldest} AND sequence <= ${lastSequence} - ${keptRecords}`,
      params: [projectKey, until],
    },
    {
      sql: `UPDATE change SET ${emptied}, checksum = each.value ->> 1 FROM json_each(?) AS each
        WHERE change.sequence = each.value ->> 0 AND +change.project_key = ?`,
      params: [JSON.stringify(blank), projectKey],
    },
    { sql: `DELETE FROM ${listed}`, params: [projectKey, until] },
  ];
}
