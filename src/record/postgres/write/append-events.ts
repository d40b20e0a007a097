import { bytesOf, contentChecksum, type EventContent, endOfNumbers, epochOf, headPruned } from '../event-row.ts';
import { StaleGeneration } from '../generations/generation.ts';
import type { Connection, Statement } from '../open/connection.ts';
import { codeOf, sqlState } from '../open/errors.ts';
import type { LeaveToCommit } from './transaction.ts';
import { type Column, chunksOf, column, namesOf, valuesList, valuesOf } from './write-statements.ts';

/** Events of a project, in the order in which they are to be appended. */
export interface ProjectEvents {
  readonly projectKey: string;
  readonly events: readonly EventContent[];
}

/** Makes the head of a log where there is none. To be committed before the first event. */
export function headStatement(projectKey: string, epoch: string): Statement {
  return {
    text: 'INSERT INTO event_head (project_key, epoch, pruned) VALUES ($1, $2, 0) ON CONFLICT DO NOTHING',
    values: [projectKey, epochOf(projectKey, epoch)],
  };
}

/** Waits until no other transaction appends events to the log of the project, and keeps others from it. */
export async function lockEvents(connection: Connection, projectKey: string): Promise<void> {
  await connection.run(lockStatement(projectKey));
}

/**
 * Appends events to the logs of projects. To be sent last in a transaction, with COMMIT right behind: from here on it
 * holds up all other writers of these projects, and must wait for nothing but the heads. The transaction fails with
 * `StaleGeneration` if a project has no head.
 */
export function appendEvents(connection: Connection, projects: readonly ProjectEvents[], leave: LeaveToCommit): void {
  // All in one order, so that transactions with several projects wait for each other without a deadlock.
  const ordered = projects.toSorted((a, b) => (a.projectKey < b.projectKey ? -1 : 1));
  if (connection.projectsApart) appendInSteps(connection, ordered, leave);
  else leave(appendAtOnce(connection, ordered));
}

/** Everything is sent without waiting. */
async function appendAtOnce(connection: Connection, ordered: readonly ProjectEvents[]): Promise<void> {
  const locks = ordered.map(({ projectKey }) => lockEvents(connection, projectKey));
  const appended = ordered.flatMap(({ projectKey, events }) =>
    chunksOf(events).map((chunk) => connection.run(appendStatement(projectKey, chunk))),
  );
  try {
    await Promise.all([...locks, ...appended]);
  } catch (error) {
    throw codeOf(error) === sqlState.notNullViolation ? new StaleGeneration() : error;
  }
}

/**
 * Waits for the last event of each log, and sends its successors by number: a cluster makes two statements of one that
 * reads and inserts, with the rows in between on the node of the connection.
 */
function appendInSteps(connection: Connection, ordered: readonly ProjectEvents[], leave: LeaveToCommit): void {
  const reading = ordered.map(async ({ projectKey }) => {
    const [, [last]] = await Promise.all([
      lockEvents(connection, projectKey),
      connection.query<LastEvent>({ name: 'last-event', text: lastText, values: [projectKey] }),
    ]);
    if (!last) throw new StaleGeneration();
    return last;
  });
  const inserts: Promise<unknown>[] = [];
  const sending = Promise.all(reading).then((lasts) => {
    for (const [at, { projectKey, events }] of ordered.entries()) {
      const rows = numbered(projectKey, events, lasts[at]!);
      inserts.push(...chunksOf(rows).map((chunk) => connection.run(insertStatement(projectKey, chunk))));
    }
  });
  leave(
    sending.then(() => Promise.all(inserts)),
    sending,
  );
}

function lockStatement(projectKey: string): Statement {
  const text = 'SELECT epoch FROM event_head WHERE project_key = $1 FOR UPDATE';
  return { name: 'lock-events', text, values: [projectKey] };
}

