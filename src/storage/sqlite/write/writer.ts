import type { StoreMetrics } from '../../../telemetry/store-metrics.ts';
import { StoreRefused } from '../open/connection.ts';
import type { OpenOptions } from '../open/open-database.ts';
import { startThread } from '../thread/start-thread.ts';
import type { Enqueue, Operation, OperationResult, WriterCommand, WriterMessage } from './messages.ts';
import { type PromisedWrites, promisedWrites } from './write-failures.ts';

/** The way to the one writer of a store. */
export interface Writer extends PromisedWrites {
  /** Why nothing can be written now; undefined where it can. */
  readonly problem: string | undefined;
  close(): Promise<void>;
}

/** The main thread's side of the writer thread. */
export interface ThreadWriter extends Writer {
  readonly enqueue: Enqueue;
}

export interface WriterOptions extends OpenOptions {
  readonly metrics: StoreMetrics;
  readonly note: (text: string) => void;
  /** The disk failed: the process should stop serving and end. */
  readonly onFatal: (message: string) => void;
  /** Called on every commit before its callers go on, so that readers leave their old snapshot. */
  readonly onCommitted: () => void;
}

/** Operations of a message at most: the writer begins with them while this thread is still deciding the next ones. */
export const largestMessage = 8;

/** Operations that may wait for the writer; more are refused, so that a stalled disk cannot fill the memory. */
export const mostWaiting = 20_000;

/** Starts the writer thread and waits until it has opened the database. Throws `StoreRefused` where it refused. */
export async function startWriter(options: WriterOptions): Promise<ThreadWriter> {
  const { metrics, note, onFatal, onCommitted, ...workerData } = options;
  const worker = startThread(new URL('./writer-thread.ts', import.meta.url), workerData);
  /** In the order of submission, which is the order of the results. Taken from `head` on. */
  let waiting: ((result: OperationResult) => void)[] = [];
  let head = 0;
  let unsent: Operation[] = [];
  let problem: string | undefined;

  function failAll(message: string): void {
    const failed = waiting.slice(head);
    waiting = [];
    head = 0;
    for (const settleOne of failed) settleOne({ failure: 'unknown', message });
  }

  function settle(results: readonly OperationResult[], commitMs: number): void {
    metrics.committed(results.length, commitMs);
    onCommitted();
    for (const result of results) {
      const next = waiting[head];
      head += 1;
      next?.(result);
    }
    if (head > 4096) {
      waiting = waiting.slice(head);
      head = 0;
    }
  }

  /** What one turn of the event loop decided crosses in few messages. */
  function send(): void {
    if (unsent.length === 0) return;
    const operations = unsent;
    unsent = [];
    worker.postMessage(operations satisfies WriterCommand);
  }

  const enqueue: Enqueue = (operation, settleOne) => {
    if (problem !== undefined) return settleOne({ failure: 'stopped', message: problem });
    if (waiting.length - head >= mostWaiting) return settleOne({ failure: 'busy', message: 'too many wait' });
    if (unsent.length === 0) setImmediate(send);
    unsent.push(operation);
    if (unsent.length === largestMessage) send();
    waiting.push(settleOne);
  };

  function stop(message: string): void {
    if (problem !== undefined) return;
    problem = message;
    failAll(message);
    onFatal(message);
  }

  const closed = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  worker.on('message', (message: WriterMessage) => {
    switch (message.kind) {
      case 'done':
        return settle(message.results, message.commitMs);
      case 'note':
        return note(message.text);
      case 'ready':
        return opened.resolve();
      case 'refused':
        return opened.reject(new StoreRefused(message.message));
      case 'fatal':
        return stop(message.message);
      case 'closed':
        return closed.resolve();
    }
  });
  worker.on('error', (error) => {
    opened.reject(error);
    stop(`the writer thread ended: ${(error as Error).message}`);
    closed.resolve();
  });
  await opened.promise.catch(async (error: unknown) => {
    await worker.terminate();
    throw error;
  });

  return {
    ...promisedWrites(enqueue),
    enqueue,
    get problem() {
      return problem;
    },
    async close() {
      if (unsent.length > 0) send();
      worker.postMessage({ kind: 'close' } satisfies WriterCommand);
      await closed.promise;
      await worker.terminate();
    },
  };
}
