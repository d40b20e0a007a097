import { projectsWithLog } from '../changes/projects-with-log.ts';
import { type EventRow, eventColumns, isIntactEvent } from '../event-row.ts';
import type { Connection } from '../open/connection.ts';

const portion = 500;

/** The next events, up to the limit and 8 MiB of what they replaced, but at least one. */
const scanText = `SELECT q.* FROM (
    SELECT e.*, row_number() OVER (ORDER BY e.sequence) AS place,
      sum(octet_length(coalesce(e.before, ''))) OVER (ORDER BY e.sequence) AS bytes
    FROM (
      SELECT ${eventColumns} FROM event e WHERE e.project_key = $1 AND e.sequence > $2 ORDER BY e.sequence LIMIT ${portion}
    ) e
  ) q WHERE q.bytes <= 8388608 OR q.place = 1 ORDER BY q.sequence`;

/** Checks the events of all projects, each project in one snapshot, and returns what is wrong. */
export async function checkEvents(connection: Connection): Promise<readonly string[]> {
  const findings: string[] = [];
  for await (const projectKey of projectsWithLog((work) => work(connection))) {
    await connection.run({ text: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' });
    findings.push(...(await checkLog(connection, projectKey)));
    await connection.commit();
  }
  return findings;
}

async function checkLog(connection: Connection, projectKey: string): Promise<readonly string[]> {
  const findings: string[] = [];
  for (let last: EventRow | undefined; ; ) {
    const values = [projectKey, last?.sequence ?? 0];
    const rows = await connection.query<EventRow>({ name: 'check-events', text: scanText, values });
    if (rows.length === 0) return findings;
    for (const row of rows) {
      const name = `event ${projectKey}/${row.sequence}`;
      if (!isIntactEvent(row)) {
        findings.push(`${name}: its checksum does not hold; reads of the log end before it; restore it from a backup`);
      }
      if (last && row.sequence !== last.sequence + 1) {
        findings.push(`${name}: the one before it is missing; readers do not notice; restore it from a backup`);
      }
      last = row;
    }
  }
}
