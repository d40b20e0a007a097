import type { DatabaseSync } from 'node:sqlite';

/**
 * A change of a large document whose terms are being written in portions, each in a transaction of its own.
 * Until it has all of them, the indexes of its project are not those of any moment, although `store.indexed` has passed it.
 */
export type PartlyIndexed = readonly [sequence: number, row: number, projectKey: string];

/**
 * The changes that are indexed in part, in SQL over `store`: the JSON of an array of `PartlyIndexed`, NULL where there are none.
 * They are kept in the settings that the indexes were built with, so that a version that does not know them builds the indexes
 * again.
 */
export const partlyIndexed = `iif(instr(settings, '"partly"'), settings -> '$.partly', NULL)`;

/** The number up to which all changes are indexed as a whole, in SQL over `store`: records of later ones are needed. */
export const indexedAsWhole = `iif(instr(settings, '"partly"'),
  coalesce((SELECT min(value ->> 0) - 1 FROM json_each(settings, '$.partly')), indexed), indexed)`;

/** The value of `partlyIndexed`. */
export function parsePartly(text: string | null): readonly PartlyIndexed[] {
  return text === null ? [] : (JSON.parse(text) as readonly PartlyIndexed[]);
}

/** Whether something of a project is indexed in part. */
export function isPartly(partly: readonly PartlyIndexed[], projectKey: string): boolean {
  return partly.some(([, , other]) => other === projectKey);
}

/** The changes that are indexed in part. */
export function readPartlyIndexed(db: DatabaseSync): readonly PartlyIndexed[] {
  return parsePartly(
    (db.prepare(`SELECT ${partlyIndexed} AS partly FROM store`).get() as { partly: string | null }).partly,
  );
}

interface Stored {
  readonly partly?: readonly PartlyIndexed[];
}

/** The settings that the indexes were built with, without what is indexed in part. */
export function settingsWithoutPartly(settings: string): string {
  if (!settings.includes('"partly"')) return settings;
  const { partly: _, ...others } = JSON.parse(settings) as Stored;
  return JSON.stringify(others);
}

/** Reads and writes, inside the open transaction, which changes are indexed in part. */
export interface PartlyIndexedList {
  read(): readonly PartlyIndexed[];
  add(more: readonly PartlyIndexed[]): void;
  remove(sequence: number): void;
}

/** Prepares it on a connection that writes. */
export function createPartlyIndexedList(db: DatabaseSync): PartlyIndexedList {
  const settingsOf = db.prepare('SELECT settings FROM store');
  const setSettings = db.prepare('UPDATE store SET settings = ?');
  const read = db.prepare(`SELECT ${partlyIndexed} AS partly FROM store`);

  function list(): readonly PartlyIndexed[] {
    return parsePartly((read.get() as { partly: string | null }).partly);
  }

  function write(partly: readonly PartlyIndexed[]): void {
    const { settings } = settingsOf.get() as { settings: string };
    const others = settingsWithoutPartly(settings);
    setSettings.run(partly.length === 0 ? others : JSON.stringify({ ...JSON.parse(others), partly }));
  }

  return {
    read: list,
    add: (more) => write([...list(), ...more]),
    remove: (sequence) => write(list().filter(([other]) => other !== sequence)),
  };
}
