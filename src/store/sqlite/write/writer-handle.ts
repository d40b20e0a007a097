import type { Worker } from 'node:worker_threads';
import { StoreRefused } from '../../../record/engine.ts';
import type {
  Enqueue,
  Operation,
  OperationResult,
  WriterCommand,
  WriterMessage,
} from '../../../record/sqlite/write/messages.ts';
import { writesThrough } from '../../../record/sqlite/write/refusals.ts';
import { type QueuedOperation, WriteQueue } from '../../../record/sqlite/write/write-queue.ts';
import type { Writer } from '../../../record/sqlite/write/writer.ts';
import { keepLog } from '../../../sqlite/connection.ts';
import { isOnReadOnlyFileSystem } from '../../../sqlite/file-identity.ts';
import type { StoreMetrics } from '../../../telemetry/store-metrics.ts';
import { startThread } from '../../../threads/start-thread.ts';
import type { OpenOptions } from './open-database.ts';
import type { WriterThreadOptions } from './writer-thread.ts';

/** The main thread's side of the writer thread. */
export interface ThreadWriter extends Writer {
  readonly enqueue: Enqueue;
}

export interface WriterOptions extends OpenOptions {
  readonly metrics: StoreMetrics;
  readonly note: (text: string) => void;
  /** The disk failed: the process should stop serving and end. */
  readonly onFatal: (message: string) => void;
}

/** Operations per message: the writer begins with them while this thread is still deciding the next ones. */
export const maxMessageOperations = 32;

/** Operations that may wait for the writer; more are refused, so that a stalled disk cannot fill the memory. */
export const maxWaiting = 20_000;

const readOnlyText =
  'The file system of the data folder has become read-only, so nothing can be written; reads still work. Mount it writable: the service then exits, so that its supervisor restarts it.';

/** Starts the writer thread and waits until it has opened the database. Throws `StoreRefused` where it refused. */
export async function startWriter(options: WriterOptions): Promise<ThreadWriter> {
  const writer = new WriterHandle(options);
  await writer.opened();
  const writes = writesThrough(writer.enqueue);
  return {
    ...writes,
    enqueue: writer.enqueue,
    beginQuery: (projectKey) => (writer.isBehindQuery() ? writes.catchUp(projectKey) : undefined),
    onCommit: writer.onCommit,
    get problem() {
      return writer.problem();
    },
    close: writer.close,
  };
}

/**
 * The writer thread as its process sees it: a queue in front of it, and what its results are for. It is `open` when the database is, until the disk or the file
 * fails, or the thread ends: then it is `readOnly` where the file system is, so that reads go on, else `stopped`, and the process ends.
 */
class WriterHandle {
  readonly #options: WriterOptions;
  readonly #queryClock = new Float64Array(new SharedArrayBuffer(8));
  readonly #worker: Worker;
  readonly #queue = new WriteQueue();
  readonly #listeners = new Set<() => void>();
  readonly #opened = Promise.withResolvers<void>();
  readonly #closed = Promise.withResolvers<void>();
  #state: 'opening' | 'open' | 'readOnly' | 'stopped' = 'opening';
  #problem = '';
  #hasEnded = false;
  /** In the order in which they were sent, which is the order of the results. */
  #underWay: QueuedOperation[] = [];
  /** Some changes that were acknowledged are not indexed yet. */
  #isBehind = false;

  constructor(options: WriterOptions) {
    this.#options = options;
    const { metrics: _, note: __, onFatal: ___, ...open } = options;
    const workerData: WriterThreadOptions = { ...open, queryClock: this.#queryClock };
    this.#worker = startThread(new URL('./writer-thread.ts', import.meta.url), workerData);
    this.#worker.on('message', this.#receive);
    this.#worker.on('error', (error) => {
      // Whoever opens it learns of an error before it is open.
      if (this.#state === 'opening') this.#opened.reject(error);
      else this.#stop(`the writer thread ended: ${(error as Error).message}`);
      this.#closed.resolve();
    });
  }

  async opened(): Promise<void> {
    try {
      await this.#opened.promise;
    } catch (error) {
      await this.#worker.terminate();
      throw error;
    }
  }

