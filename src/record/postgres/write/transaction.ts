import type { StoreMetrics } from '../../../telemetry/store-metrics.ts';
import type { Connection } from '../open/connection.ts';
import { codeOf, isConflict, isWorthRepeating, outcomeUnknown, refusalOf, sqlState } from '../open/errors.ts';
import type { Pool } from '../open/pool.ts';

/** The connection failed after COMMIT was sent: the outcome is unknown. */
export class CommitLost extends Error {}

/** Runs statements inside the open transaction. */
export type Work<T> = (connection: Connection) => Promise<T>;

/**
 * Runs work between BEGIN and COMMIT. Each statement sees what was committed before it began. Throws what the work
 * throws, `CommitLost`, or that it was rolled back.
 */
export async function inTransaction<T>(
  connection: Connection,
  work: Work<T>,
  onCommitted: (durableMs: number) => void,
): Promise<T> {
  // Not that of the role: events get their numbers in a snapshot that follows the lock of their log.
  const begun = connection.run({ text: 'BEGIN ISOLATION LEVEL READ COMMITTED' });
  let result: T;
  try {
    [, result] = await Promise.all([begun, work(connection)]);
  } catch (error) {
    if (connection.inTransaction()) await connection.run({ text: 'ROLLBACK' }).catch(() => {});
    throw error;
  }
  const sentMs = performance.now();
  const isCommitted = await connection.commit().catch((error: unknown) => {
    // The server says that it rolled back. After any other error the outcome is unknown.
    if (isConflict(error) || codeOf(error) === sqlState.diskFull) throw error;
    throw new CommitLost('', { cause: error });
  });
  if (!isCommitted) throw new Error('The transaction was rolled back.');
  onCommitted(performance.now() - sentMs);
  return result;
}

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
        return await pool.use((connection) => inTransaction(connection, work, onCommitted), node);
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
