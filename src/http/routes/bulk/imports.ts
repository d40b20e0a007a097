import type { Readable } from 'node:stream';
import { MessageChannel } from 'node:worker_threads';
import { ServiceError } from '../../../contract/errors.ts';
import { createPace } from '../../../domain/bulk/pace.ts';
import { copyError, errorOfCopy } from '../../../domain/error-copy.ts';
import type { BulkThread, BulkThreads } from '../../../domain/ports/bulk-threads.ts';
import type { Store } from '../../../domain/ports/store.ts';
import { createCallers } from './callers.ts';
import type { FromImport, ImportThreadData, ThreadCommand, ToImport } from './import-messages.ts';
import { createResults, type ImportTask, prepareImport } from './import-task.ts';

/** The imports of a process. */
export interface Imports {
  /**
   * Takes the body of an import. Rejects with what refuses it before the response begins; the function that it resolves
   * to begins with the results.
   */
  prepare(task: ImportTask, body: AsyncIterable<Uint8Array>): Promise<() => Readable>;
  /** To be called when none runs any more. */
  close(): Promise<void>;
}

export interface ImportsDeps {
  readonly store: Pick<Store, 'resources' | 'bulkThreads'>;
  readonly isDraining: () => boolean;
  /** How many requests of callers have begun. */
  readonly requests: () => number;
  readonly nowMs: () => number;
  readonly newId: () => string;
}

/** Parts of a body on their way to the thread: while it works on one, the next ones wait there. */
const partsUnderWay = 4;

/** The thread ends when nothing was imported for so long. */
const idleMs = 30_000;

/**
 * Imports in a thread of their own where the store can be reached from there (decision 179), else on this one: what they
 * leave for the garbage collector alone would hold up other requests for milliseconds.
 */
export function createImports(deps: ImportsDeps): Imports {
  const { bulkThreads } = deps.store;
  return bulkThreads ? importsInThread(deps, bulkThreads) : importsHere(deps);
}

function stopping(): ServiceError {
  return new ServiceError('OverCapacity', 'The service is shutting down. Continue from `resumeAt`.');
}

function importsHere({ store, isDraining, requests, nowMs, newId }: ImportsDeps): Imports {
  const callers = createCallers({ requests });
  const pace = createPace(callers.calls);
  return {
    async prepare(task, body) {
      const results = createResults();
      const run = await prepareImport(task, body, {
        ...{ store: store.resources, nowMs, newId, pace },
        stopReason: () => (isDraining() ? stopping() : undefined),
        write: (texts) => texts.length === 0 || results.write(`${texts.join('\n')}\n`),
      });
      return () => {
        callers.add();
        run()
          .finally(callers.remove)
          .then(
            () => results.end(),
            (error: unknown) => results.destroy(error as Error),
          );
        return results;
      };
    },
    async close() {},
  };
}

interface Thread {
  readonly worker: BulkThread;
  readonly ended: Promise<void>;
  readonly running: Set<Running>;
}

/** An import that runs in the thread. */
interface Running {
  /** Tells it that the service stops. */
  stop(): void;
  /** Ends it without its thread. */
  fail(error: Error): void;
}

function importsInThread({ isDraining, requests, nowMs }: ImportsDeps, threads: BulkThreads): Imports {
  let thread: Thread | undefined;
  let idle: NodeJS.Timeout | undefined;
  const callers = createCallers({ requests, onLook });

  function onLook(): void {
    if (!isDraining() || !thread) return;
    for (const each of thread.running) each.stop();
  }

  function start(): Thread {
    const { port1, port2 } = new MessageChannel();
    const clockOffsetMs = nowMs() - Date.now();
    const { module, data } = threads;
    const workerData: ImportThreadData = { module, data, storePort: port2, calls: callers.calls, clockOffsetMs };
    const worker = threads.start(new URL('./import-thread.ts', import.meta.url), workerData, [port2]);
    threads.serve(port1);
    const ended = Promise.withResolvers<void>();
    const started: Thread = { worker, ended: ended.promise, running: new Set() };
    worker.once('error', (error) => {
      // The next import starts another one.
      if (thread === started) thread = undefined;
      for (const each of started.running) each.fail(error);
    });
    worker.once('exit', () => {
      port1.close();
      ended.resolve();
    });
    return started;
  }

  async function stop(): Promise<void> {
    clearTimeout(idle);
    const stopped = thread;
    thread = undefined;
    stopped?.worker.postMessage('close' satisfies ThreadCommand, []);
    await stopped?.ended;
  }

  return {
    async prepare(task, body) {
      clearTimeout(idle);
      thread ??= start();
      const { running } = thread;
      callers.add();
      return begin(thread, task, body, () => {
        callers.remove();
        if (running.size === 0) idle = setTimeout(stop, idleMs).unref();
      });
    },
    close: stop,
  };
}

/** Begins an import in a thread, and resolves as `Imports.prepare` does. `onEnd` is called when it has ended. */
function begin(
  { worker, running }: Thread,
  task: ImportTask,
  body: AsyncIterable<Uint8Array>,
  onEnd: () => void,
): Promise<() => Readable> {
  const { port1: port, port2 } = new MessageChannel();
  const results = createResults();
  const opened = Promise.withResolvers<() => Readable>();
  let isEnded = false;
  let bodyFailure: Error | undefined;
  let taken = Promise.withResolvers<void>();
  let underWay = 0;

  function send(message: ToImport, transfer: ArrayBuffer[] = []): void {
    port.postMessage(message, transfer);
  }

  async function sendBody(): Promise<void> {
    const parts = body[Symbol.asyncIterator]();
    while (!isEnded) {
      const { value, done } = await parts.next();
      if (done) return send(['end']);
      // A copy: its buffer may hold what came before and behind it.
      const bytes = new Uint8Array(value);
      send(['chunk', bytes], [bytes.buffer]);
      underWay += 1;
      while (underWay >= partsUnderWay) {
        taken = Promise.withResolvers();
        await taken.promise;
      }
    }
  }

  function end(error?: Error): void {
    if (isEnded) return;
    isEnded = true;
    port.close();
    running.delete(self);
    if (error) {
      opened.reject(error);
      results.destroy(error);
    } else results.end();
    onEnd();
  }

  const self: Running = { stop: () => send(['stop', copyError(stopping())]), fail: end };

  port.on('message', (message: FromImport) => {
    switch (message[0]) {
      case 'prepared':
        return opened.resolve(() => {
          send(['run']);
          return results;
        });
      case 'taken':
        underWay -= 1;
        return taken.resolve();
      case 'results':
        if (!results.write(message[1])) send(['unread']);
        return;
      case 'ended':
        return end();
      default:
        return end(bodyFailure ?? errorOfCopy(message[1]));
    }
  });
  running.add(self);
  worker.postMessage({ task, port: port2 } satisfies ThreadCommand, [port2]);
  // Without a listener its failure, which is that of the response, would end the process.
  results.on('error', () => {});
  results.once('close', () => send(['gone']));
  sendBody().catch((error: unknown) => {
    bodyFailure = error as Error;
    send(['failed', copyError(error)]);
  });
  return opened.promise;
}
