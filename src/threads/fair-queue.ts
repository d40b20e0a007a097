/** Number of projects whose last turn is remembered. */
const maxServed = 1000;

/**
 * A queue in which the projects take turns: the one that was served longest ago comes first. So what arrives after a thousand items
 * of another project waits for none of them, and no project waits for another one twice.
 */
export class FairQueue<T extends { readonly projectKey: string }> {
  size = 0;
  /** Waiting items by project. */
  readonly #lines = new Map<string, T[]>();
  /** When projects were served, counted in items, the longest ago first; those that are not here have not been for long. */
  readonly #served = new Map<string, number>();
  #items = 0;

  sizeOf(projectKey: string): number {
    return this.#lines.get(projectKey)?.length ?? 0;
  }

  add(item: T): void {
    const line = this.#lines.get(item.projectKey);
    if (line) line.push(item);
    else this.#lines.set(item.projectKey, [item]);
    this.size += 1;
  }

  /** The first item of the project whose turn it is: of those that have not been served for long, the one that waits longest. */
  take(): T | undefined {
    let next: string | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const projectKey of this.#lines.keys()) {
      const served = this.#served.get(projectKey) ?? 0;
      if (served >= least) continue;
      [next, least] = [projectKey, served];
      if (served === 0) break;
    }
    if (next === undefined) return undefined;
    const line = this.#lines.get(next)!;
    const item = line.shift()!;
    if (line.length === 0) this.#lines.delete(next);
    this.size -= 1;
    this.#items += 1;
    this.#served.delete(next);
    this.#served.set(next, this.#items);
    if (this.#served.size > maxServed) this.#served.delete(this.#served.keys().next().value!);
    return item;
  }

  /** Removes the items for which `isRemoved` is true, and returns them. */
  remove(isRemoved: (item: T) => boolean): readonly T[] {
    const removed: T[] = [];
    for (const [projectKey, line] of this.#lines) {
      const { gone = [], left = [] } = Object.groupBy(line, (item) => (isRemoved(item) ? 'gone' : 'left'));
      if (gone.length === 0) continue;
      removed.push(...gone);
      if (left.length > 0) this.#lines.set(projectKey, left);
      else this.#lines.delete(projectKey);
    }
    this.size -= removed.length;
    return removed;
  }
}