  readonly enqueue: Enqueue = (operation) => {
    if (this.#state !== 'open') return Promise.resolve(this.#refusal(operation));
    if (this.#underWay.length + this.#queue.size >= maxWaiting) {
      return Promise.resolve({ failure: 'busy', message: 'too many wait' });
    }
    const { promise, resolve } = Promise.withResolvers<OperationResult>();
    this.#queue.add(operation, resolve);
    // The operations of one turn of the event loop are sent in few messages.
    if (this.#queue.size === 1) setImmediate(this.#send);
    else if (this.#queue.size >= maxMessageOperations) this.#send();
    return promise;
  };

  /** True if a query that begins now has to wait for the indexes. */
  isBehindQuery(): boolean {
    this.#queryClock[0] = Date.now();
    return this.#isBehind;
  }

  readonly onCommit: Writer['onCommit'] = (listener) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Why nothing can be written; undefined where it can. */
  problem(): string | undefined {
    if (this.#state === 'opening' || this.#state === 'open') return undefined;
    this.#endIfWritable();
    return this.#problem;
  }

  readonly close = async (): Promise<void> => {
    this.#queue.flush();
    this.#send();
    this.#worker.postMessage({ kind: 'close' } satisfies WriterCommand);
    await this.#closed.promise;
    await this.#worker.terminate();
  };

  /** Sends all operations that fit, in messages of a bounded number of them. */
  readonly #send = (): void => {
    for (;;) {
      const operations: Operation[] = [];
      while (operations.length < maxMessageOperations) {
        const next = this.#queue.take();
        if (next === undefined) break;
        this.#underWay.push(next);
        operations.push(next.operation);
      }
      if (operations.length === 0) return;
      this.#worker.postMessage(operations satisfies WriterCommand);
    }
  };

  readonly #receive = (message: WriterMessage): void => {
    switch (message.kind) {
      case 'done': {
        const { results, commitMs, unindexed } = message;
        this.#options.metrics.recordCommit(results.length, commitMs);
        this.#isBehind = unindexed > 0;
        for (const listener of this.#listeners) listener();
        const settled = this.#underWay.splice(0, results.length);
        for (let at = 0; at < settled.length; at += 1) {
          this.#queue.settle(settled[at]!);
          settled[at]!.resolve(results[at]!);
        }
        if (this.#queue.size > 0) this.#send();
        return;
      }
      case 'followed':
        this.#isBehind = false;
        return;
      case 'note':
        this.#options.note(message.text);
        return;
      case 'ready':
        this.#state = 'open';
        this.#opened.resolve();
        return;
      case 'refused':
        this.#opened.reject(new StoreRefused(message.message));
        return;
      case 'fatal':
        this.#stop(message.message);
        return;
      case 'closed':
        this.#closed.resolve();
    }
  };

  /** What becomes of an operation that comes after the writer has stopped: without it, what is indexed can be listed all the same. */
  #refusal([kind]: Operation): OperationResult {
    if (this.#state === 'stopped') return { failure: 'stopped', message: this.#problem };
    this.#endIfWritable();
    return kind === 'catchUp' && !this.#isBehind ? [] : { failure: 'readOnly', message: this.#problem };
  }

  /** Once a file system that was read-only can be written again, the next start goes on from what is on the disk. */
  #endIfWritable(): void {
    if (this.#state !== 'readOnly' || isOnReadOnlyFileSystem(this.#options.file)) return;
    this.#end('the file system of the data folder can be written again');
  }

  #end(message: string): void {
    if (!this.#hasEnded) this.#options.onFatal(message);
    this.#hasEnded = true;
  }

  #stop(message: string): void {
    if (this.#state !== 'open') return;
    const { file, note } = this.#options;
    this.#state = isOnReadOnlyFileSystem(file) ? 'readOnly' : 'stopped';
    this.#problem = this.#state === 'readOnly' ? readOnlyText : message;
    this.#queue.flush();
    this.#send();
    const failed = this.#underWay;
    this.#underWay = [];
    for (const { resolve } of failed) resolve({ failure: 'unknown', message });
    if (this.#state === 'readOnly') {
      keepLog(file);
      note(`${readOnlyText} SQLite says: ${message}`);
    } else this.#end(message);
  }
}
