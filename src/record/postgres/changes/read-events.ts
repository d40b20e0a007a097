import type { ChangeFilter, ChangePage, LogBounds, LoggedChange } from '../../../domain/ports/change-log.ts';
import { damagedChange } from '../../row/logged-change.ts';
import {
  changeOf,
  type EventRow,
  endOfNumbers,
  epochOf,
  eventColumns,
  headPruned,
  isIntactEvent,
} from '../event-row.ts';
import type { Connection } from '../open/connection.ts';

/** The statements of one project each. */

const lastText = `SELECT coalesce(max(e.sequence), 0) FROM event e
  WHERE e.project_key = $1 AND e.sequence < ${endOfNumbers}`;
/**
 * All events up to this one were deleted. The head alone says so only where no event is left: a head that is damaged or
 * missing hides no event.
 */
const prunedText = `SELECT coalesce(
    (SELECT min(e.sequence) - 1 FROM event e
      WHERE e.project_key = $1 AND e.sequence > 0 AND e.sequence < ${endOfNumbers}),
    (SELECT ${headPruned} FROM event_head h WHERE h.project_key = $1), 0)`;

const boundsText = `SELECT (SELECT h.epoch FROM event_head h WHERE h.project_key = $1) AS epoch,
  (${prunedText}) AS pruned, (${lastText}) AS last`;

/** Where the log begins and ends. One without a head has the epoch that its next event gives it. */
export async function readBounds(connection: Connection, projectKey: string, epoch: string): Promise<LogBounds> {
  const [row] = await connection.query<{ epoch: string | null; pruned: number; last: number }>({
    ...{ name: 'log-bounds', text: boundsText },
    values: [projectKey],
  });
  const { pruned, last, epoch: known } = row!;
  return { epoch: known ?? epochOf(projectKey, epoch), pruned, last: Math.max(pruned, last) };
}

/** A page ends with the event with which it has this many bytes. */
const maxPageBytes = 8_388_608;
/** How many events a page by type or client may look at. */
const examined = 10_000;

interface PageRow extends EventRow {
  readonly end: number;
  readonly pruned: number | null;
  /** Events that were found, some of which may have been left out; NULL with all other columns where none was. */
  readonly found: number | null;
}

function pageText(conditions: readonly string[], isBounded: boolean): string {
  const end = `greatest($2::bigint, (${prunedText})) + ${examined}`;
  const inLog = `e.sequence < ${endOfNumbers}`;
  const all = [
    'e.project_key = $1',
    'e.sequence > $2',
    inLog,
    ...(isBounded ? [`e.sequence <= ${end}`] : []),
    ...conditions,
  ];
  // One statement, so that its snapshot says how far the log was read.
  return `SELECT l."end", l.pruned, q.* FROM (
      SELECT ${isBounded ? `least((${lastText}), ${end})` : `(${lastText})`} AS "end",
        (${prunedText}) AS pruned
    ) l LEFT JOIN (
      SELECT p.*, row_number() OVER (ORDER BY p.sequence) AS place, count(*) OVER () AS found,
        sum(octet_length(coalesce(p.before, '')) + octet_length(p.origin)) OVER (ORDER BY p.sequence) AS bytes
      FROM (
        SELECT ${eventColumns} FROM event e WHERE ${all.join(' AND ')} ORDER BY e.sequence LIMIT $3
      ) p
    ) q ON q.bytes <= ${maxPageBytes} OR q.place = 1 ORDER BY q.sequence`;
}

/** See `ChangeLog.changesAfter`. */
export async function readAfter(
  connection: Connection,
  projectKey: string,
  after: number,
  limit: number,
  { types, id, clientId }: ChangeFilter,
): Promise<ChangePage> {
  const values: unknown[] = [projectKey, after, limit];
  const conditions: string[] = [];
  const add = (condition: (parameter: string) => string, value: unknown) => {
    values.push(value);
    conditions.push(condition(`$${values.length}`));
  };
  if (id !== undefined) add((parameter) => `e.id = ${parameter}`, id);
  if (types !== undefined) add((parameter) => `e.type = ANY(${parameter}::text[])`, types);
  if (clientId !== undefined) add((parameter) => `e.client = ${parameter}`, clientId);
  const text = pageText(conditions, id === undefined && conditions.length > 0);
  const name = ['log-after', id !== undefined && 'id', types && 'types', clientId !== undefined && 'client'];
  const rows = await connection.query<PageRow>({ name: name.filter(Boolean).join('-'), text, values });
  const { end, pruned, found } = rows[0]!;
  if (found === null) return { changes: [], upTo: Math.max(after, end) };
  const changes = intactChanges(rows, conditions.length === 0 ? Math.max(after, pruned ?? 0) + 1 : undefined);
  const isCut = found === limit || changes.length < found;
  return { changes, upTo: isCut ? changes.at(-1)!.sequence : Math.max(after, end) };
}

