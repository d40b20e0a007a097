import type { Change, CommitOutcome } from '../../../domain/ports/resource-store.ts';
import { logOf } from '../event-row.ts';
import { unavailable } from '../open/errors.ts';
import type { ProjectNodes } from '../open/nodes.ts';
import { createShares, noGroup, type Shares } from '../open/shares.ts';
import type { Write } from './prepare-write.ts';
import { costOf, maxBatchCost, takeBatch } from './take-batch.ts';
import { tooManyWaiting, type Waiting } from './waiting.ts';

/** Writes that share a transaction. */
const maxBatch = 256;
/** Writes that may wait; more are refused, so that a database that hangs cannot fill the memory. */
const maxWaiting = 20_000;
/** The longest wait while no transaction of the queue begins or ends, and how often that is looked at. */
const [defaultQueueMs, lookMs] = [2000, 250];
/** What the queues of projects with large writes depend on: they take no more than half of the transactions and connections. */
const largeGroup = 'large';

/** Writes that may share transactions, which run one after another. */
interface Queue {
  /** The project; '' for the queue that all projects on one server share. */
  readonly name: string;
  writes: Waiting[];
  /** The last transaction was of one large write. */
  lastWasLarge: boolean;
  /** When a transaction of the queue last began or ended: `performance.now`. */
  progressMs: number;
}

export interface WriteSchedulerOptions {
  /** Projects never share a transaction: if they are on several servers, each depends on its own server only. */
  readonly projectsApart: boolean;
  /** Where the projects are: each server has a share of the transactions. */
  readonly nodes: ProjectNodes;
  /** Transactions at the same time. */
  readonly maxTransactions: number;
  /** The longest wait while no transaction of the queue begins or ends. */
  readonly queueMs?: number | undefined;
  /** Commits writes in one transaction and resolves their promises. Never rejects. */
  readonly commit: (batch: readonly Waiting[], node: string) => Promise<void>;
}

/**
 * Decides which writes share a transaction, and when it begins. A queue lives as follows:
 *
 * 1. The first write creates it. The writes of the same turn of the event loop join it.
 * 2. It becomes ready for the server that it depends on. The servers take turns, and so do the queues of each.
 * 3. A transaction takes some of its writes. What comes meanwhile waits for the next one.
 * 4. At the end of the transaction it is ready again, or it is removed because it is empty.
 *
 * On one server all projects share a queue, except those with large writes: whatever else a project writes waits for its
 * large write in the database, and so would the writes of others in the same transaction.
 */
export class WriteScheduler {
  readonly #options: WriteSchedulerOptions;
  readonly #shares: Shares;
  readonly #queueMs: number;
  readonly #queues = new Map<string, Queue>();
  /** Queues without a transaction, by the server that they depend on. */
  readonly #ready = new Map<string, Queue[]>();
  #waiting = 0;
  #isWatched = false;

  constructor(options: WriteSchedulerOptions) {
    this.#options = options;
    this.#shares = createShares(options.maxTransactions);
    this.#queueMs = options.queueMs ?? defaultQueueMs;
  }

  /** The outcome of a write, when its transaction has ended. Rejects at once where too many writes wait. */
  submit(write: Write, change?: Change): Promise<CommitOutcome> {
    if (this.#waiting >= maxWaiting) return Promise.reject(tooManyWaiting());
    const queue = this.#queueOf(write);
    this.#waiting += 1;
    this.#watch();
    return new Promise((resolve, reject) => {
      queue.writes.push({ change, write, sinceMs: performance.now(), resolve, reject });
    });
  }

  #queueOf(write: Write): Queue {
    const name = this.#nameOf(write);
    const found = this.#queues.get(name);
    if (found) return found;
    const queue: Queue = {
      name,
      writes: this.#takeFromShared(name),
      lastWasLarge: false,
      progressMs: performance.now(),
    };
    this.#queues.set(name, queue);
    setImmediate(() => this.#setReady(queue));
    return queue;
  }

  #nameOf(write: Write): string {
    if (this.#options.projectsApart) return write.projectKey;
    const log = logOf(write.projectKey);
    return this.#queues.has(log) || costOf(write) > maxBatchCost ? log : '';
  }

  /** The writes of a project in the shared queue: they stay in front of those that come. */
  #takeFromShared(name: string): Waiting[] {
    const shared = this.#queues.get('');
    if (name === '' || !shared) return [];
    const { own = [], others = [] } = Object.groupBy(shared.writes, ({ write }) =>
      logOf(write.projectKey) === name ? 'own' : 'others',
    );
    shared.writes = others;
    return own;
  }

  #setReady(queue: Queue): void {
    if (queue.writes.length === 0) {
      this.#queues.delete(queue.name);
      this.#startTransactions();
      return;
    }
    const { projectsApart, nodes } = this.#options;
    const node = projectsApart ? nodes.groupOf(queue.name) : queue.name === '' ? noGroup : largeGroup;
    if (typeof node === 'string') this.#addReady(node, queue);
    else void node.then((found) => this.#addReady(found, queue));
  }

  #addReady(node: string, queue: Queue): void {
    const queues = this.#ready.get(node);
    if (queues) queues.push(queue);
    else this.#ready.set(node, [queue]);
    this.#startTransactions();
  }

  /** Starts the transactions that may start. */
  #startTransactions(): void {
    let mayStart = true;
    while (mayStart) {
      mayStart = false;
      for (const [node, queues] of [...this.#ready]) {
        if (!this.#shares.tryEnter(node)) continue;
        mayStart = true;
        const queue = queues.shift()!;
        this.#ready.delete(node);
        if (queues.length > 0) this.#ready.set(node, queues);
        void this.#runTransaction(queue, node);
      }
    }
  }

  async #runTransaction(queue: Queue, node: string): Promise<void> {
    const { batch, rest, isLarge } = takeBatch(queue.writes, maxBatch, queue.lastWasLarge);
    queue.writes = rest;
    queue.lastWasLarge = isLarge;
    queue.progressMs = performance.now();
    this.#waiting -= batch.length;
    if (batch.length > 0) await this.#options.commit(batch, node);
    queue.progressMs = performance.now();
    this.#shares.leave(node);
    this.#setReady(queue);
  }

  #watch(): void {
    if (this.#isWatched) return;
    this.#isWatched = true;
    setTimeout(() => this.#refuseOverdue(), lookMs);
  }

  /** Refuses writes that wait behind a transaction, or a server, that does not respond; not those of a long queue. */
  #refuseOverdue(): void {
    const dueMs = performance.now() - this.#queueMs;
    for (const { writes, progressMs } of this.#queues.values()) {
      if (progressMs > dueMs) continue;
      const overdue = writes.findIndex(({ sinceMs }) => sinceMs > dueMs);
      const refused = writes.splice(0, overdue === -1 ? writes.length : overdue);
      this.#waiting -= refused.length;
      for (const { reject } of refused)
        reject(unavailable('The write did not begin in time. Nothing was stored. Try again.'));
    }
    this.#isWatched = false;
    if (this.#waiting > 0) this.#watch();
  }
}
