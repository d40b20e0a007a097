import type { DatabaseSync } from 'node:sqlite';
import { boundedCount } from '../../sqlite/position.ts';
import { isNumberedRow } from '../../sqlite/row-numbers.ts';

/*
 * While the indexes are built again (decision 226), the settings that they were built with name the last row whose terms they
 * have: `rebuilding`. A version that does not know the name finds
 * other settings than its own, and begins anew.
 */

/** True if the indexes are being built again, in SQL over `store`. With the colon: a declared path may be called so. */
export const isRebuilding = `(instr(settings, '"rebuilding":') > 0)`;

/** The last row whose terms the indexes have, in SQL over `store`; NULL where they have those of all rows. */
const builtTo = `iif(${isRebuilding}, settings -> '$.rebuilding', NULL)`;

/** The settings that the indexes are built with, without how far they are. */
export function builtSettings(settings: string): string {
  if (!settings.includes('"rebuilding":')) return settings;
  const { rebuilding: _, ...others } = JSON.parse(settings) as { readonly rebuilding?: number };
  return JSON.stringify(others);
}

/** The last row whose terms the indexes have; infinite where they have those of all. */
export function readBuiltTo(db: DatabaseSync): number {
  return rowOf((db.prepare(`SELECT ${builtTo} AS row FROM store`).get() as { row: string | null }).row);
}

function rowOf(row: string | null): number {
  return row === null ? Number.POSITIVE_INFINITY : Number(row);
}

/** Reads and writes, inside the open transaction, how far the indexes are built. */
export interface RebuildMark {
  /** The last row whose terms are there; infinite where all are. */
  read(): number;
  write(row: number): void;
}

/** Prepares it on a connection that writes. */
export function createRebuildMark(db: DatabaseSync): RebuildMark {
  const read = db.prepare(`SELECT ${builtTo} AS row FROM store`);
  const settingsOf = db.prepare('SELECT settings FROM store');
  const setSettings = db.prepare('UPDATE store SET settings = ?');
  return {
    read: () => rowOf((read.get() as { row: string | null }).row),
    write(row) {
      const { rebuilding: _, ...others } = JSON.parse((settingsOf.get() as { settings: string }).settings);
      setSettings.run(JSON.stringify(Number.isFinite(row) ? { ...others, rebuilding: row } : others));
    },
  };
}

/** Why nothing can be listed or searched while the indexes are built again; undefined where they are whole. */
export type ReadRebuildProblem = () => string | undefined;

/** Prepares reading it. How far it is goes by the numbers of the rows, since to count them takes long. */
export function createRebuildProblem(db: DatabaseSync): ReadRebuildProblem {
  const read = db.prepare(
    `SELECT ${builtTo} AS row, (SELECT max(row) FROM resource WHERE ${isNumberedRow}) AS last FROM store`,
  );
  return () => {
    const { row, last } = read.get() as { row: string | null; last: number | null };
    if (row === null) return undefined;
    const share = Math.floor((100 * Math.max(0, Number(row))) / Math.max(1, last ?? 1));
    return `The indexes are being rebuilt (${share} % done), so nothing can be listed or searched yet. Reads by id or key and writes still work. Try again later.`;
  };
}

/** The log message about a rebuild outside the service. */
export interface RebuildProgress {
  /** After each portion. */
  portion(): void;
  ended(): void;
}

/** How far it is goes into the log so often. */
const noteMs = 10_000;

/** Begins to note how far the indexes are. */
export function createRebuildProgress(db: DatabaseSync, note: (text: string) => void): RebuildProgress {
  const count = db.prepare(`SELECT coalesce(sum(${boundedCount('resources')}), 0) AS done FROM project`);
  const countDone = () => (count.get() as { done: number }).done;
  const { total } = db.prepare('SELECT count(*) AS total FROM resource').get() as { total: number };
  const begun = { ms: performance.now(), done: countDone() };
  let notedMs = begun.ms;

  function noteNow(text: string): void {
    const seconds = (performance.now() - begun.ms) / 1000;
    const done = countDone();
    const rate = Math.round((done - begun.done) / seconds);
    note(`indexing the values: ${done} of ${total}, ${rate} each second; ${text}`);
  }

  note(
    `indexing the values: ${begun.done} of ${total}; the service does the rest in the background. Until then lists and searches get 503 OverCapacity; reads by id or key and writes work`,
  );
  return {
    portion() {
      const now = performance.now();
      if (now - notedMs < noteMs) return;
      notedMs = now;
      noteNow('lists and searches still have to wait');
    },
    ended: () => noteNow('everything can be listed and searched again'),
  };
}
