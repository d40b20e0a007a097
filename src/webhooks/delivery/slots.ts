export type Slots = ReturnType<typeof createSlots>;

/** A bound for what all subscriptions of a process do at the same time: the given number of slots, all free. */
export function createSlots(count: number) {
  let left = count;
  const waiting = new Set<() => void>();
  return {
    /** Takes a slot; if none is free, calls `onFree` once when one may be: all who wait, in their order. */
    take(onFree: () => void): boolean {
      if (left === 0) {
        waiting.add(onFree);
        return false;
      }
      left -= 1;
      return true;
    },
    free(): void {
      left += 1;
      const asked = [...waiting];
      waiting.clear();
      for (const onFree of asked) onFree();
    },
  };
}
