import { parentPort, type Worker } from 'node:worker_threads';
import { ServiceError } from '../../contract/errors.ts';
import { FairQueue } from './fair-queue.ts';
import { closeThread, startThread } from './start-thread.ts';

/** Requests to a thread that is there while it is needed: plain data in both directions. Must be closed. */
export interface ThreadOnDemand<Request, Result> {
  /** Rejects with 503 if the thread ends before it has answered. */
  ask(projectKey: string, request: Request): Promise<Result>;
  /** How many requests wait for the thread, of all projects and of one. */
  waiting(projectKey: string): { readonly all: number; readonly own: number };
  close(): Promise<void>;
}

/** One for each request, in their order. */
type Reply<Result> = { readonly result: Result } | { readonly error: string };

interface Waiting<Request, Result> {
  readonly projectKey: string;
  readonly request: Request;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: Error) => void;
}

/** After so long without a request the thread ends: what it works with takes up to 30 MB. */
const restMs = 30_000;

/** 503: the thread has ended, by a fault or since it had too little memory. */
function lost(): ServiceError {
  const message = 'The thread that prepares large documents has ended. Nothing was stored. Try again.';
  return new ServiceError('OverCapacity', message, {}, { 'retry-after': '1' });
}

/**
 * Asks a thread whose file calls `answerRequests`. It starts with the first request, has one at a time, and ends when none
 * has come for a while. The projects take turns; what waits is not copied yet. If the thread ends by itself, the request that
 * it had fails alone, and the next one starts another.
 */
export function createThreadOnDemand<Request, Result>(
  file: URL,
  data: unknown,
  idleMs = restMs,
): ThreadOnDemand<Request, Result> {
  let current: Waiting<Request, Result> | undefined;
  const waiting = new FairQueue<Waiting<Request, Result>>();
  let worker: Worker | undefined;
  let end: NodeJS.Timeout | undefined;

  function endThread(): Promise<void> {
    const ended = worker;
    worker = undefined;
    return closeThread(ended);
  }

  function start(): Worker {
    const started = startThread(file, data);
    started.on('message', (reply: Reply<Result>) => {
      const { resolve, reject } = current!;
      if ('result' in reply) resolve(reply.result);
      else reject(new Error(reply.error));
      sendNext();
    });
    const onLost = () => {
      if (worker !== started) return;
      worker = undefined;
      current?.reject(lost());
      sendNext();
    };
    started.on('error', onLost);
    started.on('exit', onLost);
    return started;
  }

  function sendNext(): void {
    current = waiting.take();
    clearTimeout(end);
    if (!current) {
      end = setTimeout(endThread, idleMs).unref();
      return;
    }
    worker ??= start();
    worker.postMessage(current.request);
  }

  return {
    ask(projectKey, request) {
      return new Promise((resolve, reject) => {
        waiting.add({ projectKey, request, resolve, reject });
        if (!current) sendNext();
      });
    },
    waiting: (projectKey) => ({ all: waiting.size, own: waiting.sizeOf(projectKey) }),
    async close() {
      for (const { reject } of waiting.remove(() => true)) reject(lost());
      clearTimeout(end);
      await endThread();
    },
  };
}

/** Answers the requests that this thread is sent. */
export function answerRequests<Request, Result>(answer: (request: Request) => Result): void {
  const port = parentPort;
  if (!port) throw new Error('This file is the entry of a worker thread.');
  const replyTo = (request: Request): Reply<Result> => {
    try {
      return { result: answer(request) };
    } catch (error) {
      return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    }
  };
  port.on('message', (request: Request | 'close') => {
    if (request === 'close') port.close();
    else port.postMessage(replyTo(request));
  });
}
