import { setImmediate as nextRound } from 'node:timers/promises';

/** Bodies of more bytes are large: to parse and to decide them takes milliseconds each. */
export const largeBytes = 65_536;

/** When the last of the large bodies has had its rounds. */
let free: Promise<unknown> = Promise.resolve();

/**
 * Parses a large body in a round of the event loop of its own, and ends in the next one, in which it is decided. Bodies have their
 * two rounds in the order in which they came, and what others sent meanwhile comes between.
 */
export async function inLargeTurn<T>(parse: () => T): Promise<T> {
  const begins = free.then(() => nextRound());
  free = begins.then(() => nextRound());
  await begins;
  const parsed = parse();
  await nextRound();
  return parsed;
}
