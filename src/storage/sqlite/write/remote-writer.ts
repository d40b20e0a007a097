import type { Enqueue, Operation, OperationResult } from './messages.ts';
import { promisedWrites } from './write-failures.ts';
import { largestMessage, mostWaiting, type ThreadWriter, type Writer } from './writer.ts';

/**
 * The writer of one process, used by others (decision 78). What the processes serve at a time shares its commits, and
 * it alone holds the folder's lock, migrates and makes checkpoints.
 */

/** A way to send plain data to another process, and to hear from it. In order, and nothing is lost while both live. */
export interface Link {
  send(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
}

/** Operations, numbered from the first one on. */
type Request = readonly [first: number, operations: readonly Operation[]];

/** Results, and the numbers of their operations. */
type Response = readonly [numbers: readonly number[], results: readonly OperationResult[]];

/**
 * Takes the operations of another process. Where that one dies, what it handed over is still committed, as with a
 * client that goes away before its answer.
 */
export function serveWriter({ enqueue }: Pick<ThreadWriter, 'enqueue'>, link: Link): void {
  let numbers: number[] = [];
  let results: OperationResult[] = [];

  /** The results of one commit cross together. */
  function flush(): void {
    link.send([numbers, results] satisfies Response);
    numbers = [];
    results = [];
  }

  link.onMessage((message) => {
    const [first, operations] = message as Request;
    operations.forEach((operation, at) => {
      enqueue(operation, (result) => {
        if (numbers.length === 0) setImmediate(flush);
        numbers.push(first + at);
        results.push(result);
      });
    });
  });
}

/** The writer as a process sees it that has none of its own. */
export function connectWriter(link: Link): Writer {
  const waiting = new Map<number, (result: OperationResult) => void>();
  let unsent: Operation[] = [];
  let last = 0;
  let onIdle: (() => void) | undefined;

  function send(): void {
    if (unsent.length === 0) return;
    link.send([last - unsent.length + 1, unsent] satisfies Request);
    unsent = [];
  }

  const enqueue: Enqueue = (operation, settle) => {
    if (waiting.size >= mostWaiting) return settle({ failure: 'busy', message: 'too many wait' });
    if (unsent.length === 0) setImmediate(send);
    unsent.push(operation);
    last += 1;
    waiting.set(last, settle);
    if (unsent.length === largestMessage) send();
  };

  link.onMessage((message) => {
    const [numbers, results] = message as Response;
    numbers.forEach((number, at) => {
      const settle = waiting.get(number);
      waiting.delete(number);
      settle?.(results[at]!);
    });
    if (waiting.size === 0) onIdle?.();
  });

  return {
    ...promisedWrites(enqueue),
    // The process of the writer ends all others where it cannot write any more.
    problem: undefined,
    async close() {
      send();
      if (waiting.size === 0) return;
      await new Promise<void>((resolve) => {
        onIdle = resolve;
      });
    },
  };
}
