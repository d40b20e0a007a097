import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { createRebuildProgress, type RebuildProgress } from '../../../index/follow/rebuild-mark.ts';
import { StoreRefused } from '../../../record/engine.ts';
import { Checkpointer } from '../../../record/sqlite/write/checkpointer.ts';
import type { Operation, WriterCommand, WriterMessage } from '../../../record/sqlite/write/messages.ts';
import { resultCode } from '../../../sqlite/connection.ts';
import { Committer } from './committer.ts';
import { type OpenedDatabase, type OpenOptions, openDatabase } from './open-database.ts';
import { maxBatch } from './transaction.ts';

/**
 * The only thread that writes. While it waits for fsync, further operations queue at its port; all of them share the
 * next commit (group commit). No result is sent before its commit is durable and the acknowledged file has its number.
 */

export interface WriterThreadOptions extends OpenOptions {
  /**
   * When this process began its last query, in ms since the epoch: shared memory, so that it needs no message. A late value only makes the
   * indexes follow sooner or later.
   */
  readonly queryClock: Float64Array<SharedArrayBuffer>;
}

/** Interval of the check that the files are still at their paths, without writes. */
const watchMs = 1000;

const options = workerData as WriterThreadOptions;
const port = parentPort;
if (!port) throw new Error('This file is the entry of a worker thread.');

function send(message: WriterMessage): void {
  port?.postMessage(message);
}

/** Work that the writer does between commands. */
interface BackgroundStep {
  /** When it is due, in ms of `performance.now()`; undefined where there is nothing to do. */
  readonly dueMs: () => number | undefined;
  readonly run: () => void;
}

/** Runs commands as they come, and one step of background work at a time between them. */
class WriterLoop {
  readonly #opened: OpenedDatabase;
  readonly #checkpointer: Checkpointer;
  readonly #committer: Committer;
  readonly #steps: readonly BackgroundStep[];
  readonly #watching = setInterval(() => this.#watch(), watchMs);
  /** Commands that came by an event, before those that wait at the port. */
  readonly #received: WriterCommand[] = [];
  #isScheduled = false;
  #isStepping = false;
  #isClosed = false;
  #lastCommandMs = performance.now();
  #timer: NodeJS.Timeout | undefined;

