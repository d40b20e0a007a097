import { bytesOf, contentChecksum, type EventContent } from '../event-row.ts';
import { StaleGeneration } from '../generations/generation.ts';
import type { Connection, Statement } from '../open/connection.ts';
import { codeOf, sqlState } from '../open/errors.ts';
import { type Column, chunksOf, column, namesOf, textOf, valuesList, valuesOf } from './write-statements.ts';

/** Events of a project, in the order in which they are to be appended. */
export interface ProjectEvents {
  readonly projectKey: string;
  readonly events: readonly EventContent[];
}

/** Makes the head of a log where there is none. To be committed before the first event. */
export function headStatement(projectKey: string, epoch: string): Statement {
  return {
    text: 'INSERT INTO event_head (project_key, epoch, pruned) VALUES ($1, $2, 0) ON CONFLICT DO NOTHING',
    values: [projectKey, epoch],
  };
}

/** Waits until no other transaction appends events to the log of the project, and keeps others from it. */
export async function lockEvents(connection: Connection, projectKey: string): Promise<void> {
  await connection.run(lockStatement(projectKey));
}

/**
 * Appends events to the logs of projects. To be sent last in a transaction, with COMMIT right behind: from here on it
 * holds up all other writers of these projects, and must wait for nothing but the heads. Throws `StaleGeneration` if a
 * project has no head.
 */
export async function appendEvents(connection: Connection, projects: readonly ProjectEvents[]): Promise<void> {
  // All in one order, so that transactions with several projects wait for each other without a deadlock.
  const ordered = projects.toSorted((a, b) => (a.projectKey < b.projectKey ? -1 : 1));
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
const lastText = `SELECT coalesce(e.sequence, h.pruned) AS sequence, coalesce(e.total, 0) AS total FROM event_head h
  LEFT JOIN (SELECT project_key, sequence, total FROM event WHERE project_key = $1 ORDER BY sequence DESC LIMIT 1) e
    ON e.project_key = h.project_key
  WHERE h.project_key = $1`;

function appendStatement(projectKey: string, events: readonly EventContent[]): Statement {
  let through = 0;
  const placed = events.map((content): Placed => {
    through += bytesOf(content);
    return { projectKey, content, through };
  });
  const name = `append-events-${events.length}`;
  const text = textOf(
    name,
    () => `INSERT INTO event (project_key, sequence, total, ${kept}, checksum)
      SELECT $1::text, l.sequence + n.place, l.total + n.through, ${selectedKept.join(', ')},
        n.crc + (l.sequence + n.place) + (l.total + n.through)
      FROM (VALUES ${valuesList(columns, events.length)}) n (${namesOf(columns)}) LEFT JOIN (${lastText}) l ON true`,
  );
  return { name, text, values: [projectKey, ...valuesOf(columns, placed)] };
}
