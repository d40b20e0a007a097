import type { Write } from './prepare-write.ts';

/**
 * What one transaction may cost, in entries of the indexes: some tenths of a second. Common writes have about a hundred
 * each; one that has more than all of this is large, and has a transaction of its own.
 */
export const maxBatchCost = 32_768;

/** To write so many characters of a document costs as much as one entry. */
const charactersPerEntry = 16;

/** What the database has to do for a write, in entries of its indexes. */
export function costOf(write: Write): number {
  const entries = write.words.length + write.lostEntries.length + write.gainedEntries.length;
  if (!('row' in write)) return entries + 1;
  const characters = write.row.current.length + (write.row.staged?.length ?? 0);
  return entries + write.termCount + Math.ceil(characters / charactersPerEntry);
}

/** Some of the writes that wait, and the others in their order. */
export interface Batch<T> {
  readonly batch: readonly T[];
  readonly rest: T[];
  readonly isLarge: boolean;
}

/**
 * The next writes for a transaction, at most `most`, given in the order in which they came. The projects take turns, the
 * writes of one keep their order. A large write goes alone, when it is the oldest and the last transaction was not such
 * a one (`wasLarge`), or where nothing else waits: others wait for one of them. Two writes with a response
 * under one scope do not share a transaction.
 */
export function takeBatch<T extends { readonly write: Write }>(
  waiting: readonly T[],
  most: number,
  wasLarge: boolean,
): Batch<T> {
  const [oldest] = waiting;
  if (!oldest) return { batch: [], rest: [], isLarge: false };
  const alone = { batch: [oldest], rest: waiting.slice(1), isLarge: true };
  if (!wasLarge && costOf(oldest.write) > maxBatchCost) return alone;
  const taken = new Set<T>();
  const scopes = new Set<string>();
  let cost = 0;
  /** By project, what is left of it; the next of each in turn. */
  const lines = new Map(
    [...Map.groupBy(waiting, ({ write }) => write.projectKey)].map(([key, all]) => [key, all.values()]),
  );
  for (let took = true; took; ) {
    took = false;
    for (const [projectKey, line] of lines) {
      const { value: next } = line.next();
      const scope = next?.write.response?.scope;
      const costs = next ? costOf(next.write) : 0;
      const fits = taken.size < most && cost + costs <= maxBatchCost && (scope === undefined || !scopes.has(scope));
      if (!next || !fits) {
        // What comes after it must not overtake it.
        lines.delete(projectKey);
        continue;
      }
      took = true;
      taken.add(next);
      cost += costs;
      if (scope !== undefined) scopes.add(scope);
    }
  }
  if (taken.size === 0) return alone;
  return { batch: [...taken], rest: waiting.filter((each) => !taken.has(each)), isLarge: false };
}
