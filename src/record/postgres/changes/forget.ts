import type { Origin } from '../../../domain/ports/change-log.ts';
import { originColumns, stillExists } from '../../row/logged-change.ts';
import { contentChecksum, type EventRow, eventColumns, forgottenContent } from '../event-row.ts';
import type { Connection } from '../open/connection.ts';
import { commitWrites } from '../write/commit-statement.ts';
import { eventWrite } from '../write/prepare-write.ts';
import type { Writer } from '../write/writer.ts';

/** Events that one transaction changes. */
const portion = 200;

const lastText = `SELECT ${eventColumns}, EXISTS (SELECT 1 FROM resource r WHERE r.project_key = $1 AND r.id = $2) AS exists
  FROM event e WHERE e.project_key = $1 AND e.id = $2 ORDER BY e.sequence DESC LIMIT 1`;

const someText = `SELECT ${eventColumns} FROM event e
  WHERE e.project_key = $1 AND e.id = $2 AND e.sequence > $3 AND e.sequence <= $4 ORDER BY e.sequence LIMIT ${portion}`;

const blankText = `UPDATE event SET key = NULL, before = NULL, origin = $3, checksum = $4
  WHERE project_key = $1 AND sequence = $2`;

/** The last event of a resource, or undefined. Throws if the resource exists. */
async function readLast(connection: Connection, projectKey: string, id: string): Promise<EventRow | undefined> {
  const [row] = await connection.query<EventRow & { exists: boolean }>({ text: lastText, values: [projectKey, id] });
  if (!row?.exists) return row;
  throw stillExists(id);
}

/**
 * Appends an event that says so, and blanks all events of a resource before it, as `ChangeLog.forget` says. In this order: a
 * resource that is restored first keeps its history, and one that is forgotten is not restored any more.
 */
export async function forgetResource(writer: Writer, projectKey: string, id: string, origin: Origin): Promise<boolean> {
  for (;;) {
    const last = await writer.transact((connection) => readLast(connection, projectKey, id), projectKey);
    if (!last) return false;
    // One that was interrupted is ended by the next one that is asked for.
    const isBegun = last.type === 'forgotten' || (await appendForgotten(writer, projectKey, last, origin));
    if (!isBegun) continue;
    const end = last.type === 'forgotten' ? last.sequence - 1 : last.sequence;
    for (let after = 0; after < end; ) {
      const range = [projectKey, id, after, end] as const;
      after = await writer.transact((connection) => blankSome(connection, range), projectKey);
    }
    return true;
  }
}

/** False if the resource has lived again meanwhile, or is being forgotten by another process. */
function appendForgotten(writer: Writer, projectKey: string, last: EventRow, origin: Origin): Promise<boolean> {
  const { id, version, incarnation, sequence } = last;
  return writer.transact(async (connection) => {
    await connection.run({ text: 'SELECT 1 FROM event_head WHERE project_key = $1 FOR UPDATE', values: [projectKey] });
    const now = await readLast(connection, projectKey, id);
    if (now?.sequence !== sequence) return false;
    const event = { ...originColumns(origin), id, key: null, version, incarnation, before: null };
    await commitWrites(connection, [eventWrite(projectKey, event)], writer.commitOptions);
    return true;
  }, projectKey);
}

type Range = readonly [projectKey: string, id: string, after: number, last: number];

/** Blanks the next events of a range, and returns the sequence of the last of them; that of the range at its end. */
async function blankSome(connection: Connection, range: Range): Promise<number> {
  const [projectKey, , , last] = range;
  const rows = await connection.query<EventRow>({ text: someText, values: range });
  await Promise.all(
    rows.map((row) => {
      const content = forgottenContent(row);
      const checksum = contentChecksum(projectKey, content) + row.sequence + row.total;
      const values = [projectKey, row.sequence, content.origin, checksum];
      return connection.run({ name: 'blank-event', text: blankText, values });
    }),
  );
  return rows.length < portion ? last : rows.at(-1)!.sequence;
}
