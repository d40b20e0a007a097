/** The last write in the queue of each key, by store. A key without a queue takes no memory. */
const queues = new WeakMap<object, Map<string, Promise<unknown>>>();

/**
 * A keyed mutex: runs a write of a contested key after those queued before it. Without it, n concurrent
 * writers of one resource would make n² decisions, because each round of attempts has one winner. It saves work in this
 * process; that no update is lost is guaranteed by the store.
 */
export async function serialized<T>(store: object, key: string, run: () => Promise<T>): Promise<T> {
  const queue = queues.get(store) ?? new Map<string, Promise<unknown>>();
  queues.set(store, queue);
  const mine = (queue.get(key) ?? Promise.resolve()).then(run, run);
  queue.set(key, mine);
  try {
    return await mine;
  } finally {
    if (queue.get(key) === mine) queue.delete(key);
  }
}
