/** Bodies of more bytes are large: to parse and to decide them takes milliseconds each. */
export const largeBytes = 65_536;

/** The next round of the event loop. */
export const nextRound = () => new Promise<void>((resolve) => setImmediate(resolve));

/** When the last of the large bodies has had its rounds. */
let free = Promise.resolve();

/**
 * What a large body waits for before it is parsed: a round of the event loop of its own. After that `nextRound` is to be awaited before
 * it is decided. Each has two rounds, in the order in which they came, and what others sent meanwhile comes between (decision 220).
 */
export function largeTurn(): Promise<void> {
  const begins = free.then(nextRound);
  free = begins.then(nextRound);
  return begins;
}
