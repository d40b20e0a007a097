import { closeSync, openSync } from 'node:fs';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { giveMemoryBackAtRest } from '../../../telemetry/memory-at-rest.ts';
import { StoreRefused } from '../../engine.ts';
import { createRestMerger } from '../indexing/merge-index.ts';
import { isFatal, resultCode } from '../open/connection.ts';
import { createRebuildProgress, type RebuildProgress } from '../open/rebuilding.ts';
import { createCheckpointer } from './checkpointer.ts';
import { lastQueryMs, type QueryClock } from './clocks.ts';
import { Committer } from './committer.ts';
import { isGroup, type Operation, type WriterCommand, type WriterMessage } from './messages.ts';
import { type OpenedDatabase, type OpenOptions, openDatabase } from './open-database.ts';
import { maxBatch } from './transaction.ts';

/**
 * The only thread that writes. While it waits for fsync, further operations queue at its port; all of them share the
 * next commit (group commit). No result is sent before its commit is durable and the acknowledged file has its number.
 */

export interface WriterThreadOptions extends OpenOptions {
  readonly queryClock: QueryClock;
}

/**
 * The indexes follow so long after a commit if nothing makes them follow before: what comes meanwhile is indexed together,
 * which takes hardly more pages than one change.
 */
const followAfterMs = 5000;

/** A portion that could not be written, for want of room on the disk, is tried again after so long. */
const failedPortionMs = 1000;

/** The term index is merged so long after the last command, in portions with a pause after each. */
const restAfterMs = 2000;
const restPauseMs = 5;

/** Whether the files are still at their paths is looked at so often where nothing is written. */
const watchMs = 1000;

const options = workerData as WriterThreadOptions;
const port = parentPort;
if (!port) throw new Error('This file is the entry of a worker thread.');

function send(message: WriterMessage): void {
  port?.postMessage(message);
}

/** Commands that came by an event, before those that wait at the port. */
const received: WriterCommand[] = [];

function nextCommand(): WriterCommand | undefined {
  if (received.length > 0) return received.shift();
  return port ? (receiveMessageOnPort(port) as { message: WriterCommand } | undefined)?.message : undefined;
}

/** Takes everything that is queued. */
function drainPort(first: WriterCommand | undefined): { readonly operations: Operation[]; readonly closing: boolean } {
  const operations: Operation[] = [];
  let command: WriterCommand | undefined = first;
  while (command) {
    if ('kind' in command) return { operations, closing: true };
    operations.push(...command);
    if (operations.length >= maxBatch) break;
    command = nextCommand();
  }
  return { operations, closing: false };
}

