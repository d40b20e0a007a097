import type { StoreMetrics } from '../../../telemetry/store-metrics.ts';
import { StoreRefused } from '../../engine.ts';
import { startThread } from '../../threads/start-thread.ts';
import { keepLog } from '../open/connection.ts';
import { isOnReadOnlyFileSystem } from '../open/file-identity.ts';
import { createQueryClock, noteQuery } from './clocks.ts';
import type {
  CatchUpOperation,
  CommitOutcome,
  Enqueue,
  ForgetOperation,
  ForgetResult,
  GroupOperation,
  GroupOutcome,
  Operation,
  OperationResult,
  PackedOperation,
  Statement,
  WriteOperation,
  WriterCommand,
  WriterMessage,
} from './messages.ts';
import { isGroup } from './messages.ts';
import type { OpenOptions } from './open-database.ts';
import { writesThrough } from './refusals.ts';
import { createWriteQueue } from './write-queue.ts';
import type { WriterThreadOptions } from './writer-thread.ts';

/** The one writer of a store, as a process sees it. */
export interface Writer {
  /** Durable when it resolves to `committed`. Rejects with a ServiceError. */
  submit(operation: WriteOperation): Promise<CommitOutcome>;
  /** The same for changes that are applied together or not at all. */
  submitGroup(group: GroupOperation | PackedOperation): Promise<GroupOutcome>;
  /** How many changes a group should have now that need not be one: single writes wait for it. */
  groupSize(): number;
  /** Forgets a portion of what the log has of a resource. */
  forget(operation: ForgetOperation): Promise<ForgetResult>;
  /** Runs statements in one durable transaction; resolves to the number of rows that each changed. */
  write(statements: readonly Statement[]): Promise<readonly number[]>;
  /** Why nothing can be written now; undefined where it can. */
  readonly problem: string | undefined;
  /**
   * Why a write could not be acknowledged, although the writer goes on; undefined where it could. Each call has it tried
   * again, so that a node that gets no requests any more notices when the cause is gone.
   */
  writeProblem(): string | undefined;
  /** Why nothing could be listed or searched when it was last tried, which each call does; undefined where it could. */
  queryProblem(): string | undefined;
  /**
   * To be called before each query that reads the indexes. Where they are known to be behind: resolves when they have
   * every change that was acknowledged before the call. They may be behind all the same if another process wrote: a
   * query finds out in its snapshot.
   */
  beginQuery(projectKey: string): Promise<void> | undefined;
  /** Brings the indexes up to date, with a project the terms of its large documents as well. Rejects with a ServiceError. */
  catchUp(projectKey?: string): Promise<void>;
  /** Has the indexes leave out those of the rows that are damaged, soon; no rows: a number of a row is damaged, not known which. */
  setAside(rows: readonly number[]): Promise<void>;
  /** Calls the listeners in order on every commit, before its callers continue, so that readers leave their old snapshot. */
  onCommit(listener: () => void): void;
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
}

/** Operations per message: the writer begins with them while this thread is still deciding the next ones. */
export const maxMessageOperations = 32;

/** Operations that may wait for the writer; more are refused, so that a stalled disk cannot fill the memory. */
export const maxWaiting = 20_000;

/** Changes of a group while nobody else writes, and for so long after a single write. */
export const manyChanges = 100;
const [fewChanges, singleMs] = [32, 2000];

const noProjects: ReadonlySet<string> = new Set();

/** Queries that have waited for a large document begin before the next one is committed: it may be of the same project. */
const queriesFirstMs = 20;

const readOnlyText =
  'The file system of the data folder has become read-only, so nothing can be written; reads go on. Mount it writable: the service then ends, for its supervisor to start it again.';

