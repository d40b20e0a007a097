import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { StoreRefused } from '../../engine.ts';
import { isFatal, resultCode, sqliteCode } from '../open/connection.ts';
import { type Applier, createApplier } from './apply.ts';
import { type Checkpointer, createCheckpointer } from './checkpointer.ts';
import type {
  ChangeOperation,
  Operation,
  OperationFailure,
  OperationResult,
  Statement,
  WriterCommand,
  WriterMessage,
} from './messages.ts';
import { type OpenedDatabase, type OpenOptions, openDatabase } from './open-database.ts';

/**
 * The only thread that writes. While it waits for fsync, further operations queue at its port; all of them share the
 * next commit (group commit). No result is sent before its commit is durable and the acknowledged file has its number.
 */

/** Operations that share a commit; bounds how long the first of them waits for the last. */
const maxBatch = 512;

const options = workerData as OpenOptions;
const port = parentPort;
if (!port) throw new Error('This file is the entry of a worker thread.');

function send(message: WriterMessage): void {
  port?.postMessage(message);
}

function failureOf(error: unknown, duringCommit: boolean): OperationFailure {
  const message = error instanceof Error ? error.message : String(error);
  if (resultCode(error) === sqliteCode.full) return { failure: 'full', message };
  return { failure: duringCommit ? 'unknown' : 'error', message };
}

class Committer {
  readonly #opened: OpenedDatabase;
  readonly #applier: Applier;
  readonly #checkpointer: Checkpointer;
  commitMs = 0;

  constructor(opened: OpenedDatabase, checkpointer: Checkpointer) {
    this.#opened = opened;
    this.#checkpointer = checkpointer;
    this.#applier = createApplier(opened.db);
  }

  /** One transaction. Throws with nothing applied, except that a failed COMMIT leaves the outcome unknown. */
  #transaction<T>(work: () => { readonly result: T; readonly commits: number | undefined }): T {
    const { db, acknowledgedFile } = this.#opened;
    let committing = false;
    db.exec('BEGIN IMMEDIATE');
    try {
      const { result, commits } = work();
      if (commits === undefined) {
        db.exec('ROLLBACK');
        return result;
      }
      committing = true;
      const before = performance.now();
      db.exec('COMMIT');
      this.commitMs = performance.now() - before;
      acknowledgedFile.acknowledge(commits);
      this.#checkpointer.committed();
      return result;
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      this.#applier.forget();
      throw Object.assign(error as Error, { duringCommit: committing });
    }
  }

  #changesTogether(changes: readonly ChangeOperation[]): OperationResult[] {
    return this.#transaction(() => {
      const { outcomes, commits } = this.#applier.apply(changes, Date.now());
      return { result: outcomes, commits: outcomes.includes('committed') ? commits : undefined };
    });
  }

  #attempt(work: () => OperationResult[], count: number): OperationResult[] {
    try {
      return work();
    } catch (error) {
      const failure = failureOf(error, (error as { duringCommit?: boolean }).duringCommit === true);
      if (isFatal(error)) send({ kind: 'fatal', message: failure.message });
      return new Array<OperationResult>(count).fill(failure);
    }
  }

  /** All changes in one commit; where one of them cannot be applied at all, each in its own, so that only it fails. */
  changes(changes: readonly ChangeOperation[]): OperationResult[] {
    const results = this.#attempt(() => this.#changesTogether(changes), changes.length);
    const first = results[0];
    const alone = changes.length > 1 && typeof first === 'object' && 'failure' in first && first.failure === 'error';
    return alone ? changes.flatMap((change) => this.#attempt(() => this.#changesTogether([change]), 1)) : results;
  }

  statements(statements: readonly Statement[]): OperationResult[] {
    const { db } = this.#opened;
    return this.#attempt(
      () =>
        this.#transaction(() => {
          const counts = statements.map(({ sql, params }) => Number(db.prepare(sql).run(...params).changes));
          const { commits } = db.prepare('UPDATE store SET commits = commits + 1 RETURNING commits').get() as {
            commits: number;
          };
          return { result: [counts], commits };
        }),
      1,
    );
  }

  run(operations: readonly Operation[]): void {
    let at = 0;
    while (at < operations.length) {
      const operation = operations[at]!;
      if (operation[0] === 'statements') {
        send({ kind: 'done', results: this.statements(operation[1]), commitMs: this.commitMs });
        at += 1;
        continue;
      }
      const changes: ChangeOperation[] = [];
      for (
        let next = operations[at];
        next && next[0] !== 'statements' && changes.length < maxBatch;
        next = operations[at]
      ) {
        changes.push(next);
        at += 1;
      }
      send({ kind: 'done', results: this.changes(changes), commitMs: this.commitMs });
    }
  }
}

/** Takes everything that is queued. */
function drainPort(first: WriterCommand): { readonly operations: Operation[]; readonly closing: boolean } {
  const operations: Operation[] = [];
  let command: WriterCommand | undefined = first;
  while (command) {
    if ('kind' in command) return { operations, closing: true };
    operations.push(...command);
    if (operations.length >= maxBatch) break;
    command = port ? (receiveMessageOnPort(port) as { message: WriterCommand } | undefined)?.message : undefined;
  }
  return { operations, closing: false };
}

function serve(opened: OpenedDatabase): void {
  const checkpointer = createCheckpointer(opened.db, options.file);
  const committer = new Committer(opened, checkpointer);
  port?.on('message', async (command: WriterCommand) => {
    const { operations, closing } = drainPort(command);
    committer.run(operations);
    if (!closing) return;
    await checkpointer.close();
    opened.close();
    send({ kind: 'closed' });
    port?.close();
  });
}

try {
  const opened = openDatabase(options, (note) => send({ kind: 'note', text: note }));
  serve(opened);
  send({ kind: 'ready', instanceId: opened.instanceId });
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  const refused = error instanceof StoreRefused || resultCode(error) !== undefined;
  if (!refused) throw error;
  send({ kind: 'refused', message });
}
