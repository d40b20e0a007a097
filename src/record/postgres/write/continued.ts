import type { Connection, Statement } from '../open/connection.ts';
import type { PutWrite } from './prepare-write.ts';

/**
 * Locks events. What restores a deleted resource locks its deletion before it looks whether that is still its last event,
 * and so does what forgets it: neither passes over the other. To be sent before the head of the log is locked.
 */
export function lockDeletions(projectKey: string, sequences: readonly number[]): Statement {
  const text = `SELECT sequence FROM event WHERE project_key = $1 AND sequence = ANY($2::bigint[])
    ORDER BY sequence FOR UPDATE`;
  return { name: 'lock-deletions', text, values: [projectKey, sequences] };
}

/**
 * Takes back those of some creates whose deleted resource is no longer what they continue, and returns them. It looks
 * after they were inserted: from then on no other transaction can restore the resource.
 */
export async function withdrawOvertaken(
  connection: Connection,
  projectKey: string,
  writes: readonly PutWrite[],
): Promise<readonly PutWrite[]> {
  if (writes.length === 0) return [];
  const ids = writes.map(({ id }) => id);
  const [, rows] = await Promise.all([
    connection.run(
      lockDeletions(
        projectKey,
        writes.map(({ continues }) => continues!),
      ),
    ),
    connection.query<{ id: string; last: number }>({
      name: 'last-events',
      text: `SELECT id, max(sequence) AS last FROM event WHERE project_key = $1 AND id = ANY($2::text[]) GROUP BY id`,
      values: [projectKey, ids],
    }),
  ]);
  const last = new Map(rows.map((row) => [row.id, row.last]));
  const overtaken = writes.filter(({ id, continues }) => last.get(id) !== continues);
  if (overtaken.length > 0) {
    await connection.run({
      text: 'DELETE FROM resource WHERE project_key = $1 AND id = ANY($2::text[])',
      values: [projectKey, overtaken.map(({ id }) => id)],
    });
  }
  return overtaken;
}
