import type { Link } from '../../../record/engine.ts';
import type { Enqueue, Operation, OperationResult } from '../../../record/sqlite/write/messages.ts';
import { writesThrough } from '../../../record/sqlite/write/refusals.ts';
import type { Writer } from '../../../record/sqlite/write/writer.ts';
import { maxMessageOperations, maxWaiting } from './writer-handle.ts';

/**
 * The writer of one process, used by others (decision 78). Concurrent writes of all processes share its commits, and it
 * alone holds the folder's lock, migrates and makes checkpoints.
 */

/** Operations, numbered from the first one on. */
type Request<T> = readonly [first: number, operations: readonly T[]];

/** Results, and the numbers of their operations. */
type Reply = readonly [numbers: readonly number[], results: readonly OperationResult[]];

/**
 * Takes the operations of another process. If that one dies, what it handed over is still committed, as with a client
 * that disconnects before its response.
 */
export function serveWriter<T = Operation>({ enqueue }: { readonly enqueue: Enqueue<T> }, link: Link): void {
  let numbers: number[] = [];
  let results: OperationResult[] = [];

  /** The results of one commit are sent together. */
  function flush(): void {
    link.send([numbers, results] satisfies Reply);
    numbers = [];
    results = [];
  }

  link.onMessage((message) => {
    const [first, operations] = message as Request<T>;
    operations.forEach(async (operation, at) => {
      const result = await enqueue(operation);
      if (numbers.length === 0) setImmediate(flush);
      numbers.push(first + at);
      results.push(result);
    });
  });
}

/** The writer of another process, which may take other requests as well. */
export function connectWriter<T = never>(link: Link): Writer & { readonly enqueue: Enqueue<Operation | T> } {
  const waiting = new Map<number, (result: OperationResult) => void>();
  let unsent: (Operation | T)[] = [];
  let last = 0;
  let onIdle: (() => void) | undefined;

  function send(): void {
    if (unsent.length === 0) return;
    link.send([last - unsent.length + 1, unsent] satisfies Request<Operation | T>);
    unsent = [];
  }

  const enqueue: Enqueue<Operation | T> = (operation) => {
    if (waiting.size >= maxWaiting) return Promise.resolve({ failure: 'busy', message: 'too many wait' });
    if (unsent.length === 0) setImmediate(send);
    unsent.push(operation);
    last += 1;
    const { promise, resolve } = Promise.withResolvers<OperationResult>();
    waiting.set(last, resolve);
    if (unsent.length === maxMessageOperations) send();
    return promise;
  };

  link.onMessage((message) => {
    const [numbers, results] = message as Reply;
    numbers.forEach((number, at) => {
      const resolve = waiting.get(number);
      waiting.delete(number);
      resolve?.(results[at]!);
    });
    if (waiting.size === 0) onIdle?.();
  });

  return {
    ...writesThrough(enqueue),
    enqueue,
    // The process with the writer ends all others when it cannot write any more.
    problem: undefined,
    // A query finds out in its snapshot.
    beginQuery: () => undefined,
    // Readers ask SQLite whether another process has committed (snapshot.ts).
    onCommit: () => () => {},
    async close() {
      send();
      if (waiting.size === 0) return;
      await new Promise<void>((resolve) => {
        onIdle = resolve;
      });
    },
  };
}
