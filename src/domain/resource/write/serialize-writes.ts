import type { ResourceStore } from '../../ports/resource-store.ts';

/** The last in the line for each contested name, by store. A name without a line takes no memory. */
const lines = new WeakMap<ResourceStore, Map<string, Promise<unknown>>>();

/**
 * Runs a write of a contested resource when those before it in the line are done. Without it every round of losses
 * would have one winner and all others decide again in vain: n writers of one resource would cost n² decisions.
 * It saves work in this process; that no update is lost is the store's doing.
 */
export async function inTurn<T>(store: ResourceStore, name: string, run: () => Promise<T>): Promise<T> {
  const line = lines.get(store) ?? new Map<string, Promise<unknown>>();
  lines.set(store, line);
  const mine = (line.get(name) ?? Promise.resolve()).then(run, run);
  line.set(name, mine);
  try {
    return await mine;
  } finally {
    if (line.get(name) === mine) line.delete(name);
  }
}
