import { Cache } from '../../../cache/cache.ts';
import { ServiceError } from '../../../contract/errors.ts';
import type { Change, CommitOutcome, IdempotentResponse, ResourceStore } from '../../../domain/ports/resource-store.ts';
import type { StoreMetrics } from '../../../telemetry/store-metrics.ts';
import { logOf } from '../event-row.ts';
import { type RecordedPaths, registerPaths, StaleGeneration } from '../generations/generation.ts';
import type { ProjectGenerations } from '../generations/project-generations.ts';
import type { TermHash } from '../index/term-hash.ts';
import type { Connection } from '../open/connection.ts';
import { codeOf, unavailable } from '../open/errors.ts';
import type { ProjectNodes } from '../open/nodes.ts';
import type { Pool } from '../open/pool.ts';
import { createShares, noGroup } from '../open/shares.ts';
import { headStatement } from './append-events.ts';
import { applyWrites } from './apply.ts';
import { type Batches, batchOf, beginBatch, largeGroup } from './batches.ts';
import { applyInOrder, GroupRefused } from './group.ts';
import { createPreparation } from './preparation.ts';
import { responseWrite, type Write } from './prepare-write.ts';
import { takeBatch } from './take-batch.ts';
import { createTransactions, maxAttempts, type Work } from './transaction.ts';
import { pathsChanging, tooManyWaiting, type Waiting } from './waiting.ts';

/** Group commit: writes that arrive while a transaction runs share the next one. */
export interface Writer {
  /** Durable when it resolves to `committed`. Rejects with a ServiceError. */
  submit(change: Change): Promise<CommitOutcome>;
  /** The same for changes of one project that are applied together or not at all, in a transaction of their own. */
  readonly submitGroup: ResourceStore['commitAll'];
  /** The same for a response alone, to a write that changed nothing. */
  submitResponse(projectKey: string, response: IdempotentResponse): ReturnType<ResourceStore['storeResponse']>;
  /**
   * Runs work in one durable transaction of its own. May run it again after a conflict. It waits for the server of the
   * project; absent for work about several projects.
   */
  transact<T>(work: Work<T>, projectKey?: string): Promise<T>;
  close(): Promise<void>;
}

export interface WriterOptions {
  readonly pool: Pool;
  readonly metrics: StoreMetrics;
  /** Projects never share a transaction: if they are on several servers, each depends on its own server only. */
  readonly projectsApart: boolean;
  /** Where the projects are: each server has a share of the transactions. */
  readonly nodes: ProjectNodes;
  /** Transactions at the same time. */
  readonly maxTransactions: number;
  readonly generations: ProjectGenerations;
  readonly recorded: RecordedPaths;
  readonly terms: TermHash;
  /** What the epochs of logs that have no event yet are made of; undefined if changes are not logged. */
  readonly epoch: string | undefined;
  /** Called when events of a project were committed. */
  readonly onLogged: (projectKey: string) => void;
  /** The longest wait while no transaction of the batch begins or ends. */
  readonly queueMs?: number | undefined;
}

/** Writes that share a transaction. */
const maxBatch = 256;
/** Writes that may wait; more are refused, so that a database that hangs cannot fill the memory. */
const maxWaiting = 20_000;
const maxProjects = 10_000;
/** The longest wait while no transaction of the batch begins or ends, and how often that is looked at. */
const [defaultQueueMs, lookMs] = [2000, 250];

