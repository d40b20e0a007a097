import { ServiceError } from '../../../contract/errors.ts';
import type { CheckPart, Progress } from '../../engine.ts';
import { type StrayMarks, strayMarksFinding } from '../../row/marks.ts';
import { isIntact, type StoredRow } from '../../row/stored-row.ts';
import { projectsWithLog } from '../changes/projects-with-log.ts';
import { type EventRow, endOfNumbers, eventColumns, isIntactEvent } from '../event-row.ts';
import type { Connection } from '../open/connection.ts';
import { refusalOf } from '../open/errors.ts';
import { scanText } from '../rows.ts';

export interface RowsCheck {
  readonly connection: Connection;
  readonly progress: Progress;
  readonly report: (finding: string) => void;
  readonly part?: CheckPart | undefined;
}

/** Rows that are read at once. */
const portion = 500;

type Table = 'resource' | 'event';

/** What is before all rows of a project, what a check names a row by, and what people call the rows. */
const tables = {
  resource: { beginning: '', label: 'resources', prefix: '', check: checkResources },
  event: { beginning: '0', label: 'log of changes', prefix: 'log:', check: checkEvents },
} as const;

/** The statements that count the rows of several projects at once. */
export const countTexts: Readonly<Record<Table, string>> = {
  resource: 'SELECT count(*) AS total FROM resource',
  event: 'SELECT count(*) AS total FROM event',
};

const places: Readonly<Record<Table, string>> = { resource: 'id', event: 'sequence' };

/** Where a check of a table begins. */
interface Place {
  readonly table: Table;
  readonly projectKey: string;
  readonly behind: string;
}

/** No project key has a slash; an id may. */
function placeOf(text: string): Place {
  const [, log, projectKey = '', , behind = ''] = /^(log:)?([^/]*)(\/(.*))?$/s.exec(text)!;
  const table = log === undefined ? 'resource' : 'event';
  return { table, projectKey, behind: behind === '' ? tables[table].beginning : behind };
}

/** What to throw for an error of a check: a refusal that says so where the database could not be asked. */
export function failureOf(error: unknown): unknown {
  const refusal = refusalOf(error);
  return refusal instanceof ServiceError && refusal.status >= 500 ? refusal : error;
}

/** Checks resources and then the logs, project by project, or a part of all that. */
export async function checkRows(check: RowsCheck): Promise<void> {
  const { part } = check;
  const from = part && 'from' in part ? placeOf(part.from) : undefined;
  if (from?.table !== 'event') await checkTable(check, 'resource', from);
  await checkTable(check, 'event', from?.table === 'event' ? from : undefined);
}

async function checkTable(check: RowsCheck, table: Table, from: Place | undefined): Promise<void> {
  const { connection, progress, report, part } = check;
  const { beginning, label, prefix } = tables[table];
  const total = await countRows(check, table, from);
  let done = 0;
  const projects = part && 'project' in part ? [part.project] : projectsFrom(connection, from);
  for await (const projectKey of projects) {
    const behind = from?.projectKey === projectKey ? from.behind : beginning;
    for await (const { rows, at, findings } of tables[table].check(connection, projectKey, behind)) {
      for (const finding of findings) report(finding);
      done += rows;
      progress(label, done, Math.max(done, total), `${prefix}${projectKey}/${at}`);
    }
    if (table === 'resource') await checkMarks(connection, projectKey, report);
  }
}

async function* projectsFrom(connection: Connection, from: Place | undefined): AsyncGenerator<string> {
  if (from && from.projectKey !== '') yield from.projectKey;
  yield* projectsWithLog((work) => work(connection), from?.projectKey);
}

/** The number of rows to be checked, for the time that is left. */
async function countRows({ connection, part }: RowsCheck, table: Table, from: Place | undefined): Promise<number> {
  const [condition, values] =
    part && 'project' in part
      ? [' WHERE project_key = $1', [part.project]]
      : from
        ? [` WHERE project_key > $1 OR (project_key = $1 AND ${places[table]} > $2)`, [from.projectKey, from.behind]]
        : ['', []];
  const [row] = await connection.query<{ total: number }>({ text: countTexts[table] + condition, values });
  return row!.total;
}

/** What came of the next rows. */
interface CheckedRows {
  readonly rows: number;
  /** The last id or sequence. */
  readonly at: string;
  readonly findings: readonly string[];
}

async function* checkResources(
  connection: Connection,
  projectKey: string,
  behind: string,
): AsyncGenerator<CheckedRows> {
  for (let after = behind; ; ) {
    const values = [projectKey, after, portion];
    const rows = await connection.query<StoredRow>({ name: 'scan', text: scanText, values });
    if (rows.length === 0) return;
    const damaged = rows.filter((row) => !isIntact(row));
    after = rows.at(-1)!.id;
    const text = 'its checksum does not match; restore it from a backup';
    yield { rows: rows.length, at: after, findings: damaged.map(({ id }) => `resource ${projectKey}/${id}: ${text}`) };
  }
}

const strayMarksText = `SELECT count(DISTINCT m.id) AS count, min(m.id) AS first FROM mark m WHERE m.project_key = $1
  AND NOT EXISTS (SELECT 1 FROM resource r WHERE r.project_key = $1 AND r.id = m.id)`;

async function checkMarks(connection: Connection, projectKey: string, report: RowsCheck['report']): Promise<void> {
  const [strays] = await connection.query<Omit<StrayMarks, 'projectKey'>>({
    text: strayMarksText,
    values: [projectKey],
  });
  if (strays!.count > 0) report(strayMarksFinding({ projectKey, ...strays! }));
}

/** The next events, up to the limit and 8 MiB of what they replaced, but at least one. */
const eventsText = `SELECT q.* FROM (
    SELECT e.*, row_number() OVER (ORDER BY e.sequence) AS place,
      sum(octet_length(coalesce(e.before, ''))) OVER (ORDER BY e.sequence) AS bytes
    FROM (
      SELECT ${eventColumns} FROM event e WHERE e.project_key = $1 AND e.sequence > $2 ORDER BY e.sequence LIMIT $3
    ) e
  ) q WHERE q.bytes <= 8388608 OR q.place = 1 ORDER BY q.sequence`;

const lastText = 'SELECT max(sequence) AS last FROM event WHERE project_key = $1 AND sequence <= $2';

/** Checks events, and that none between them is missing. */
async function* checkEvents(connection: Connection, projectKey: string, behind: string): AsyncGenerator<CheckedRows> {
  // The event before; absent if it was pruned.
  const found = await connection.query<{ last: number | null }>({ text: lastText, values: [projectKey, behind] });
  let last = found[0]?.last ?? undefined;
  // A damaged number that no log reaches is the last that can be read on from.
  for (let after = Number(behind); after < endOfNumbers; ) {
    const values = [projectKey, after, portion];
    const rows = await connection.query<EventRow>({ name: 'check-events', text: eventsText, values });
    if (rows.length === 0) return;
    const findings: string[] = [];
    const end = 'reads of the log end before it; restore it from a backup';
    for (const row of rows) {
      const name = `event ${projectKey}/${row.sequence}`;
      if (!isIntactEvent(row)) findings.push(`${name}: its checksum does not match; ${end}`);
      if (last !== undefined && row.sequence !== last + 1)
        findings.push(`${name}: the one before it is missing; ${end}`);
      last = row.sequence;
    }
    yield { rows: rows.length, at: String(last), findings };
    // A damaged number may be larger than a number can hold exactly: what follows such a one is found once.
    if (last! <= after) return;
    after = last!;
  }
}
