import { type EventRow, endOfNumbers, eventColumns, isIntactEvent } from '../event-row.ts';
import type { Connection } from '../open/connection.ts';
import type { Writer } from '../write/writer.ts';
import { projectsWithLog } from './projects-with-log.ts';

/** Events that one transaction deletes. */
const portion = 1000;

const newestText = `SELECT ${eventColumns} FROM event e
  WHERE e.project_key = $1 AND e.sequence < ${endOfNumbers} ORDER BY e.sequence DESC LIMIT 1`;

/** What is behind the last deleted event. From a head that is damaged, or missing, all events are looked at. */
const remainsText = `e.project_key = $1
  AND e.sequence > coalesce((SELECT h.pruned FROM event_head h WHERE h.project_key = $1
    AND EXISTS (SELECT 1 FROM event l WHERE l.project_key = $1 AND l.sequence >= h.pruned)), 0)`;

const oldestText = `SELECT e.sequence, e.total, e.at FROM event e WHERE ${remainsText}
    AND e.sequence < $2 ORDER BY e.sequence LIMIT ${portion}`;

const eventText = `SELECT ${eventColumns} FROM event e WHERE e.project_key = $1 AND e.sequence = $2`;

/**
 * Deletes the oldest events of all projects, as `ChangeLog.prune` says, and returns their number. Without `maxBytes`, of a log that is not
 * continued, the last one may go as well.
 */
export async function pruneEvents(
  writer: Pick<Writer, 'transact'>,
  olderThanMs: number,
  maxBytes?: number,
): Promise<number> {
  let count = 0;
  for await (const projectKey of projectsWithLog((work) => writer.transact(work))) {
    // What is less than a portion is the last of a project that is written all the time: there is always one more event that is due, and
    // the others would never have their turn.
    for (let deleted = portion; deleted >= portion; count += deleted) {
      deleted = await writer.transact(
        (connection) => pruneSome(connection, projectKey, olderThanMs, maxBytes),
        projectKey,
      );
    }
  }
  return count;
}

async function pruneSome(
  connection: Connection,
  projectKey: string,
  olderThanMs: number,
  maxBytes: number | undefined,
): Promise<number> {
  const [newest] = await connection.query<EventRow>({ text: newestText, values: [projectKey] });
  if (!newest) return 0;
  const end = maxBytes === undefined ? endOfNumbers : newest.sequence;
  // A total that is not what was written must not cost the whole log.
  const surplus = maxBytes !== undefined && isIntactEvent(newest) ? newest.total - maxBytes : 0;
  const oldest = await connection.query<Pick<EventRow, 'sequence' | 'total' | 'at'>>({
    ...{ text: oldestText, values: [projectKey, end] },
  });
  let due = 0;
  for (const { sequence, total, at } of oldest) {
    if (total <= surplus || at < olderThanMs) due = sequence;
    // A damaged event decides nothing: what it says of its time or its place may keep the log for ever.
    else if (await isIntactAt(connection, projectKey, sequence)) break;
  }
  return due === 0 ? 0 : deleteThrough(connection, projectKey, due);
}

async function isIntactAt(connection: Connection, projectKey: string, sequence: number): Promise<boolean> {
  const [row] = await connection.query<EventRow>({ text: eventText, values: [projectKey, sequence] });
  return row !== undefined && isIntactEvent(row);
}

/** Deletes the events up to a sequence. */
async function deleteThrough(connection: Connection, projectKey: string, last: number): Promise<number> {
  const values = [projectKey, last];
  const text = 'DELETE FROM event WHERE project_key = $1 AND sequence <= $2';
  const deleted = await connection.run({ text, values });
  // Last, since writers wait for it.
  const update = `UPDATE event_head SET pruned = $2 WHERE project_key = $1
    AND NOT pruned BETWEEN $2 AND ${endOfNumbers}`;
  await connection.run({ text: update, values });
  return deleted;
}
