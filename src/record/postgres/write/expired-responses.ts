import { holdsChecksum, type Row } from '../../row/checked-table.ts';
import { responses, selected } from '../checked-tables.ts';
import type { Connection } from '../open/connection.ts';
import { responseKey, responsePartition } from '../rows.ts';
import type { PreparedWrite } from './prepare-write.ts';

const where = 'project_key = $1 AND scope_hash = ANY($2::text[]) AND expires_at <= $3';

/**
 * Deletes the responses under the scopes of writes that have expired, and returns their number. A damaged one does not say when it
 * expires: it stays, and its scope is taken.
 */
export async function deleteExpired(
  connection: Connection,
  writes: readonly PreparedWrite[],
  nowMs: number,
): Promise<number> {
  let deleted = 0;
  const scopes = writes.map(({ response }) => response!.scope);
  for (const [projectKey, some] of Map.groupBy(scopes, responsePartition)) {
    const values = [projectKey, some.map(responseKey), nowMs];
    const text = `SELECT ${selected(responses)} FROM idempotent_answer WHERE ${where}`;
    const found = await connection.query<Row>({ name: 'expired-responses', text, values });
    const expired = found.filter((row) => holdsChecksum(responses, row)).map(({ scope_hash }) => scope_hash);
    if (expired.length === 0) continue;
    const remove = `DELETE FROM idempotent_answer WHERE ${where}`;
    deleted += await connection.run({
      name: 'delete-expired-responses',
      text: remove,
      values: [projectKey, expired, nowMs],
    });
  }
  return deleted;
}
