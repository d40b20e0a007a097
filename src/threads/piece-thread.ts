import { parentPort, workerData } from 'node:worker_threads';
import { type ErrorCode, ServiceError } from '../contract/errors.ts';
import { StoreRefused } from '../record/engine.ts';
import { closeThread, startThread } from './start-thread.ts';
import type { PieceWorker } from './work-in-order.ts';

/** What a thread says of the piece that it works on. */
type Message<Part, End> = { readonly part: Part } | { readonly end: End } | { readonly failure: Failure };

interface Failure {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  readonly code?: string;
}

/** Starts a thread whose file calls `workOnPieces`. Pieces and what comes of them are plain data. */
export function startPieceThread<Piece, Part, End>(file: URL, data: unknown): PieceWorker<Piece, Part, End> {
  const thread = startThread(file, data);
  let settle: { done(end: End): void; part(part: Part): void; fail(error: unknown): void } | undefined;
  let ended: Error | undefined;
  thread.on('message', (message: Message<Part, End>) => {
    if ('part' in message) settle?.part(message.part);
    else if ('end' in message) settle?.done(message.end);
    else settle?.fail(errorOf(message.failure));
  });
  const end = (error: Error) => {
    ended ??= error;
    settle?.fail(ended);
  };
  // The thread may have needed more memory than there is.
  thread.on('error', end);
  thread.on('exit', () => end(new Error('A thread has ended.')));
  return {
    run(piece, part) {
      if (ended) return Promise.reject(ended);
      const { promise, resolve: done, reject: fail } = Promise.withResolvers<End>();
      settle = { done, part, fail };
      thread.postMessage(piece);
      return promise.finally(() => {
        settle = undefined;
      });
    },
    async close() {
      if (settle) await thread.terminate();
      else if (!ended) await closeThread(thread);
    },
  };
}

function errorOf({ name, message, stack, code }: Failure): Error {
  if (name === 'StoreRefused') return new StoreRefused(message);
  if (name === 'ServiceError') return new ServiceError(code as ErrorCode, message);
  return Object.assign(new Error(message), { name, stack, ...(code !== undefined && { code }) });
}

function failureOf(error: unknown): Failure {
  const { name, message, stack = message, code } = error as NodeJS.ErrnoException;
  return { name, message, stack, ...(typeof code === 'string' && { code }) };
}

/** Works on the pieces that this thread is sent, one after another. `open` gets the data that it was started with. */
export function workOnPieces<Data, Piece, Part, End>(
  open: (data: Data) => Promise<PieceWorker<Piece, Part, End>>,
): void {
  const port = parentPort;
  if (!port) throw new Error('This file is the entry of a worker thread.');
  const send = (message: Message<Part, End>) => port.postMessage(message);
  const opened = open(workerData as Data);
  // Reported with the first piece.
  opened.catch(() => {});
  port.on('message', async (piece: Piece | 'close') => {
    if (piece === 'close') {
      await opened.then((worker) => worker.close()).catch(() => {});
      port.close();
      return;
    }
    try {
      const worker = await opened;
      send({ end: await worker.run(piece, (part) => send({ part })) });
    } catch (error) {
      send({ failure: failureOf(error) });
    }
  });
}
