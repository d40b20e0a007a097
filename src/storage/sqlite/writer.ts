import { ServiceError } from '../../contract/errors.ts';
import type { StoreMetrics } from '../../telemetry/store-metrics.ts';
import { StoreRefused } from './connection.ts';
import type { OpenOptions } from './open-database.ts';
import type {
  ChangeOperation,
  Operation,
  OperationFailure,
  OperationResult,
  ResultWord,
  Statement,
  WriterCommand,
  WriterMessage,
} from './operations.ts';
import { startThread } from './start-thread.ts';

/** The main thread's side of the writer thread. */
export interface Writer {
  /** Durable when it resolves to `committed`. Rejects with a ServiceError. */
  submit(operation: ChangeOperation): Promise<ResultWord>;
  /** Runs statements in one durable transaction; resolves to the count of changed rows of each. */
  write(statements: readonly Statement[]): Promise<readonly number[]>;
  /** Why nothing can be written now; undefined where it can. */
  readonly problem: string | undefined;
  close(): Promise<void>;
}

export interface WriterOptions extends OpenOptions {
  readonly metrics: StoreMetrics;
  readonly note: (text: string) => void;
  /** The disk failed: the process should stop serving and end. */
  readonly onFatal: (message: string) => void;
  /** Called on every commit before its callers go on, so that readers leave their old snapshot. */
  readonly onCommitted: () => void;
}

interface Waiting {
  readonly resolve: (result: ResultWord | readonly number[]) => void;
  readonly reject: (error: Error) => void;
}

/** Operations of a message at most: the writer begins with them while this thread is still deciding the next ones. */
const largestMessage = 8;

/** Operations that may wait for the writer; more are refused, so that a stalled disk cannot fill the memory. */
const mostWaiting = 20_000;

function refusalOf({ failure, message }: OperationFailure): Error {
  switch (failure) {
    case 'full':
      return new ServiceError(
        'InsufficientStorage',
        'There is no room on the disk. Nothing was stored. Reads go on; try again when there is room.',
        {},
        { 'retry-after': '30' },
      );
    case 'unknown':
      return new ServiceError(
        'OutcomeUnknown',
        'The disk failed while the write was being made durable, so it may or may not have been stored. Repeat it with the same Idempotency-Key, or read the resource, to find out.',
        {},
        { 'retry-after': '5' },
      );
    case 'fault':
      return new Error(`The store could not apply a change: ${message}`);
  }
}

/** Starts the writer thread and waits until it has opened the database. Throws `StoreRefused` where it refused. */
export async function startWriter(options: WriterOptions): Promise<Writer> {
  const { metrics, note, onFatal, onCommitted, ...workerData } = options;
  const worker = startThread(new URL('./writer-thread.ts', import.meta.url), workerData);
  /** In the order of submission, which is the order of the results. Taken from `head` on. */
  let waiting: Waiting[] = [];
  let head = 0;
  let unsent: Operation[] = [];
  let problem: string | undefined;

  function failAll(error: Error): void {
    const failed = waiting.slice(head);
    waiting = [];
    head = 0;
    for (const { reject } of failed) reject(error);
  }

  function settle(results: readonly OperationResult[], commitMs: number): void {
    metrics.committed(results.length, commitMs);
    onCommitted();
    for (const result of results) {
      const next = waiting[head];
      head += 1;
      if (typeof result === 'object' && 'failure' in result) next?.reject(refusalOf(result));
      else next?.resolve(result);
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

  function enqueue<T>(operation: Operation): Promise<T> {
    if (problem !== undefined) {
      return Promise.reject(
        new ServiceError('OverCapacity', 'The store cannot write now. Try again later.', {}, { 'retry-after': '5' }),
      );
    }
    if (waiting.length - head >= mostWaiting) {
      return Promise.reject(
        new ServiceError('OverCapacity', 'Too many writes wait for the disk. Try again.', {}, { 'retry-after': '1' }),
      );
    }
    if (unsent.length === 0) setImmediate(send);
    unsent.push(operation);
    if (unsent.length === largestMessage) send();
    return new Promise<T>((resolve, reject) => {
      waiting.push({ resolve: resolve as Waiting['resolve'], reject });
    });
  }

  function stop(message: string): void {
    if (problem !== undefined) return;
    problem = message;
    failAll(refusalOf({ failure: 'unknown', message }));
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
    submit: (operation) => enqueue<ResultWord>(operation),
    write: (statements) => enqueue<readonly number[]>(['statements', statements]),
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
