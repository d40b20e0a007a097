import type { Generation } from '../generations/generation.ts';
import type { Connection } from '../open/connection.ts';
import type { Declared } from './declared-entries.ts';

export interface BuildOptions {
  /** A name that no other builder has. */
  readonly owner: string;
  /** Rows, or entries to delete, of one transaction. */
  readonly portion?: number;
  /** True to stop after the current portion. */
  readonly isStopped?: () => boolean;
  /** Called after each portion with the rows scanned since the last call. */
  readonly onScanned?: (rows: number) => void;
}

export const defaultPortion = 500;
/** How long a build is another's whose process is gone. */
export const leaseMs = 10_000;

/** A build that this process has claimed. */
export interface Build extends Generation {
  readonly projectKey: string;
  readonly owner: string;
  /** True if another build came as far as the scan. */
  readonly isCleaned: boolean;
  /** The paths that are not ready, and the entries that there are only because these are declared. */
  readonly missing: readonly string[];
  readonly prefixes: Declared;
}

/** Where a build is. */
export interface BuildStep {
  readonly step: string;
  readonly position: string;
}

/** The last resource that a build has come to. */
export async function positionOf(connection: Connection, { projectKey, number }: Build): Promise<string> {
  const [row] = await connection.query<{ position: string }>({
    text: 'SELECT position FROM index_generation WHERE project_key = $1 AND generation = $2',
    values: [projectKey, number],
  });
  return row?.position ?? '';
}

/**
 * Begins a portion: locks the row of the generation in a transaction. Undefined if the build is another's now. Further
 * statements may be sent without waiting; they count only if the portion is of the expected step.
 */
export async function beginPortion(
  connection: Connection,
  { projectKey, number, owner }: Build,
): Promise<BuildStep | undefined> {
  const [, rows] = await Promise.all([
    connection.run({ text: 'BEGIN' }),
    connection.query<BuildStep>({
      name: 'build-lock',
      text: `UPDATE index_generation SET lease_until = $4 WHERE project_key = $1 AND generation = $2 AND owner = $3
        RETURNING step, position`,
      values: [projectKey, number, owner, Date.now() + leaseMs],
    }),
  ]);
  return rows[0];
}

const nextSteps = {
  none: '',
  scan: `, step = 'scan'`,
  done: `, step = 'done', ready = paths, owner = '', lease_until = 0`,
} as const;

/** Ends a portion durably, at a position or with a step. Sent without waiting for the statements before. */
export async function endPortion(
  connection: Connection,
  { projectKey, number }: Build,
  position: string,
  next: keyof typeof nextSteps,
): Promise<void> {
  const text = `UPDATE index_generation SET position = $3${nextSteps[next]} WHERE project_key = $1 AND generation = $2`;
  const [, isCommitted] = await Promise.all([
    connection.run({ text, values: [projectKey, number, position] }),
    connection.commit(),
  ]);
  if (!isCommitted) throw new Error('The transaction was rolled back.');
}

/** Leaves nothing of a portion. */
export async function abandonPortion(connection: Connection): Promise<void> {
  if (connection.inTransaction()) await connection.run({ text: 'ROLLBACK' }).catch(() => {});
}
