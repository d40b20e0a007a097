import { ServiceError } from '../../../contract/errors.ts';
import type { Change, CommitOutcome, GroupOutcome, IdempotentResponse } from '../../../domain/ports/resource-store.ts';
import { turnOver } from '../../../domain/turns.ts';
import type { StoreMetrics } from '../../../telemetry/store-metrics.ts';
import { logOf } from '../event-row.ts';
import type { Connection } from '../open/connection.ts';
import {
  codeOf,
  isConflict,
  isRefusal,
  isUnavailable,
  isWorthRepeating,
  outcomeUnknown,
  refusalOf,
  sqlState,
  unavailable,
} from '../open/errors.ts';
import type { ProjectNodes } from '../open/nodes.ts';
import type { Pool } from '../open/pool.ts';
import { noGroup } from '../open/shares.ts';
import { takeBatch, wavesOf } from './batches.ts';
import { type CommitOptions, type Committed, commitWrites } from './commit-statement.ts';
import { deleteExpired } from './expired-responses.ts';
import { type PreparedWrite, prepareWrite, responseWrite } from './prepare-write.ts';
import { createTransactions, maxAttempts, type Transact, type Work } from './transaction.ts';

/** Writes that may wait; more are refused, so that a database that hangs cannot fill the memory. */
const maxWaiting = 20_000;
/** The longest wait for a turn while nothing of the project is committed, and how often that is looked at. */
const [defaultQueueMs, lookMs] = [2000, 250];

export interface WriterOptions {
  /** Its connections run the commits. */
  readonly pool: Pool;
  readonly metrics: StoreMetrics;
  /** Where the projects are. */
  readonly nodes: ProjectNodes;
  /** What the epochs of logs that have no event yet are made of. */
  readonly epoch: string;
  readonly keepsHistory: boolean;
  /** The longest wait of a write while nothing of its project is committed. */
  readonly queueMs?: number | undefined;
  /** Resolves when the next changes of a project may be committed, to how many, at least one. */
  readonly admit?: (projectKey: string) => Promise<number>;
  /** Called when events of a project were committed, with the number of the last one. */
  readonly onLogged: (projectKey: string, last: number) => void;
}

type Together = Pick<CommitOptions, 'together'>;

