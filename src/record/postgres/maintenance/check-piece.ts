import { ServiceError } from '../../../contract/errors.ts';
import type { RecordedPaths } from '../generations/generation.ts';
import type { Connection } from '../open/connection.ts';
import { refusalOf } from '../open/errors.ts';
import { type CountedEntries, checkResources } from './check.ts';
import { checkLog } from './check-log.ts';

/** Rows of one project that are checked in one snapshot by one session. */
export interface Piece {
  readonly table: 'resource' | 'event';
  readonly projectKey: string;
  /** It begins behind this id, or this sequence. */
  readonly behind: string;
  /** So many rows of `resource`, or sequences of `event`. Without it, all that follow. */
  readonly rows?: number;
  /** A snapshot that another session keeps open, so that all pieces of a project are of the same. */
  readonly snapshot?: string;
}

/** What came of the next rows of a piece. */
export interface CheckedPart {
  readonly rows: number;
  /** The last id or sequence; absent where no row was looked at. */
  readonly at: string | undefined;
  readonly findings: readonly string[];
}

export type OnPart = (part: CheckedPart) => void;

/** Begins a transaction that reads in one snapshot. It may wait for long between two statements. */
export async function beginSnapshot(connection: Connection, snapshot?: string): Promise<void> {
  const shared = snapshot === undefined ? '' : `; SET TRANSACTION SNAPSHOT '${snapshot}'`;
  await Promise.all([
    connection.run({ text: `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY${shared}` }),
    connection.run({ text: 'SET LOCAL idle_in_transaction_session_timeout = 0' }),
  ]);
}

/** What to throw for an error of a check: a refusal that says so where the database could not be asked. */
export function failureOf(error: unknown): unknown {
  const refusal = refusalOf(error);
  return refusal instanceof ServiceError && refusal.status >= 500 ? refusal : error;
}

/** Checks a piece in a transaction of its own. */
export async function checkPiece(
  connection: Connection,
  recorded: RecordedPaths,
  piece: Piece,
  onPart: OnPart,
): Promise<CountedEntries> {
  try {
    await beginSnapshot(connection, piece.snapshot);
    const check = piece.table === 'resource' ? checkResources : checkLog;
    const counted = await check(connection, piece, recorded, onPart);
    await connection.commit();
    return counted;
  } catch (error) {
    if (connection.inTransaction()) await connection.run({ text: 'ROLLBACK' }).catch(() => {});
    throw failureOf(error);
  }
}
