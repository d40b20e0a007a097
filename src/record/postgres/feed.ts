import type { StoredRow } from '../row/stored-row.ts';
import { endOfNumbers, headPruned } from './event-row.ts';
import type { Connection } from './open/connection.ts';
import { rowColumns } from './rows.ts';

/** The head of a log, as a mirror compares it with its position. */
export interface FeedHead {
  readonly epoch: string;
  readonly pruned: number;
}

/** An event, and the resource as it is now: at its last event, and at the one that created it. */
export interface FeedEvent {
  readonly sequence: number;
  readonly checksum: number;
  readonly type: string;
  readonly id: string;
  readonly row: FeedRow | undefined;
}

export type FeedRow = StoredRow & { readonly born: number };

/** What is new of a project. */
export interface FeedPage {
  /** Undefined where the project has no log. */
  readonly head: FeedHead | undefined;
  /** From the position on, ascending; the first one is that at the position, where it is still there. */
  readonly events: readonly FeedEvent[];
  /** There are more. */
  readonly isCut: boolean;
  /** The number of the last event of the log that is known. */
  readonly last: number;
  /** How many events to ask for next. */
  readonly next: number;
}

/** Rows per statement: the first batch, the maximum, and the maximum in characters. A statement has a deadline. */
export const firstRows = 32;
const [mostRows, mostCharacters] = [2000, 8_388_608];
/** The database is asked for the last event where a page of so many is not the last one. */
const farBehind = 512;

/** How many rows to read next, after some: documents of a project are about as long as those before. */
function rowsAfter(count: number, rows: readonly (FeedRow | undefined)[]): number {
  const characters = rows.reduce(
    (sum, row) => sum + (row ? row.current.length + (row.staged?.length ?? 0) + row.history.length : 0),
    0,
  );
  const fitting = Math.floor((mostCharacters * rows.length) / Math.max(characters, 1));
  return Math.max(1, Math.min(count * 4, fitting, mostRows));
}

/** What tells an event from that of another log, and stays when the event is forgotten: its own checksum does not. */
const eventMark = "hashtext(concat_ws(' ', e.at, e.type, e.id, e.version, e.incarnation, e.total)) AS checksum";

/** `$1`: the project, `$2`: the position. The limits keep the order of the joins, so that no plan reads a whole table. */
const pullText = `SELECT h.epoch, ${headPruned} AS pruned, e.sequence AS event_sequence, e.checksum AS event_checksum,
    e.type AS event_type, e.id AS event_id, r.born, ${rowColumns}
  FROM event_head h
    LEFT JOIN LATERAL (SELECT e.sequence, ${eventMark}, e.type, e.id FROM event e
      WHERE e.project_key = $1 AND e.sequence >= $2 AND e.sequence < ${endOfNumbers}
      ORDER BY e.sequence LIMIT $3) e ON true
    LEFT JOIN LATERAL (SELECT * FROM resource r WHERE r.project_key = $1 AND r.id = e.id
      AND (r.changed = e.sequence OR r.born = e.sequence) AND e.sequence > $2 LIMIT 1) r ON true
  WHERE h.project_key = $1 ORDER BY e.sequence`;

type PulledRow = { [name in keyof FeedRow]: FeedRow[name] | null } & {
  readonly epoch: string;
  readonly pruned: number;
  readonly event_sequence: number | null;
  readonly event_checksum: number;
  readonly event_type: string;
  readonly event_id: string;
};

/** Asks whether there is anything new of a project behind a position, and brings it, in one statement, whose snapshot makes events and rows agree. */
export async function pull(
  connection: Connection,
  projectKey: string,
  position: number,
  count: number,
): Promise<FeedPage> {
  const values = [projectKey, position, count + 1];
  const rows = await connection.query<PulledRow>({ name: 'pull', text: pullText, values });
  const [first] = rows;
  if (!first) return { head: undefined, events: [], isCut: false, last: 0, next: count };
  const events = rows.flatMap((row): FeedEvent[] => {
    const { event_sequence: sequence, event_checksum: checksum, event_type: type, event_id: id } = row;
    if (sequence === null) return [];
    return [{ sequence, checksum, type, id, row: row.id === null ? undefined : (row as FeedRow) }];
  });
  const { epoch, pruned } = first;
  const next = rowsAfter(
    count,
    events.map(({ row }) => row),
  );
  const isCut = rows.length === count + 1;
  const isFarBehind = isCut && count >= farBehind;
  const last = isFarBehind ? await lastOf(connection, projectKey) : (events.at(-1)?.sequence ?? 0);
  return { head: { epoch, pruned }, events, isCut, last, next };
}

async function lastOf(connection: Connection, projectKey: string): Promise<number> {
  const text = `SELECT max(sequence) AS last FROM event WHERE project_key = $1 AND sequence < ${endOfNumbers}`;
  const [row] = await connection.query<{ last: number | null }>({ text, values: [projectKey] });
  return row?.last ?? 0;
}

const headText = `SELECT h.epoch, ${headPruned} AS pruned, coalesce(e.sequence, ${headPruned}) AS last, coalesce(e.checksum, 0) AS checksum,
    (SELECT count(*) FROM resource r WHERE r.project_key = $1) AS rows
  FROM event_head h LEFT JOIN LATERAL (SELECT e.sequence, ${eventMark} FROM event e
    WHERE e.project_key = $1 AND e.sequence < ${endOfNumbers} ORDER BY e.sequence DESC LIMIT 1) e ON true
  WHERE h.project_key = $1`;

/** Of the statements of a copy, but for those that count and sort the project: the connection may be lost without a word. */
const timeoutMs = 5000;

/** Where a copy of a project ends. */
export type SnapshotHead = FeedHead & { readonly last: number; readonly checksum: number; readonly rows: number };

/** Of a project without a head, which its next commit makes: its epoch is that of no log. */
const noHead: SnapshotHead = { epoch: '', pruned: 0, last: 0, checksum: 0, rows: 0 };

/**
 * Reads a project as it is in one snapshot, in the order in which its resources were created, and the position of the log in it.
 * Undefined where it has neither a log nor resources.
 */
export async function copy(
  connection: Connection,
  projectKey: string,
  onRows: (rows: readonly FeedRow[], head: SnapshotHead) => Promise<void>,
): Promise<SnapshotHead | undefined> {
  await connection.run({ text: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', timeoutMs });
  try {
    const settings = 'SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL statement_timeout = 0';
    await connection.run({ text: settings, timeoutMs });
    const [found] = await connection.query<SnapshotHead>({ text: headText, values: [projectKey] });
    const head = found ?? noHead;
    let isEmpty = true;
    const rows = `SELECT r.born, ${rowColumns} FROM resource r WHERE r.project_key = $1 ORDER BY r.born`;
    await connection.run({ text: `DECLARE copy NO SCROLL CURSOR FOR ${rows}`, values: [projectKey], timeoutMs });
    let count = firstRows;
    const fetch = (isFirst = false) =>
      connection.query<FeedRow>({ text: `FETCH ${count} FROM copy`, ...(!isFirst && { timeoutMs }) });
    for (let next = fetch(true); ; ) {
      const fetched = await next;
      if (fetched.length === 0) return isEmpty ? found : head;
      isEmpty = false;
      count = rowsAfter(count, fetched);
      // The next ones are read while these are applied.
      next = fetch();
      next.catch(() => {});
      await onRows(fetched, head);
    }
  } finally {
    if (connection.inTransaction()) await connection.run({ text: 'ROLLBACK', timeoutMs }).catch(() => {});
  }
}
