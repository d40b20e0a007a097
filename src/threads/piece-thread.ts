import { parentPort, workerData } from 'node:worker_threads';
import { copyError, type ErrorCopy, errorOfCopy } from '../domain/error-copy.ts';
import { closeThread, startThread } from './start-thread.ts';

/** Works on one piece at a time, in a thread of its own. Must be closed. */
export interface PieceThread<Piece, Result> {
  run(piece: Piece): Promise<Result>;
  /** A piece that is being worked on is given up. */
  close(): Promise<void>;
}

/** What a thread says of the piece that it works on. */
type Message<Result> = { readonly result: Result } | { readonly error: ErrorCopy };

/** Starts a thread whose file calls `workOnPieces`. Pieces and what comes of them are plain data. */
export function startPieceThread<Piece, Result>(file: URL, data: unknown): PieceThread<Piece, Result> {
  const thread = startThread(file, data);
  let running: PromiseWithResolvers<Result> | undefined;
  let ended: Error | undefined;
  thread.on('message', (message: Message<Result>) => {
    if ('error' in message) running?.reject(errorOfCopy(message.error));
    else running?.resolve(message.result);
  });
  const end = (error: Error) => {
    ended ??= error;
    running?.reject(ended);
  };
  // The thread may have needed more memory than there is.
  thread.on('error', end);
  thread.on('exit', () => end(new Error('A thread has ended.')));
  return {
    run(piece) {
      if (ended) return Promise.reject(ended);
      running = Promise.withResolvers<Result>();
      thread.postMessage(piece);
      return running.promise.finally(() => {
        running = undefined;
      });
    },
    async close() {
      if (running) await thread.terminate();
      else if (!ended) await closeThread(thread);
    },
  };
}

/** Works on the pieces that this thread is sent, one after another. `open` gets the data that it was started with. */
export function workOnPieces<Data, Piece, Result>(
  open: (data: Data) => (piece: Piece) => Result | Promise<Result>,
): void {
  const port = parentPort;
  if (!port) throw new Error('This file is the entry of a worker thread.');
  const send = (message: Message<Result>) => port.postMessage(message);
  const work = open(workerData as Data);
  port.on('message', async (piece: Piece | 'close') => {
    if (piece === 'close') return port.close();
    try {
      send({ result: await work(piece) });
    } catch (error) {
      send({ error: copyError(error) });
    }
  });
}
