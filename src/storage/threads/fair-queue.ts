/**
 * A queue in which the projects take turns: what arrives after a thousand items of another project waits for one of them.
 */
export class FairQueue<T extends { readonly projectKey: string }> {
  /** Waiting items by project; the project whose turn it is comes first. */
  #lines = new Map<string, T[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  sizeOf(projectKey: string): number {
    return this.#lines.get(projectKey)?.length ?? 0;
  }

  add(item: T): void {
    const line = this.#lines.get(item.projectKey);
    if (line) line.push(item);
    else this.#lines.set(item.projectKey, [item]);
    this.#size += 1;
  }

  /** The first item of the project whose turn it is. */
  take(): T | undefined {
    const [first] = this.#lines;
    if (!first) return undefined;
    const [projectKey, line] = first;
    const item = line.shift()!;
    this.#lines.delete(projectKey);
    if (line.length > 0) this.#lines.set(projectKey, line);
    this.#size -= 1;
    return item;
  }

  /** Puts items that were taken in vain back to where they were: before all others, in their order. */
  putBack(items: readonly T[]): void {
    const lines = new Map<string, T[]>();
    for (const [projectKey, some] of Map.groupBy(items, (item) => item.projectKey)) {
      lines.set(projectKey, [...some, ...(this.#lines.get(projectKey) ?? [])]);
    }
    for (const [projectKey, line] of this.#lines) if (!lines.has(projectKey)) lines.set(projectKey, line);
    this.#lines = lines;
    this.#size += items.length;
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
    this.#size -= removed.length;
    return removed;
  }
}
