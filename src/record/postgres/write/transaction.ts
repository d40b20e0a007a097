import type { StoreMetrics } from '../../../telemetry/store-metrics.ts';
import type { Connection } from '../open/connection.ts';
import {
  codeOf,
  isConflict,
  isFromServer,
  isWorthRepeating,
  outcomeUnknown,
  refusalOf,
  sqlState,
} from '../open/errors.ts';
import type { Pool } from '../open/pool.ts';

/** The connection failed after COMMIT was sent: the outcome is unknown. */
export class CommitLost extends Error {}

/**
 * Takes statements that were sent and need not be waited for: COMMIT is sent right behind them. If one of them fails,
 * PostgreSQL rolls back. Of work that sends the last of its statements later, `allSent` resolves when it has.
 */
export type LeaveToCommit = (sent: Promise<unknown>, allSent?: Promise<unknown>) => void;

/**
 * Runs work between BEGIN and COMMIT. Each statement sees what was committed before it began. Throws what the work
 * throws, or a statement that was left to the commit, `CommitLost`, or that it was rolled back.
 */
export async function inTransaction<T>(
  connection: Connection,
  work: (connection: Connection, leave: LeaveToCommit) => Promise<T>,
  onCommitted: (durableMs: number) => void,
): Promise<T> {
  // Not that of the role: events get their numbers in a snapshot that follows the lock of their log.
  const begun = connection.run({ text: 'BEGIN ISOLATION LEVEL READ COMMITTED' });
  const left: Promise<unknown>[] = [];
  const sending: Promise<unknown>[] = [];
  const leave: LeaveToCommit = (sent, allSent) => {
    sent.catch(() => {});
    left.push(sent);
    allSent?.catch(() => {});
    if (allSent) sending.push(allSent);
  };
  let result: T;
  try {
    [, result] = await Promise.all([begun, work(connection, leave)]);
    // What fails behind a statement that was refused fails because of it.
    await Promise.all(sending).catch(async (error: unknown) => {
      throw refusalAmong(await Promise.allSettled(left)) ?? error;
    });
  } catch (error) {
    if (connection.inTransaction()) await connection.run({ text: 'ROLLBACK' }).catch(() => {});
    throw error;
  }
  const sentMs = performance.now();
  const [committed, ...others] = await Promise.allSettled([connection.commit(), ...left]);
  if (committed.status === 'fulfilled' && committed.value) {
    onCommitted(performance.now() - sentMs);
    return result;
  }
  // A statement before COMMIT that the server refused is the end of the transaction, whatever became of the connection.
  const refusal = refusalAmong(others);
  if (refusal !== undefined) throw refusal;
  if (committed.status === 'fulfilled') throw failuresOf(others)[0] ?? new Error('The transaction was rolled back.');
  const error: unknown = committed.reason;
  // The server says that it rolled back. After any other error the outcome is unknown.
  if (isConflict(error) || codeOf(error) === sqlState.diskFull) throw error;
  throw new CommitLost('', { cause: error });
}

export type Work<T> = (connection: Connection, leave: LeaveToCommit) => Promise<T>;

/** Attempts of a transaction that other ones are in the way of. */
export const maxAttempts = 5;

/** Runs work in a transaction on a connection of the pool to the node. Rejects with a ServiceError, or what the work throws. */
export type Transact = <T>(work: Work<T>, operations: number, node: string) => Promise<T>;

/** Transactions are repeated after conflicts, and once if the server was not there: nothing was stored then. */
export function createTransactions(pool: Pool, metrics: StoreMetrics): Transact {
  return async (work, operations, node) => {
    const onCommitted = (durableMs: number) => metrics.recordCommit(operations, durableMs);
    for (let attempt = 1; ; attempt += 1) {
      const begunMs = performance.now();
      try {
        return await pool.use((connection) => inTransaction(connection, work, onCommitted), undefined, node);
      } catch (error) {
        if (error instanceof CommitLost) throw outcomeUnknown();
        // Nothing was stored before COMMIT was sent, so a repetition is safe.
        const attempts = isConflict(error) ? maxAttempts : isWorthRepeating(error, begunMs) ? 2 : 1;
        if (attempt >= attempts) throw refusalOf(error);
      }
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * attempt));
    }
  };
}

function failuresOf(results: readonly PromiseSettledResult<unknown>[]): readonly unknown[] {
  return results.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
}

/** What the server said first of statements that it refused. */
function refusalAmong(results: readonly PromiseSettledResult<unknown>[]): unknown {
  return failuresOf(results).find(isFromServer);
}