  constructor(opened: OpenedDatabase) {
    this.#opened = opened;
    const onFailure = (message: string) => send({ kind: 'fatal', message });
    this.#checkpointer = new Checkpointer(opened.db, { file: options.file, onFailure });
    this.#committer = new Committer(opened, this.#checkpointer, () => options.queryClock[0]!, {
      done: (results, commitMs, unindexed) => send({ kind: 'done', results, commitMs, unindexed }),
      fatal: onFailure,
      note: (text) => send({ kind: 'note', text }),
    });
    this.#steps = [this.#followGathered(), this.#rebuild(), this.#followLate(), this.#purge(), this.#mergeAtRest()];
    port!.on('message', (command: WriterCommand) => {
      this.#received.push(command);
      this.#runSoon();
    });
    this.#stepLater();
  }

  /** A service that only reads has to notice that its files are gone, too. */
  #watch(): void {
    try {
      this.#opened.files.check();
    } catch (error) {
      send({ kind: 'fatal', message: (error as Error).message });
    }
  }

  /**
   * While no command waits, changes are read for the indexes, which follow if many have gathered: the main thread responds meanwhile, and
   * what others wait for in the end is writing alone.
   */
  #followGathered(): BackgroundStep {
    const failedMs = 1000;
    let notBeforeMs = 0;
    return {
      dueMs: () => (this.#committer.dueForIndexes ? notBeforeMs : undefined),
      run: () => {
        if (this.#committer.dueForIndexes === 'read') this.#committer.readAhead();
        // There may be no room on the disk.
        else if (!this.#follow()) notBeforeMs = performance.now() + failedMs;
      },
    };
  }

  /** They follow so long after the first change that they lack otherwise: what comes meanwhile is indexed together. */
  #followLate(): BackgroundStep {
    const afterMs = 5000;
    let sinceMs: number | undefined;
    return {
      dueMs: () => {
        sinceMs = this.#committer.unindexed > 0 ? (sinceMs ?? performance.now()) : undefined;
        return sinceMs === undefined ? undefined : sinceMs + afterMs;
      },
      run: () => {
        // Where it fails, for want of room on the disk, it is tried again after as long, or by the next commit or query.
        sinceMs = undefined;
        this.#follow();
      },
    };
  }

  /** False where they could not. */
  #follow(): boolean {
    const failure = this.#committer.follow();
    if (!failure) send({ kind: 'followed' });
    return !failure;
  }

  /** Builds the indexes again, where the start has not done so. A command beside the service leaves it to that. */
  #rebuild(): BackgroundStep {
    const failedMs = 1000;
    let progress: RebuildProgress | undefined;
    let isPossible = options.declaredPaths !== undefined;
    let notBeforeMs = 0;
    return {
      dueMs: () => {
        isPossible &&= this.#committer.isRebuilding;
        return isPossible ? notBeforeMs : undefined;
      },
      run: () => {
        progress ??= createRebuildProgress(this.#opened.db, (text) => send({ kind: 'note', text }));
        const failure = this.#committer.rebuildPortion();
        // The indexes cannot follow the changes any more: the next start builds them.
        isPossible = failure?.failure !== 'error';
        if (!isPossible) return;
        progress.portion();
        if (failure) notBeforeMs = performance.now() + failedMs;
        if (!this.#committer.isRebuilding) progress.ended();
      },
    };
  }

  /** The segments of the term index are merged into one so long after the last command, in steps with a pause after each. */
  #mergeAtRest(): BackgroundStep {
    const [restMs, pauseMs, stepBytes] = [2000, 5, 262_144];
    let doneFor = Number.NEGATIVE_INFINITY;
    let notBeforeMs = 0;
    return {
      dueMs: () => {
        // The indexes follow first, by a step of their own, which tells those that wait for it.
        const isDone = doneFor === this.#lastCommandMs || this.#committer.unindexed > 0;
        return isDone ? undefined : Math.max(this.#lastCommandMs + restMs, notBeforeMs);
      },
      run: () => {
        // Where there is no room, or another process writes, it is tried again after the next command.
        if (!this.#committer.mergeIndex(stepBytes)) doneFor = this.#lastCommandMs;
        notBeforeMs = performance.now() + pauseMs;
      },
    };
  }

  /** What was forgotten is removed from the indexes and from the log of SQLite, in steps with a pause after each. */
  #purge(): BackgroundStep {
    const [pauseMs, failedMs, stepBytes] = [5, 2000, 262_144];
    let notBeforeMs = 0;
    return {
      dueMs: () => (this.#committer.purgeStage > 0 && this.#committer.unindexed === 0 ? notBeforeMs : undefined),
      run: () => {
        notBeforeMs = performance.now() + (this.#committer.purge(stepBytes) ? pauseMs : failedMs);
      },
    };
  }

  /** Has the step run that is due first. */
  #stepLater(): void {
    if (this.#isStepping) return;
    clearTimeout(this.#timer);
    if (this.#isClosed) return;
    let [first, firstMs]: [BackgroundStep | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
    for (const step of this.#steps) {
      const dueMs = step.dueMs();
      if (dueMs !== undefined && dueMs < firstMs) [first, firstMs] = [step, dueMs];
    }
    if (!first) return;
    const run = () => {
      this.#isStepping = false;
      if (this.#isClosed) return;
      first.run();
      this.#stepLater();
    };
    const waitMs = firstMs - performance.now();
    // A step that is due has its turn behind the commands that wait already, however fast others come.
    this.#isStepping = waitMs <= 0;
    if (this.#isStepping) setImmediate(run);
    else this.#timer = setTimeout(run, waitMs);
  }

  /**
   * Commands have one turn in a round of the event loop, as the steps have: Node hands over a thousand messages and
   * more in one round, if they come fast enough.
   */
  #runSoon(): void {
    if (this.#isScheduled || this.#received.length === 0) return;
    this.#isScheduled = true;
    setImmediate(() => this.#run());
  }

  #run(): void {
    this.#isScheduled = false;
    const { operations, isClosing } = this.#takeWaiting();
    this.#committer.run(operations);
    this.#lastCommandMs = performance.now();
    if (isClosing) this.#close();
    else this.#runSoon();
    this.#stepLater();
  }

  /** Takes everything that is queued. */
  #takeWaiting(): { readonly operations: readonly Operation[]; readonly isClosing: boolean } {
    const operations: Operation[] = [];
    for (let command = this.#nextCommand(); command; command = this.#nextCommand()) {
      if ('kind' in command) return { operations, isClosing: true };
      operations.push(...command);
      if (operations.length >= maxBatch) break;
    }
    return { operations, isClosing: false };
  }

  #nextCommand(): WriterCommand | undefined {
    return this.#received.shift() ?? (receiveMessageOnPort(port!) as { message: WriterCommand } | undefined)?.message;
  }

  #close(): void {
    this.#isClosed = true;
    clearInterval(this.#watching);
    clearTimeout(this.#timer);
    this.#committer.follow();
    this.#checkpointer.close();
    this.#opened.close();
    send({ kind: 'closed' });
    port!.close();
  }
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
  new WriterLoop(opened);
  send({ kind: 'ready' });
} catch (error) {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const isExplained = error instanceof StoreRefused || resultCode(error) !== undefined;
  const refusal = isExplained
    ? message
    : (unusableFile(error) ?? `The database could not be opened: ${stack ?? message}`);
  send({ kind: 'refused', message: refusal });
}
