/**
 * Divides a number of places among groups, so that one whose server does not respond leaves places for the others: a
 * group may have as many as are free. One group alone has half of them, two that hang leave a third, and so on; with
 * traffic for all groups nearly all places are in use. What belongs to no group may have all.
 */
export interface Shares {
  /** Takes a place for the group, if it may have one more. */
  tryEnter(group: string): boolean;
  leave(group: string): void;
  /** The places that are taken. */
  readonly taken: number;
}

/** The group of what depends on no other server than the one that it is sent to. */
export const noGroup = '';

/** Creates shares of the given number of connections. */
export function createShares(size: number): Shares {
  const held = new Map<string, number>();
  let taken = 0;
  return {
    tryEnter(group) {
      const free = size - taken;
      const own = held.get(group) ?? 0;
      if (free === 0 || (group !== noGroup && own > 0 && own >= free)) return false;
      taken += 1;
      held.set(group, own + 1);
      return true;
    },
    leave(group) {
      taken -= 1;
      const own = held.get(group)! - 1;
      if (own === 0) held.delete(group);
      else held.set(group, own);
    },
    get taken() {
      return taken;
    },
  };
}