function serve(opened: OpenedDatabase): void {
  const fd = openSync(options.file, 'r+');
  const onFailure = (message: string) => send({ kind: 'fatal', message });
  const checkpointer = createCheckpointer(opened.db, { file: options.file, fd, onFailure });
  const committer = new Committer(opened, checkpointer, () => lastQueryMs(options.queryClock), {
    done(results, commitMs, unindexed, ofGroup) {
      const partly = committer.partlyIndexed;
      send({ kind: 'done', isGroup: ofGroup, results, commitMs, unindexed, ...(partly.size > 0 && { partly }) });
    },
    fatal: (message) => send({ kind: 'fatal', message }),
    note: (text) => send({ kind: 'note', text }),
  });
  // A service that only reads has to notice it, too.
  const watching = setInterval(() => {
    try {
      opened.files.check();
    } catch (error) {
      send({ kind: 'fatal', message: (error as Error).message });
    }
  }, watchMs);
  let following: NodeJS.Timeout | undefined;

  function followLater(): void {
    if (following || committer.unindexed === 0) return;
    following = setTimeout(() => {
      following = undefined;
      // Where it fails, for want of room on the disk, the next commit or query tries again.
      if (!committer.follow()) send({ kind: 'followed' });
    }, followAfterMs);
  }

  const merger = createRestMerger(opened.db);
  let resting: NodeJS.Timeout | undefined;

  function restLater(ms: number): void {
    clearTimeout(resting);
    resting = setTimeout(() => {
      try {
        if (!merger.step()) return;
        checkpointer.committed();
        restLater(restPauseMs);
      } catch (error) {
        // Where there is no room, or another process writes, it is tried again after the next command.
        if (isFatal(error)) send({ kind: 'fatal', message: (error as Error).message });
      }
    }, ms);
  }
  restLater(restAfterMs);

  let isPortioning = false;
  let isRebuilding = false;
  let isClosed = false;

  /** Builds the indexes again between the commands, where the start has not done so. */
  function rebuildLater(progress: RebuildProgress, afterFailure = false): void {
    if (isRebuilding || isClosed) return;
    if (!committer.isRebuilding) {
      progress.ended();
      return;
    }
    isRebuilding = true;
    const build = () => {
      isRebuilding = false;
      if (isClosed) return;
      const failure = committer.rebuildPortion();
      // The indexes cannot follow the changes any more: the next start builds them.
      if (failure?.failure === 'error') return;
      progress.portion();
      rebuildLater(progress, failure !== undefined);
      restLater(restAfterMs);
    };
    if (afterFailure) setTimeout(build, failedPortionMs).unref();
    else setImmediate(build);
  }
  // A command beside the service leaves it to that.
  if (options.declaredPaths && committer.isRebuilding) {
    rebuildLater(createRebuildProgress(opened.db, (text) => send({ kind: 'note', text })));
  }

  /** Writes a portion of a large document. Returns true where it could not. */
  function writePortion(): boolean {
    if (committer.writePortion()) return true;
    if (committer.partlyIndexed.size === 0) send({ kind: 'whole' });
    return false;
  }

  /** Portions are written between the commands. */
  function portionLater(afterFailure = false): void {
    if (isPortioning || committer.partlyIndexed.size === 0) return;
    isPortioning = true;
    const write = () => {
      isPortioning = false;
      if (isClosed || committer.partlyIndexed.size === 0) return;
      portionLater(writePortion());
      restLater(restAfterMs);
    };
    if (afterFailure) setTimeout(write, failedPortionMs).unref();
    else setImmediate(write);
  }

  /**
   * Groups take long, so what came meanwhile is committed between them, and the large documents of one are indexed before the
   * next. Returns true if it is the end.
   */
  function runAll(first: WriterCommand | undefined): boolean {
    const groups: Operation[] = [];
    let isClosing = false;
    for (let command: WriterCommand | undefined = first; command || groups.length > 0; ) {
      const { operations, closing } = drainPort(command);
      isClosing ||= closing;
      const others = operations.filter((operation) => !isGroup(operation));
      if (others.length < operations.length) {
        for (const operation of operations) if (isGroup(operation)) groups.push(operation);
      }
      committer.run(others);
      const isPartly = groups.length > 0 && committer.partlyIndexed.size > 0;
      if (groups.length > 0 && !(isPartly && !writePortion())) {
        committer.run(groups.splice(0, 1));
      }
      command = groups.length > 0 && !isClosing ? nextCommand() : undefined;
    }
    return isClosing;
  }

  let isFollowing = false;

  /**
   * The indexes follow between the commands, if many changes have gathered: the main thread responds and decides meanwhile, so that
   * fewer writes wait for this than within the next commit.
   */
  function followSoon(): void {
    if (isFollowing || !committer.isFollowDue) return;
    isFollowing = true;
    // Commands that wait already come first.
    setImmediate(() => {
      isFollowing = false;
      if (isClosed || !committer.isFollowDue) return;
      if (!committer.follow()) send({ kind: 'followed' });
      portionLater();
    });
  }

  let isRunning = false;

  /**
   * Commands have one turn in a round of the event loop, as portions and following have: Node hands over a thousand messages and
   * more in one round, if they come fast enough.
   */
  function runSoon(): void {
    if (isRunning || received.length === 0) return;
    isRunning = true;
    setImmediate(run);
  }

  async function run(): Promise<void> {
    isRunning = false;
    const closing = runAll(nextCommand());
    runSoon();
    followSoon();
    followLater();
    portionLater();
    restLater(restAfterMs);
    if (!closing) return;
    isClosed = true;
    clearInterval(watching);
    clearTimeout(following);
    clearTimeout(resting);
    committer.follow();
    // What cannot be written now the next start writes.
    while (committer.partlyIndexed.size > 0 && !writePortion());
    await checkpointer.close();
    opened.close();
    closeSync(fd);
    send({ kind: 'closed' });
    port?.close();
  }

  port?.on('message', (command: WriterCommand) => {
    received.push(command);
    runSoon();
  });
}

/** The sentence for a file that the user may not use. */
function unusableFile(error: unknown): string | undefined {
  const { code = '', path } = error as NodeJS.ErrnoException;
  if (path === undefined || !['EACCES', 'EPERM', 'EROFS'].includes(code)) return undefined;
  if (code === 'EROFS') return `${path} is on a read-only file system. Mount it writable.`;
  return `This user may not use ${path}. Give the files of DATA_DIR to the user that runs this (chown -R).`;
}

try {
  const opened = openDatabase(options, (note) => send({ kind: 'note', text: note }));
  serve(opened);
  send({ kind: 'ready', instanceId: opened.instanceId });
  giveMemoryBackAtRest();
} catch (error) {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const isExplained = error instanceof StoreRefused || resultCode(error) !== undefined;
  const refusal = isExplained
    ? message
    : (unusableFile(error) ?? `The database could not be opened: ${stack ?? message}`);
  send({ kind: 'refused', message: refusal });
}