/**
 * The changes up to the first one that is damaged or, where all numbers from `first` on are wanted, missing. Throws
 * `DataCorruption` where that is the first of all.
 */
function intactChanges(rows: readonly EventRow[], first: number | undefined): readonly LoggedChange[] {
  const changes: LoggedChange[] = [];
  for (const row of rows) {
    const isMissing = first !== undefined && row.sequence > first + changes.length;
    if (isMissing || !isIntactEvent(row)) {
      if (changes.length > 0) break;
      // The numbers that are missing are passed over at once: there may be very many.
      throw damagedChange(isMissing ? row.sequence - 1 : row.sequence);
    }
    changes.push(changeOf(row));
  }
  return changes;
}

const ofResourceText = `SELECT ${eventColumns} FROM event e
  WHERE e.project_key = $1 AND e.id = $2 AND e.sequence <= $3 ORDER BY e.sequence DESC LIMIT $4`;

/**
 * See `ChangeLog.changesOf`. What is kept ends before a change that was not logged, since a version of the service that
 * knows no log made it: documents are read backwards, through all changes.
 */
export async function readOf(
  connection: Connection,
  projectKey: string,
  id: string,
  below: number | undefined,
  limit: number,
): Promise<readonly LoggedChange[]> {
  // With the change that the last page ended with, and as many below it.
  const values = [projectKey, id, below ?? Number.MAX_SAFE_INTEGER, limit + 1];
  const rows = await connection.query<EventRow>({ name: 'log-of', text: ofResourceText, values });
  const changes: LoggedChange[] = [];
  for (const row of rows) {
    const change = changeOf(row);
    const next = changes.at(-1);
    if (next && !isNextBelow(change, next)) break;
    changes.push(change);
  }
  return changes.filter(({ sequence }) => sequence !== below).slice(0, limit);
}

/** True if the change made what the next one replaced, or if that one replaced nothing. */
function isNextBelow({ version, origin }: LoggedChange, next: LoggedChange): boolean {
  if (next.before === null) return true;
  const isEnd = origin.type === 'deleted' || origin.type === 'forgotten';
  return !isEnd && version === (next.origin.type === 'deleted' ? next.version : next.version - 1);
}

/** A deletion counts until the resource exists again, or there is any other change of it. */
const isLastText = `NOT EXISTS (SELECT 1 FROM event n
    WHERE n.project_key = $1 AND n.id = e.id AND n.sequence > e.sequence)
  AND NOT EXISTS (SELECT 1 FROM resource r WHERE r.project_key = $1 AND r.id = e.id)`;

const deletionsText = `SELECT ${eventColumns} FROM event e
  WHERE e.project_key = $1 AND e.type = 'deleted' AND e.sequence < $2 AND e.before IS NOT NULL AND ${isLastText}
  ORDER BY e.sequence DESC LIMIT $3`;

/** See `ChangeLog.deletions`. */
export async function readDeletions(
  connection: Connection,
  projectKey: string,
  below: number | undefined,
  limit: number,
): Promise<readonly LoggedChange[]> {
  const changes: LoggedChange[] = [];
  for (let next = below ?? endOfNumbers; ; ) {
    const values = [projectKey, next, limit - changes.length];
    const rows = await connection.query<EventRow>({ name: 'log-deletions', text: deletionsText, values });
    // A damaged deletion hides no other one. What names its resource says that it is damaged.
    changes.push(...rows.filter(isIntactEvent).map(changeOf));
    if (rows.length === 0 || changes.length === limit) return changes;
    next = rows.at(-1)!.sequence;
  }
}

const byKeyText = `SELECT ${eventColumns} FROM event e
  WHERE e.project_key = $1 AND e.type = 'deleted' AND e.key = $2 AND e.before IS NOT NULL
  ORDER BY e.sequence DESC LIMIT 1`;

/** See `ChangeLog.deletionByKey`. */
export async function readDeletionByKey(
  connection: Connection,
  projectKey: string,
  key: string,
): Promise<LoggedChange | undefined> {
  const [row] = await connection.query<EventRow>({ name: 'log-key', text: byKeyText, values: [projectKey, key] });
  return row && changeOf(row);
}
