import type { Connection } from '../open/connection.ts';
import { servicePartition } from '../rows.ts';

/** What the ordered entries of a project cover. */
export interface Generation {
  /** 0 for a project without a row. */
  readonly number: number;
  /** The paths whose entries every write maintains. */
  readonly paths: readonly string[];
  /** Those of them that all resources have entries for; undefined if not even the paths of ArrayTestType have. */
  readonly ready: readonly string[] | undefined;
  /** False if there may be resources that lack their terms: then no condition can be asked. */
  readonly hasTerms: boolean;
  /** The row does not say which paths it has: the next write registers another one. */
  readonly isDamaged?: boolean;
}

/** A column `ready` where even the terms are missing. */
export const withoutTerms = 'false';

/** The declared paths whose entries a query may use; undefined if it must use none at all. */
export type UsablePaths = readonly string[] | undefined;

/** The paths of a project without a row: those that the version before generations recorded for all projects. */
export type RecordedPaths = readonly string[];

const known = new Map<string, readonly string[]>();
const maxKnown = 1000;

/** Paths as a sorted list: equal lists are one object, so that they can be compared, and cached by identity. */
export function pathList(paths: Iterable<string>): readonly string[] {
  const list = [...new Set(paths)].sort();
  const text = JSON.stringify(list);
  const found = known.get(text);
  if (found) return found;
  if (known.size >= maxKnown) known.clear();
  known.set(text, list);
  return list;
}

/** True if all of the paths are in the list. */
export function covers(list: readonly string[] | undefined, paths: readonly string[]): boolean {
  return list !== undefined && (list === paths || paths.every((path) => list.includes(path)));
}

/** Which of the declared paths have entries. */
export function usablePaths(declared: readonly string[], ready: Generation['ready']): UsablePaths {
  if (ready === undefined || covers(ready, declared)) return ready && declared;
  return pathList(declared.filter((path) => ready.includes(path)));
}

/** A column `paths` or `ready`; undefined for `null`, and for a text that is damaged. */
function parsePaths(text: string): readonly string[] | undefined {
  try {
    const paths = JSON.parse(text) as string[] | null;
    return paths === null ? undefined : pathList(paths);
  } catch {
    return undefined;
  }
}

/** A column `ready` as text; NULL is that of a project without a row. */
export function parseReady(text: string | null | undefined, recorded: RecordedPaths): Generation['ready'] {
  return text === null || text === undefined ? recorded : parsePaths(text);
}

interface GenerationRow {
  readonly generation: number;
  readonly paths: string;
  readonly ready: string;
}

const newestText = `SELECT generation, paths, ready FROM index_generation WHERE project_key = $1
  ORDER BY generation DESC LIMIT 1`;

async function readNewest(connection: Connection, projectKey: string): Promise<Generation | undefined> {
  const [row] = await connection.query<GenerationRow>({ name: 'generation', text: newestText, values: [projectKey] });
  if (!row) return undefined;
  const parsed = parsePaths(row.paths);
  const paths = parsed ?? [];
  const ready = parsePaths(row.ready);
  const hasTerms = row.ready !== withoutTerms;
  // What no write maintains cannot be ready.
  return {
    number: row.generation,
    paths,
    ready: ready && covers(paths, ready) ? ready : undefined,
    hasTerms,
    isDamaged: parsed === undefined,
  };
}

/** The generation of a project as the snapshot of the statement has it. */
export async function readGeneration(
  connection: Connection,
  projectKey: string,
  recorded: RecordedPaths,
): Promise<Generation> {
  return (await readNewest(connection, projectKey)) ?? { number: 0, paths: recorded, ready: recorded, hasTerms: true };
}

const settingName = 'declared-paths';

/** Reads the paths of projects without a row. Nothing of this version writes them. */
export async function readRecordedPaths(connection: Connection): Promise<RecordedPaths> {
  const text = 'SELECT value FROM store_setting WHERE project_key = $1 AND name = $2';
  const [row] = await connection.query<{ value: string }>({ text, values: [servicePartition, settingName] });
  return (row && parsePaths(row.value)) ?? pathList([]);
}

/**
 * Sees to it, in a transaction, that every later write of the project maintains the declared paths, and returns its
 * generation. A project without resources has nothing to build. With `anew` all entries have to be built again.
 */
export async function registerPaths(
  connection: Connection,
  projectKey: string,
  declared: readonly string[],
  recorded: RecordedPaths,
  anew = false,
): Promise<Generation> {
  for (;;) {
    const found = await readNewest(connection, projectKey);
    if (found && !found.isDamaged && covers(found.paths, declared) && !anew) return found;
    const paths = anew ? declared : pathList([...(found?.paths ?? recorded), ...declared]);
    const ready = anew ? undefined : found ? found.ready : recorded;
    const number = (found?.number ?? 0) + 1;
    const next: Generation = { number, paths, ready, hasTerms: found?.hasTerms ?? true };
    if (await insertGeneration(connection, projectKey, next)) {
      // No other transaction can have written to the project: each needs a generation first, and waits for this one.
      if (found || anew || (await hasResources(connection, projectKey))) return next;
      await connection.run({
        text: `UPDATE index_generation SET ready = paths, step = 'done' WHERE project_key = $1 AND generation = $2`,
        values: [projectKey, number],
      });
      return { ...next, ready: paths };
    }
  }
}

async function insertGeneration(
  connection: Connection,
  projectKey: string,
  { number, paths, ready, hasTerms }: Generation,
): Promise<boolean> {
  const isDone = ready === paths;
  const readyText = hasTerms ? JSON.stringify(ready ?? null) : withoutTerms;
  const inserted = await connection.run({
    text: `INSERT INTO index_generation (project_key, generation, paths, ready, step, position, owner, lease_until)
      VALUES ($1, $2, $3, $4, $5, '', '', 0) ON CONFLICT DO NOTHING`,
    values: [projectKey, number, JSON.stringify(paths), readyText, isDone ? 'done' : 'clean'],
  });
  return inserted === 1;
}

/** True if a project has resources. */
export async function hasResources(connection: Connection, projectKey: string): Promise<boolean> {
  const found = await connection.query({
    text: 'SELECT 1 FROM resource WHERE project_key = $1 LIMIT 1',
    values: [projectKey],
  });
  return found.length > 0;
}

/** A write was prepared for paths that are no longer those of its project. Nothing of it may be committed. */
export class StaleGeneration extends Error {}

/**
 * Holds the generation of a project until the transaction ends: a newer one is built only when all that hold older ones
 * have ended. Throws `StaleGeneration` if the paths are not those of the generation. The lock does not wait for others
 * of its kind, nor for the changes that a build makes to the row.
 */
export async function holdGeneration(
  connection: Connection,
  projectKey: string,
  paths: readonly (readonly string[])[],
): Promise<void> {
  const [row] = await connection.query<Pick<GenerationRow, 'paths'>>({
    name: 'hold-generation',
    text: `SELECT paths FROM index_generation WHERE project_key = $1 ORDER BY generation DESC LIMIT 1 FOR KEY SHARE`,
    values: [projectKey],
  });
  const held = row && parsePaths(row.paths);
  if (!paths.every((each) => each === held)) throw new StaleGeneration();
}
