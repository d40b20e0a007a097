import { type EventRow, endOfNumbers, eventColumns, isIntactEvent } from '../event-row.ts';
import type { RecordedPaths } from '../generations/generation.ts';
import type { Connection } from '../open/connection.ts';
import type { CountedEntries } from './check.ts';
import type { OnPart, Piece } from './check-piece.ts';

/** Rows that are read at once. */
const portion = 500;

/** The next events, up to the limit and 8 MiB of what they replaced, but at least one. */
const scanText = `SELECT q.* FROM (
    SELECT e.*, row_number() OVER (ORDER BY e.sequence) AS place,
      sum(octet_length(coalesce(e.before, ''))) OVER (ORDER BY e.sequence) AS bytes
    FROM (
      SELECT ${eventColumns} FROM event e WHERE e.project_key = $1 AND e.sequence > $2 ORDER BY e.sequence LIMIT $3
    ) e
  ) q WHERE q.bytes <= 8388608 OR q.place = 1 ORDER BY q.sequence`;

const lastText = 'SELECT max(sequence) AS last FROM event WHERE project_key = $1 AND sequence <= $2';

/** Checks events of a project, and that none between them is missing, in the snapshot of the open transaction. */
export async function checkLog(
  connection: Connection,
  { projectKey, behind, rows: limit = Number.POSITIVE_INFINITY }: Piece,
  _recorded: RecordedPaths,
  onPart: OnPart,
): Promise<CountedEntries> {
  let left = limit;
  const scan = async (after: string | number) => {
    const values = [projectKey, after, Math.min(portion, left)];
    // A damaged number that no log reaches is the last that can be read on from.
    const isEnd = left === 0 || Number(after) >= endOfNumbers;
    const rows = isEnd ? [] : await connection.query<EventRow>({ name: 'check-events', text: scanText, values });
    left -= rows.length;
    return rows;
  };
  let next = scan(behind);
  next.catch(() => {});
  // The one before the piece; where events were pruned there is none.
  const found = await connection.query<{ last: number | null }>({ text: lastText, values: [projectKey, behind] });
  let last = found[0]?.last ?? undefined;
  for (let rows = await next; rows.length > 0; rows = await next) {
    // Checked while the database reads on.
    next = scan(rows.at(-1)!.sequence);
    next.catch(() => {});
    const findings: string[] = [];
    for (const row of rows) {
      const name = `event ${projectKey}/${row.sequence}`;
      if (!isIntactEvent(row)) {
        findings.push(`${name}: its checksum does not match; reads of the log end before it; restore it from a backup`);
      }
      if (last !== undefined && row.sequence !== last + 1) {
        findings.push(
          `${name}: the one before it is missing; reads of the log end before it; restore it from a backup`,
        );
      }
      // A damaged number may be larger than a number can hold exactly: what follows such a one is found once.
      if (row.sequence === last) return nothingCounted;
      last = row.sequence;
    }
    onPart({ rows: rows.length, at: String(last), findings });
  }
  return nothingCounted;
}

const nothingCounted: CountedEntries = { entries: 0, damaged: 0 };
