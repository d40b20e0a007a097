/** The group of what depends on no other server than the one that it is sent to. */
export const noGroup = '';

/**
 * Divides a number of places among groups, so that one whose server does not respond leaves places for the others: a
 * group may have as many as are free. One group alone has half of them, two that hang leave a third, and so on; with
 * traffic for all groups nearly all places are in use. What belongs to no group may have all.
 */
export class Shares {
  readonly #size: number;
  readonly #held = new Map<string, number>();
  /** The places that are taken. */
  taken = 0;

  constructor(size: number) {
    this.#size = size;
  }

  /** Takes a place for the group, if it may have one more. */
  tryEnter(group: string): boolean {
    const free = this.#size - this.taken;
    const own = this.#held.get(group) ?? 0;
    if (free === 0 || (group !== noGroup && own > 0 && own >= free)) return false;
    this.taken += 1;
    this.#held.set(group, own + 1);
    return true;
  }

  leave(group: string): void {
    this.taken -= 1;
    const own = this.#held.get(group)! - 1;
    if (own === 0) this.#held.delete(group);
    else this.#held.set(group, own);
  }
}