/** Creates the writer; its transactions run on connections of the pool. */
export function createWriter(options: WriterOptions): Writer {
  const { pool, metrics, projectsApart, nodes, maxTransactions, generations, recorded, epoch, terms } = options;
  const { queueMs = defaultQueueMs } = options;
  const keepsLog = epoch !== undefined;
  const context = { terms, keepsLog };
  const preparing = createPreparation(context);
  const transact = createTransactions(pool, metrics);
  /** Projects that are known to have a head of their log. */
  const withHead = new Cache<string, true>({ maxEntries: maxProjects });

  /** Batches without a running transaction are in `ready`. */
  const batches: Batches = new Map();
  /** Batches whose last transaction was of one large write. */
  const lastWasLarge = new Set<string>();
  /** When a transaction of the batch last began or ended: `performance.now`. */
  const progressMs = new Map<string, number>();
  /** By the server that they depend on. */
  const ready = new Map<string, string[]>();
  const shares = createShares(maxTransactions);
  const registering = new Map<string, Promise<readonly string[]>>();
  let waiting = 0;
  let isWatched = false;

  /** Starts the transactions that may start. The servers take turns, and so do the projects of each. */
  function pump(): void {
    let mayStart = true;
    while (mayStart) {
      mayStart = false;
      for (const [node, names] of [...ready]) {
        if (!shares.tryEnter(node)) continue;
        mayStart = true;
        const name = names.shift()!;
        ready.delete(node);
        if (names.length > 0) ready.set(node, names);
        start(name, node);
      }
    }
  }

  function start(name: string, node: string): void {
    void commitNext(name, node).finally(() => {
      progressMs.set(name, performance.now());
      shares.leave(node);
      setReady(name);
      pump();
    });
  }

  /** Puts a batch that has no transaction among those that wait for one. */
  function setReady(name: string): void {
    if (batches.get(name)!.length === 0) {
      batches.delete(name);
      lastWasLarge.delete(name);
      progressMs.delete(name);
      return;
    }
    const add = (node: string) => {
      const names = ready.get(node);
      if (names) names.push(name);
      else ready.set(node, [name]);
    };
    const node = projectsApart ? nodes.groupOf(name) : name === '' ? noGroup : largeGroup;
    if (typeof node === 'string') add(node);
    else
      void node.then((found) => {
        add(found);
        pump();
      });
  }

  async function commitNext(name: string, node: string): Promise<void> {
    const { batch, rest, isLarge } = takeBatch(batches.get(name)!, maxBatch, lastWasLarge.has(name));
    batches.set(name, rest);
    if (isLarge) lastWasLarge.add(name);
    else lastWasLarge.delete(name);
    progressMs.set(name, performance.now());
    waiting -= batch.length;
    if (batch.length > 0) await settle(batch, node);
  }

  /** Refuses writes that wait behind a transaction, or a server, that does not respond; not those of a long queue. */
  function refuseOverdue(): void {
    const dueMs = performance.now() - queueMs;
    for (const [name, writes] of batches) {
      if (progressMs.get(name)! > dueMs) continue;
      const overdue = writes.findIndex(({ sinceMs }) => sinceMs > dueMs);
      const refused = writes.splice(0, overdue === -1 ? writes.length : overdue);
      waiting -= refused.length;
      for (const { reject } of refused)
        reject(unavailable('The write did not begin in time. Nothing was stored. Try again.'));
    }
    isWatched = waiting > 0;
    if (isWatched) setTimeout(refuseOverdue, lookMs);
  }

  /** Prepares a project for writes, once for all that wait: finds out which paths they have to maintain. */
  function register(projectKey: string): Promise<readonly string[]> {
    const found = registering.get(projectKey) ?? registerOnce(projectKey);
    registering.set(projectKey, found);
    return found;
  }

  async function registerOnce(projectKey: string): Promise<readonly string[]> {
    try {
      const { declared } = generations;
      const work = async (connection: Connection) => {
        const log = logOf(projectKey);
        if (keepsLog && log !== '') await connection.run(headStatement(log, epoch));
        return registerPaths(connection, projectKey, declared, recorded);
      };
      // Whatever became of the first attempt, the second one finds it.
      const node = await nodes.groupOf(projectKey);
      const generation = await transact(work, 0, node).catch((error: unknown) => {
        if (codeOf(error) === 'OutcomeUnknown') return transact(work, 0, node);
        throw error;
      });
      generations.set(projectKey, generation);
      withHead.set(projectKey, true);
      return generation.paths;
    } finally {
      registering.delete(projectKey);
    }
  }

  /** Prepares writes again, for the paths of today. */
  async function renew(batch: readonly Waiting[]): Promise<readonly Waiting[]> {
    const changes = batch.filter(({ change }) => change !== undefined);
    const paths = new Map<string, readonly string[]>();
    for (const projectKey of new Set(changes.map(({ write }) => write.projectKey))) {
      paths.set(projectKey, await register(projectKey));
    }
    const renewed = batch.map(async (each) => {
      const { change, write } = each;
      return change ? { ...each, write: await preparing.prepare(change, paths.get(write.projectKey)!) } : each;
    });
    return Promise.all(renewed);
  }

  async function settle(batch: readonly Waiting[], node: string, renewals = 0): Promise<void> {
    const writes = batch.map(({ write }) => write);
    try {
      const work: Work<ReadonlyMap<Write, CommitOutcome>> = (connection, leave) =>
        applyWrites(connection, writes, Date.now(), leave);
      const outcomes = await transact(work, batch.length, node);
      for (const { write, resolve } of batch) resolve(outcomes.get(write)!);
      const logged = writes.filter((write) => write.events.length > 0 && outcomes.get(write) === 'committed');
      for (const projectKey of new Set(logged.map((write) => logOf(write.projectKey)))) options.onLogged(projectKey);
    } catch (error) {
      if (error instanceof StaleGeneration && renewals < maxAttempts) {
        const renewed = await renew(batch).catch((reason: unknown) => {
          for (const { reject } of batch) reject(reason);
        });
        return renewed && settle(renewed, node, renewals + 1);
      }
      if (error instanceof StaleGeneration) {
        for (const { reject } of batch) reject(pathsChanging());
        return;
      }
      // If one of them cannot be applied at all, each gets its own transaction, so that only that one fails.
      if (batch.length > 1 && !(error instanceof ServiceError)) for (const each of batch) await settle([each], node);
      else for (const { reject } of batch) reject(error);
    }
  }

  function enqueue(write: Write, change?: Change): Promise<CommitOutcome> {
    const name = batchOf(batches, write, projectsApart);
    if (!batches.has(name)) {
      beginBatch(batches, name);
      progressMs.set(name, performance.now());
      // The writes of one turn of the event loop share a transaction.
      setImmediate(() => {
        setReady(name);
        pump();
      });
    }
    waiting += 1;
    if (!isWatched) setTimeout(refuseOverdue, lookMs);
    isWatched = true;
    return new Promise((resolve, reject) => {
      batches.get(name)!.push({ change, write, sinceMs: performance.now(), resolve, reject });
    });
  }

  function submitFor(change: Change, paths: readonly string[]): Promise<CommitOutcome> {
    const write = preparing.prepareInOrder(change, paths);
    return write instanceof Promise ? write.then((prepared) => enqueue(prepared, change)) : enqueue(write, change);
  }

  async function submitGroup(changes: readonly Change[], renewals = 0): ReturnType<Writer['submitGroup']> {
    const { projectKey } = changes[0]!.kind === 'delete' ? changes[0]! : changes[0]!.next;
    const paths = (withHead.get(projectKey) && generations.paths(projectKey)) || (await register(projectKey));
    const node = projectsApart ? await nodes.groupOf(projectKey) : noGroup;
    const writes = await preparing.prepareAll(changes, paths);
    const work: Work<void> = (connection, leave) => applyInOrder(connection, changes, writes, Date.now(), leave);
    try {
      await transact(work, changes.length, node);
      if (keepsLog) options.onLogged(logOf(projectKey));
      return 'committed';
    } catch (error) {
      if (error instanceof GroupRefused) return error.result;
      if (!(error instanceof StaleGeneration)) throw error;
      if (renewals === maxAttempts) throw pathsChanging();
      await register(projectKey);
      return submitGroup(changes, renewals + 1);
    }
  }

  return {
    submitGroup,
    submit(change) {
      if (waiting + preparing.waiting >= maxWaiting || preparing.isFull(change))
        return Promise.reject(tooManyWaiting());
      const { projectKey } = change.kind === 'delete' ? change : change.next;
      const paths = withHead.get(projectKey) && generations.paths(projectKey);
      if (paths) return submitFor(change, paths);
      return register(projectKey).then((registered) => submitFor(change, registered));
    },
    submitResponse(projectKey, response) {
      if (waiting >= maxWaiting) return Promise.reject(tooManyWaiting());
      return enqueue(responseWrite(projectKey, response)) as ReturnType<ResourceStore['storeResponse']>;
    },
    async transact(work, projectKey) {
      return transact(work, 1, projectKey === undefined ? noGroup : await nodes.groupOf(projectKey));
    },
    close: preparing.close,
  };
}