/** An event with its place among those of its statement. */
interface Placed {
  readonly projectKey: string;
  readonly content: EventContent;
  /** Bytes of the events of the statement up to this one. */
  readonly through: number;
}

const columns: readonly Column<Placed>[] = [
  column('place', 'bigint', (_, index) => index + 1),
  column('through', 'bigint', ({ through }) => through),
  column('at', 'bigint', ({ content }) => content.at),
  column('type', 'text', ({ content }) => content.type),
  column('id', 'text', ({ content }) => content.id),
  column('key', 'text', ({ content }) => content.key),
  column('version', 'bigint', ({ content }) => content.version),
  column('incarnation', 'text', ({ content }) => content.incarnation),
  column('client', 'text', ({ content }) => content.client),
  column('origin', 'text', ({ content }) => content.origin),
  column('before', 'text', ({ content }) => content.before),
  column('crc', 'bigint', ({ projectKey, content }) => contentChecksum(projectKey, content)),
];

const kept = namesOf(columns.slice(2, -1));
const selectedKept = columns.slice(2, -1).map(({ name }) => `n.${name}`);

/**
 * The last event as the snapshot of this statement has it, which is younger than the lock. Without a head its columns
 * are NULL, which `event` refuses.
 */
const lastText = `SELECT coalesce(e.sequence, ${headPruned}) AS sequence,
    CASE WHEN e.total BETWEEN 0 AND ${endOfNumbers} THEN e.total ELSE 0 END AS total FROM event_head h
  LEFT JOIN (SELECT project_key, sequence, total FROM event
    WHERE project_key = $1 AND sequence < ${endOfNumbers} ORDER BY sequence DESC LIMIT 1) e
    ON e.project_key = h.project_key
  WHERE h.project_key = $1`;

interface LastEvent {
  readonly sequence: number;
  readonly total: number;
}

/** An event with its numbers. */
interface Numbered extends LastEvent {
  readonly content: EventContent;
  readonly checksum: number;
}

const numberedColumns: readonly Column<Numbered>[] = [
  column('sequence', 'bigint', ({ sequence }) => sequence),
  column('total', 'bigint', ({ total }) => total),
  ...columns.slice(2, -1).map(({ name, sql, value }) => ({
    ...{ name, sql },
    value: ({ content }: Numbered, index: number) => value({ projectKey: '', content, through: 0 }, index),
  })),
  column('checksum', 'bigint', ({ checksum }) => checksum),
];

function numbered(projectKey: string, events: readonly EventContent[], last: LastEvent): readonly Numbered[] {
  let { sequence, total } = last;
  return events.map((content) => {
    sequence += 1;
    total += bytesOf(content);
    return { content, sequence, total, checksum: contentChecksum(projectKey, content) + sequence + total };
  });
}

function insertStatement(projectKey: string, rows: readonly Numbered[]): Statement {
  const name = `insert-events-${rows.length}`;
  const text = `INSERT INTO event (project_key, ${namesOf(numberedColumns)})
      VALUES ${valuesList(numberedColumns, rows.length, '$1, ')}`;
  return { name, text, values: [projectKey, ...valuesOf(numberedColumns, rows)] };
}

function appendStatement(projectKey: string, events: readonly EventContent[]): Statement {
  let through = 0;
  const placed = events.map((content): Placed => {
    through += bytesOf(content);
    return { projectKey, content, through };
  });
  const name = `append-events-${events.length}`;
  const text = `INSERT INTO event (project_key, sequence, total, ${kept}, checksum)
      SELECT $1::text, l.sequence + n.place, l.total + n.through, ${selectedKept.join(', ')},
        n.crc + (l.sequence + n.place) + (l.total + n.through)
      FROM (VALUES ${valuesList(columns, events.length)}) n (${namesOf(columns)}) LEFT JOIN (${lastText}) l ON true`;
  return { name, text, values: [projectKey, ...valuesOf(columns, placed)] };
}
