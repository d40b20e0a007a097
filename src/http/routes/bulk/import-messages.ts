import type { MessagePort } from 'node:worker_threads';
import type { ErrorCopy } from '../../../domain/error-copy.ts';
import type { ImportTask } from './import-task.ts';

/** What the thread of requests and that of imports tell each other: tuples, by a port for each import. */

/** What the thread of imports is started with. */
export interface ImportThreadData {
  /** See `BulkThreads`. */
  readonly module: string;
  readonly data: unknown;
  readonly storePort: MessagePort;
  /** Shared: 1 while others call. */
  readonly calls: Int32Array;
  /** What the clock of the service is ahead of that of the machine. */
  readonly clockOffsetMs: number;
}

/** To the thread: an import, with its port; or that it is to end. */
export type ThreadCommand = { readonly task: ImportTask; readonly port: MessagePort } | 'close';

/** To an import. */
export type ToImport =
  /** A part of the body, which nobody has looked at. */
  | readonly ['chunk', Uint8Array]
  | readonly ['end']
  /** The body ended early. */
  | readonly ['failed', ErrorCopy]
  /** The response has begun. */
  | readonly ['run']
  /** The service stops. */
  | readonly ['stop', ErrorCopy]
  /** Too many results wait for the client. */
  | readonly ['unread']
  /** Nobody waits for it any more. */
  | readonly ['gone'];

/** From an import. */
export type FromImport =
  /** Nothing refuses it: the response may begin. */
  | readonly ['prepared']
  | readonly ['refused', ErrorCopy]
  /** A part of the body was taken: another one may be sent. */
  | readonly ['taken']
  | readonly ['results', Uint8Array]
  | readonly ['ended']
  | readonly ['failed', ErrorCopy];
