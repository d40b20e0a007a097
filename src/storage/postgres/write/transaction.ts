import type { Connection } from '../open/connection.ts';
import { codeOf, isConflict, sqlState } from '../open/errors.ts';

/** The connection failed after COMMIT was sent: the outcome is unknown. */
export class CommitLost extends Error {}

/** Runs work between BEGIN and COMMIT. Throws what the work throws, `CommitLost`, or that it was rolled back. */
export async function inTransaction<T>(
  connection: Connection,
  work: (connection: Connection) => Promise<T>,
  onCommitted: (durableMs: number) => void,
): Promise<T> {
  const begun = connection.run({ text: 'BEGIN' });
  let result: T;
  try {
    [, result] = await Promise.all([begun, work(connection)]);
  } catch (error) {
    if (connection.inTransaction()) await connection.run({ text: 'ROLLBACK' }).catch(() => {});
    throw error;
  }
  const sentMs = performance.now();
  let committed: boolean;
  try {
    committed = await connection.commit();
  } catch (error) {
    // The server says that it rolled back. After any other error the outcome is unknown.
    if (isConflict(error) || codeOf(error) === sqlState.diskFull) throw error;
    throw new CommitLost('', { cause: error });
  }
  if (!committed) throw new Error('The transaction was rolled back.');
  onCommitted(performance.now() - sentMs);
  return result;
}
