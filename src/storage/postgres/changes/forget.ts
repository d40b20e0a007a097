import type { Origin } from '../../../domain/ports/change-log.ts';
import { contentChecksum, type EventRow, eventColumns, forgottenContent, originColumns } from '../event-row.ts';
import type { Connection } from '../open/connection.ts';
import { appendEvents } from '../write/append-events.ts';
import type { Writer } from '../write/writer.ts';

/** Events that one transaction changes. */
const portion = 200;

const someText = `SELECT ${eventColumns} FROM event e
  WHERE e.project_key = $1 AND e.id = $2 AND e.sequence > $3 ORDER BY e.sequence LIMIT ${portion}`;

const blankText = `UPDATE event SET key = NULL, before = NULL, origin = $3, checksum = $4
  WHERE project_key = $1 AND sequence = $2`;

/** Blanks all events of a resource and appends one that says so, as `ChangeLog.forget` says. */
export async function forgetResource(writer: Writer, projectKey: string, id: string, origin: Origin): Promise<boolean> {
  let last: EventRow | undefined;
  for (;;) {
    const after = last?.sequence ?? 0;
    const rows = await writer.transact((connection) => blankSome(connection, projectKey, id, after), projectKey);
    last = rows.at(-1) ?? last;
    if (rows.length < portion) break;
  }
  if (!last) return false;
  const { version, incarnation } = last;
  const event = { ...originColumns(origin), id, key: null, version, incarnation, before: null };
  await writer.transact(async (connection, leave) => {
    leave(appendEvents(connection, [{ projectKey, events: [event] }]));
  }, projectKey);
  return true;
}

async function blankSome(
  connection: Connection,
  projectKey: string,
  id: string,
  after: number,
): Promise<readonly EventRow[]> {
  const rows = await connection.query<EventRow>({ text: someText, values: [projectKey, id, after] });
  await Promise.all(
    rows.map((row) => {
      const content = forgottenContent(row);
      const checksum = contentChecksum(projectKey, content) + row.sequence + row.total;
      const values = [projectKey, row.sequence, content.origin, checksum];
      return connection.run({ name: 'blank-event', text: blankText, values });
    }),
  );
  return rows;
}