/** Starts the writer thread and waits until it has opened the database. Throws `StoreRefused` where it refused. */
export async function startWriter(options: WriterOptions): Promise<ThreadWriter> {
  const { metrics, note, onFatal, ...open } = options;
  const queryClock = createQueryClock();
  const workerData: WriterThreadOptions = { ...open, queryClock };
  const worker = startThread(new URL('./writer-thread.ts', import.meta.url), workerData);
  /** In the order in which they were sent, which is the order of the results; groups are committed between the others. */
  let waiting: ((result: OperationResult) => void)[] = [];
  let waitingGroups: typeof waiting = [];
  let unsent: Operation[] = [];
  let problem: string | undefined;
  /** The file system became read-only: reads go on. */
  let isReadOnly = false;
  const onCommit: (() => void)[] = [];
  /** Some changes that were acknowledged are not indexed yet. */
  let isBehind = false;
  /** Projects with large documents that are indexed in part, and what waits until they are indexed. */
  let partly = noProjects;
  const waitingForWhole = new Map<string, PromiseWithResolvers<void>>();
  let areQueriesFirst = false;
  let lastSingleMs = Number.NEGATIVE_INFINITY;

  /** The operations of one turn of the event loop are sent in few messages. */
  function send(): void {
    if (unsent.length === 0) return;
    const operations = unsent;
    unsent = [];
    worker.postMessage(operations satisfies WriterCommand);
  }

  const queue = createWriteQueue((operation) => {
    if (unsent.length === 0) setImmediate(send);
    unsent.push(operation);
    if (unsent.length === maxMessageOperations) send();
  });

  const enqueue: Enqueue = (operation) => {
    const [kind, projectKey] = operation;
    if (kind === 'catchUp' && projectKey !== undefined && partly.has(projectKey)) return whole(operation);
    if (problem !== undefined) return Promise.resolve(refused(operation, problem));
    if (waiting.length + waitingGroups.length + queue.size >= maxWaiting) {
      return Promise.resolve({ failure: 'busy', message: 'too many wait' });
    }
    if (!isGroup(operation) && kind !== 'catchUp') lastSingleMs = performance.now();
    const { promise, resolve } = Promise.withResolvers<OperationResult>();
    queue.add(operation, (settled) => {
      (isGroup(operation) ? waitingGroups : waiting).push((result) => {
        resolve(result);
        settled();
      });
    });
    return promise;
  };

  function setPartly(projects: ReadonlySet<string>): void {
    partly = projects;
    for (const [projectKey, { resolve }] of waitingForWhole) {
      if (projects.has(projectKey)) continue;
      waitingForWhole.delete(projectKey);
      resolve();
      areQueriesFirst = true;
    }
    if (projects.size > 0) return;
    if (areQueriesFirst) setTimeout(queue.indexed, queriesFirstMs).unref();
    else queue.indexed();
    areQueriesFirst = false;
  }

  /** Waits for the large documents of a project before the operation. */
  async function whole(operation: CatchUpOperation): Promise<OperationResult> {
    const projectKey = operation[1]!;
    const waits = waitingForWhole.get(projectKey) ?? Promise.withResolvers<void>();
    waitingForWhole.set(projectKey, waits);
    await waits.promise;
    return enqueue(operation);
  }

  /**
   * What becomes of an operation after the writer has stopped. On a read-only file system lists and searches of what is indexed go on; once it
   * can be written again, the process ends, and the next start goes on from what is on the disk.
   */
  function refused([kind]: Operation, message: string): OperationResult {
    if (!isReadOnly) return { failure: 'stopped', message };
    if (!isOnReadOnlyFileSystem(open.file)) end('the file system of the data folder can be written again');
    return kind === 'catchUp' && !isBehind ? [] : { failure: 'readOnly', message };
  }

  let hasEnded = false;
  function end(message: string): void {
    if (!hasEnded) onFatal(message);
    hasEnded = true;
  }

  function stop(message: string): void {
    if (problem !== undefined) return;
    isReadOnly = isOnReadOnlyFileSystem(open.file);
    problem = isReadOnly ? readOnlyText : message;
    isBehind ||= partly.size > 0;
    setPartly(noProjects);
    queue.flush();
    const failed = [...waiting, ...waitingGroups];
    [waiting, waitingGroups] = [[], []];
    for (const resolve of failed) resolve({ failure: 'unknown', message });
    if (isReadOnly) {
      keepLog(open.file);
      note(`${readOnlyText} SQLite says: ${message}`);
    } else end(message);
  }

  const closed = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  worker.on('message', (message: WriterMessage) => {
    switch (message.kind) {
      case 'done': {
        const { results, commitMs, unindexed } = message;
        metrics.recordCommit(results.length, commitMs);
        isBehind = unindexed > 0;
        for (const listener of onCommit) listener();
        const settled = (message.isGroup ? waitingGroups : waiting).splice(0, results.length);
        for (let at = 0; at < settled.length; at += 1) settled[at]!(results[at]!);
        if (queue.index.unindexed > 0 || message.partly || partly.size > 0) setPartly(message.partly ?? noProjects);
        return;
      }
      case 'whole':
        return setPartly(noProjects);
      case 'followed':
        isBehind = false;
        return;
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

  const writes = writesThrough(enqueue);
  return {
    ...writes,
    enqueue,
    groupSize: () => (performance.now() - lastSingleMs < singleMs ? fewChanges : manyChanges),
    beginQuery(projectKey) {
      noteQuery(queryClock);
      return isBehind || partly.has(projectKey) ? writes.catchUp(projectKey) : undefined;
    },
    onCommit(listener) {
      onCommit.push(listener);
    },
    get problem() {
      if (problem !== undefined) refused(['catchUp'], problem);
      return problem;
    },
    async close() {
      queue.flush();
      send();
      worker.postMessage({ kind: 'close' } satisfies WriterCommand);
      await closed.promise;
      await worker.terminate();
    },
  };
}