interface Waiting {
  readonly write: PreparedWrite;
  /** When it was submitted: `performance.now`. */
  readonly sinceMs: number;
  readonly resolve: (outcome: CommitOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/** The writes of a project. They are committed one statement after another: each locks the head of the log. */
interface Queue {
  waiting: Waiting[];
  /** When a commit last began or ended. */
  progressMs: number;
}

/** Group commit: writes of a project that arrive while a statement runs share the next one. */
export class Writer {
  readonly #options: WriterOptions;
  readonly #transact: Transact;
  readonly #queues = new Map<string, Queue>();
  #waiting = 0;
  #isWatched = false;

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#transact = createTransactions(options.pool, options.metrics);
  }

  /** Durable when it resolves to `committed`. Rejects with a ServiceError. */
  submit(change: Change): Promise<CommitOutcome> {
    return this.#enqueue(prepareWrite(change, this.#options.keepsHistory));
  }

  /** Stores a response alone, to a write that changed nothing. */
  async submitResponse(projectKey: string, response: IdempotentResponse): Promise<'committed' | 'responseExists'> {
    return (await this.#enqueue(responseWrite(projectKey, response))) as 'committed' | 'responseExists';
  }

  /** Applies changes of one project together or not at all. */
  async submitGroup(changes: readonly Change[]): Promise<GroupOutcome> {
    const writes: PreparedWrite[] = [];
    for (const change of changes) {
      writes.push(prepareWrite(change, this.#options.keepsHistory));
      await turnOver();
    }
    const waves = wavesOf(writes);
    await this.#options.admit?.(writes[0]!.projectKey);
    const outcome = await this.#commitGroup(waves);
    if (outcome === 'committed' || outcome.outcome !== 'rulesBroken') return outcome;
    // It may want a mark that a change before it leaves: a statement sees what was there before all of its changes.
    const mayBeLeft = writes.slice(0, outcome.at).some(({ kind }) => kind !== 'create');
    return mayBeLeft ? this.#commitGroup(writes.map((write) => [write])) : outcome;
  }

  /**
   * Runs work in one durable transaction of its own. May run it again after a conflict. It waits for the server of the
   * project; absent for work about several projects.
   */
  async transact<T>(work: Work<T>, projectKey?: string): Promise<T> {
    return this.#transact(work, 1, projectKey === undefined ? noGroup : await this.#options.nodes.groupOf(projectKey));
  }

  /** How commits are done, for those that are part of a transaction. */
  get commitOptions(): CommitOptions {
    return { epoch: this.#options.epoch };
  }

  #enqueue(write: PreparedWrite): Promise<CommitOutcome> {
    if (this.#waiting >= maxWaiting)
      return Promise.reject(unavailable('Too many writes are waiting for the database. Try again.'));
    const queue = this.#queues.get(write.projectKey) ?? { waiting: [], progressMs: performance.now() };
    const isNew = !this.#queues.has(write.projectKey);
    this.#queues.set(write.projectKey, queue);
    this.#waiting += 1;
    this.#watch();
    return new Promise((resolve, reject) => {
      queue.waiting.push({ write, sinceMs: performance.now(), resolve, reject });
      // The writes of one turn of the event loop join it.
      if (isNew) setImmediate(() => void this.#run(write.projectKey, queue));
    });
  }

  async #run(projectKey: string, queue: Queue): Promise<void> {
    while (queue.waiting.length > 0) {
      // Whoever waits for mirrors is not overdue.
      queue.progressMs = Number.POSITIVE_INFINITY;
      const room = await this.#options.admit?.(projectKey);
      const { batch, rest } = takeBatch(queue.waiting, room);
      queue.waiting = rest;
      queue.progressMs = performance.now();
      this.#waiting -= batch.length;
      await this.#commitBatch(batch);
      queue.progressMs = performance.now();
    }
    this.#queues.delete(projectKey);
  }

  /** Commits writes in one statement; where it cannot be carried out at all each in its own, so that only one fails. */
  async #commitBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      const { outcomes } = await this.#commit(batch.map(({ write }) => write));
      for (const [at, { resolve }] of batch.entries()) resolve(outcomes[at]!);
    } catch (error) {
      if (batch.length > 1 && !(error instanceof ServiceError)) {
        for (const each of batch) await this.#commitBatch([each]);
      } else for (const { reject } of batch) reject(error);
    }
  }

  /** Commits writes of a project in one statement. Where a scope has a response that has expired, it is deleted first. */
  async #commit(writes: readonly PreparedWrite[]): Promise<Committed> {
    const committed = await this.#send(writes, {});
    const taken = writes.filter((_, at) => committed.outcomes[at] === 'responseExists');
    if (taken.length === 0 || !(await this.#freeScopes(taken))) return committed;
    const { outcomes, last } = await this.#send(taken, {});
    const again = new Map(taken.map((write, at) => [write, outcomes[at]!]));
    return { outcomes: writes.map((write, at) => again.get(write) ?? committed.outcomes[at]!), last };
  }

  async #freeScopes(taken: readonly PreparedWrite[]): Promise<boolean> {
    const work = (connection: Connection) => deleteExpired(connection, taken, Date.now());
    return (await this.transact(work, taken[0]!.projectKey)) > 0;
  }

  /**
   * Sends the statement until the database has answered: again after conflicts, and where its answer was lost, since the next one says
   * what became of it.
   */
  async #send(writes: readonly PreparedWrite[], options: Together): Promise<Committed> {
    const { pool, nodes, metrics, epoch } = this.#options;
    const node = await nodes.groupOf(writes[0]!.projectKey);
    /** It was sent, and may have been committed. */
    let isLost = false;
    for (let attempt = 1; ; attempt += 1) {
      let isSent = false;
      const begunMs = performance.now();
      try {
        const send = async (connection: Connection) => {
          isSent = true;
          const beganMs = performance.now();
          const committed = await commitWrites(connection, writes, { epoch, repeated: isLost, ...options });
          metrics.recordCommit(writes.length, performance.now() - beganMs);
          return committed;
        };
        const committed = await pool.use(send, node);
        if (committed.outcomes.includes('committed')) this.#logged(writes, committed);
        return committed;
      } catch (error) {
        const isConflicting = isConflict(error) || codeOf(error) === sqlState.uniqueViolation;
        // What the server refused it has not stored.
        isLost ||= isSent && !isRefusal(error) && isUnavailable(error);
        const isWorth = isConflicting || isLost || (attempt === 1 && isWorthRepeating(error, begunMs));
        if (attempt === maxAttempts || !isWorth) throw isLost ? outcomeUnknown() : refusalOf(error);
      }
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * attempt ** 2));
    }
  }

