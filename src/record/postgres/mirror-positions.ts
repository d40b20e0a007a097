import type { Connection } from './open/connection.ts';

/** How far the mirrors of machines are, as each publishes it: writers wait for the slowest. */

/** The position of the mirror of a machine in the log of a project. */
export interface PublishedPosition {
  readonly sequence: number;
  /** What it takes that machine to apply a change. */
  readonly ms_of_change: number;
  /** How long ago it was published, by the clock of the database. */
  readonly age_ms: number;
}

/** A machine that published nothing for so long no longer counts. */
export const goneMs = 3000;

const clock = 'extract(epoch FROM statement_timestamp())::float8 * 1000';

const publishText = `INSERT INTO mirror_position (project_key, node, sequence, ms_of_change, at)
  SELECT p.project_key, $1, p.sequence, $4::float8, ${clock} FROM unnest($2::text[], $3::bigint[]) p (project_key, sequence)
  ON CONFLICT (project_key, node)
    DO UPDATE SET sequence = excluded.sequence, ms_of_change = excluded.ms_of_change, at = excluded.at`;
const removeText = `DELETE FROM mirror_position WHERE node = $1 OR at < ${clock} - 60000`;
/** Statements about several projects: no request waits for them. */
export const publicationTexts = [publishText, removeText];
const readText = `SELECT sequence, ms_of_change, ${clock} - at AS age_ms FROM mirror_position
  WHERE project_key = $1 AND node <> $2 AND at > ${clock} - ${goneMs}`;

/** Publishes the positions of a machine by project. */
export async function publishPositions(
  connection: Connection,
  node: string,
  positions: ReadonlyMap<string, number>,
  msOfChange: number,
): Promise<void> {
  const values = [node, [...positions.keys()], [...positions.values()], msOfChange];
  await connection.run({ name: 'publish-positions', text: publishText, values });
}

/** Removes what a machine published, and what others left a minute ago. */
export async function removePositions(connection: Connection, node: string): Promise<void> {
  await connection.run({ text: removeText, values: [node] });
}

/** Reads what other machines published of a project. */
export function readPositions(
  connection: Connection,
  projectKey: string,
  node: string,
): Promise<readonly PublishedPosition[]> {
  return connection.query({ name: 'read-positions', text: readText, values: [projectKey, node] });
}