  #logged(writes: readonly PreparedWrite[], { last }: Pick<Committed, 'last'>): void {
    const { onLogged } = this.#options;
    const { projectKey } = writes[0]!;
    onLogged(projectKey, last);
    if (writes.some(({ documents }) => documents.length > 0)) onLogged(logOf(projectKey), 0);
  }

  /** Commits all of these changes or none. Where a scope has a response that has expired, it is deleted first. */
  async #commitGroup(waves: readonly (readonly PreparedWrite[])[]): Promise<GroupOutcome> {
    try {
      if (waves.length > 1) await this.#commitWaves(waves);
      else refuseIncomplete(await this.#send(waves[0]!, { together: true }), 0);
      return 'committed';
    } catch (error) {
      if (!(error instanceof GroupRefused)) throw error;
      const { outcome, at } = error.result;
      const isFreed = outcome === 'responseExists' && (await this.#freeScopes([waves.flat()[at]!]));
      return isFreed ? this.#commitGroup(waves) : error.result;
    }
  }

  /** Changes of which some touch what others touched, in one transaction. */
  async #commitWaves(waves: readonly (readonly PreparedWrite[])[]): Promise<void> {
    const { projectKey } = waves[0]![0]!;
    const work = async (connection: Connection) => {
      let at = 0;
      let last = 0;
      for (const wave of waves) {
        const committed = await commitWrites(connection, wave, { ...this.commitOptions, together: true });
        refuseIncomplete(committed, at);
        at += wave.length;
        last = committed.last;
      }
      return last;
    };
    const last = await this.transact(work, projectKey);
    this.#logged(waves.flat(), { last });
  }

  #watch(): void {
    if (this.#isWatched) return;
    this.#isWatched = true;
    setTimeout(() => this.#refuseOverdue(), lookMs);
  }

  /** Refuses writes that wait behind a commit, or a server, that does not respond; not those of a long queue. */
  #refuseOverdue(): void {
    const dueMs = performance.now() - (this.#options.queueMs ?? defaultQueueMs);
    for (const queue of this.#queues.values()) {
      if (queue.progressMs > dueMs) continue;
      const overdue = queue.waiting.findIndex(({ sinceMs }) => sinceMs > dueMs);
      const refused = queue.waiting.splice(0, overdue === -1 ? queue.waiting.length : overdue);
      this.#waiting -= refused.length;
      for (const { reject } of refused)
        reject(unavailable('The write did not begin in time. Nothing was stored. Try again.'));
    }
    this.#isWatched = false;
    if (this.#waiting > 0) this.#watch();
  }
}

/** A change of the group could not be applied: nothing is stored. */
class GroupRefused extends Error {
  readonly result: Exclude<GroupOutcome, 'committed'>;

  constructor(outcome: Exclude<CommitOutcome, 'committed'>, at: number) {
    super(`change ${at} of a group: ${outcome}`);
    this.result = { outcome, at };
  }
}

function refuseIncomplete({ outcomes }: Committed, first: number): void {
  const at = outcomes.findIndex((outcome) => outcome !== 'committed');
  if (at >= 0) throw new GroupRefused(outcomes[at] as Exclude<CommitOutcome, 'committed'>, first + at);
}
