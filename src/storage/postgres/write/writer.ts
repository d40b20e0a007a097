import { ServiceError } from '../../../contract/errors.ts';
import type { Change, CommitOutcome, IdempotentResponse, ResourceStore } from '../../../domain/ports/resource-store.ts';
import type { StoreMetrics } from '../../../telemetry/store-metrics.ts';
import { type RecordedPaths, registerPaths, StaleGeneration } from '../generations/generation.ts';
import type { ProjectGenerations } from '../generations/project-generations.ts';
import type { Connection } from '../open/connection.ts';
import { codeOf, isConflict, isUnavailable, outcomeUnknown, refusalOf, sqlState, unavailable } from '../open/errors.ts';
import type { Pool } from '../open/pool.ts';
import { applyWrites } from './apply.ts';
import { prepareWrite, responseWrite, type Write } from './prepare-write.ts';

/** Group commit: writes that arrive while a transaction runs share the next one. */
export interface Writer {
  /** Durable when it resolves to `committed`. Rejects with a ServiceError. */
  submit(change: Change): Promise<CommitOutcome>;
  /** The same for a response alone, to a write that changed nothing. */
  submitResponse(projectKey: string, response: IdempotentResponse): ReturnType<ResourceStore['storeResponse']>;
  /** Runs work in one durable transaction of its own. May run it again after a conflict. */
  transact<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
}

export interface WriterOptions {
  readonly pool: Pool;
  readonly metrics: StoreMetrics;
  /** Projects never share a transaction: if they are on several servers, each depends on its own server only. */
  readonly projectsApart: boolean;
  /** Transactions at the same time. */
  readonly maxTransactions: number;
  readonly generations: ProjectGenerations;
  readonly recorded: RecordedPaths;
}

interface Waiting {
  /** What the write was prepared from; undefined for a response alone, which maintains no index. */
  readonly change: Change | undefined;
  readonly write: Write;
  readonly resolve: (outcome: CommitOutcome) => void;
  readonly reject: (error: unknown) => void;
}

const maxBatch = 256;
/** Writes that may wait; more are refused, so that a database that hangs cannot fill the memory. */
const maxWaiting = 20_000;
const maxAttempts = 5;

/** The connection failed after COMMIT was sent. */
class CommitLost extends Error {}

/** Creates the writer; its transactions run on connections of the pool. */
export function createWriter(options: WriterOptions): Writer {
  const { pool, metrics, projectsApart, maxTransactions, generations, recorded } = options;

  /** Waiting writes, by group: those that may share a transaction. Groups without a running one are in `ready`. */
  const groups = new Map<string, Waiting[]>();
  const ready: string[] = [];
  const registering = new Map<string, Promise<readonly string[]>>();
  let running = 0;
  let waiting = 0;

  function pump(): void {
    while (running < maxTransactions && ready.length > 0) {
      const group = ready.shift()!;
      running += 1;
      void commitNext(group).finally(() => {
        running -= 1;
        if (groups.get(group)!.length > 0) ready.push(group);
        else groups.delete(group);
        pump();
      });
    }
  }

  async function commitNext(group: string): Promise<void> {
    const { batch, rest } = takeBatch(groups.get(group)!);
    groups.set(group, rest);
    waiting -= batch.length;
    await settle(batch);
  }

  /** Finds out, once for all writes that wait for it, which paths writes of a project have to maintain. */
  function register(projectKey: string): Promise<readonly string[]> {
    const found = registering.get(projectKey) ?? registerOnce(projectKey);
    registering.set(projectKey, found);
    return found;
  }

  async function registerOnce(projectKey: string): Promise<readonly string[]> {
    try {
      const { declared } = generations;
      const work = (connection: Connection) => registerPaths(connection, projectKey, declared, recorded);
      // Whatever became of the first attempt, the second one finds it.
      const generation = await transact(work, 0).catch((error: unknown) => {
        if (codeOf(error) === 'OutcomeUnknown') return transact(work, 0);
        throw error;
      });
      generations.set(projectKey, generation);
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
    return batch.map((each) =>
      each.change ? { ...each, write: prepareWrite(each.change, paths.get(each.write.projectKey)!) } : each,
    );
  }

  async function settle(batch: readonly Waiting[], renewals = 0): Promise<void> {
    const writes = batch.map(({ write }) => write);
    try {
      const outcomes = await transact((connection) => applyWrites(connection, writes, Date.now()), batch.length);
      for (const { write, resolve } of batch) resolve(outcomes.get(write)!);
    } catch (error) {
      if (error instanceof StaleGeneration && renewals < maxAttempts) {
        const renewed = await renew(batch).catch((reason: unknown) => {
          for (const { reject } of batch) reject(reason);
        });
        return renewed && settle(renewed, renewals + 1);
      }
      if (error instanceof StaleGeneration) {
        for (const { reject } of batch) reject(unavailable('The indexed paths are being changed. Try again.'));
        return;
      }
      // If one of them cannot be applied at all, each gets its own transaction, so that only that one fails.
      if (batch.length > 1 && !(error instanceof ServiceError)) for (const each of batch) await settle([each]);
      else for (const { reject } of batch) reject(error);
    }
  }

  async function transact<T>(work: (connection: Connection) => Promise<T>, operations: number): Promise<T> {
    const onCommitted = (durableMs: number) => metrics.recordCommit(operations, durableMs);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await pool.use((connection) => inTransaction(connection, work, onCommitted));
      } catch (error) {
        if (error instanceof CommitLost) throw outcomeUnknown();
        // Nothing was stored before COMMIT was sent, so a repetition is safe.
        const attempts = isConflict(error) ? maxAttempts : isUnavailable(error) ? 2 : 1;
        if (attempt >= attempts) throw refusalOf(error);
      }
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * attempt));
    }
  }

  function enqueue(write: Write, change?: Change): Promise<CommitOutcome> {
    const group = projectsApart ? write.projectKey : '';
    const known = groups.get(group);
    if (!known) {
      groups.set(group, []);
      // The writes of one turn of the event loop share a transaction.
      setImmediate(() => {
        ready.push(group);
        pump();
      });
    }
    waiting += 1;
    return new Promise((resolve, reject) => {
      groups.get(group)!.push({ change, write, resolve, reject });
    });
  }

  return {
    submit(change) {
      if (waiting >= maxWaiting) return Promise.reject(tooManyWaiting());
      const { projectKey } = change.kind === 'delete' ? change : change.next;
      const paths = generations.paths(projectKey);
      if (paths) return enqueue(prepareWrite(change, paths), change);
      return register(projectKey).then((registered) => enqueue(prepareWrite(change, registered), change));
    },
    submitResponse(projectKey, response) {
      if (waiting >= maxWaiting) return Promise.reject(tooManyWaiting());
      return enqueue(responseWrite(projectKey, response)) as ReturnType<ResourceStore['storeResponse']>;
    },
    transact: (work) => transact(work, 1),
  };
}

function tooManyWaiting(): ServiceError {
  return unavailable('Too many writes are waiting for the database. Try again.');
}

/** The next writes of a group. Two with a response under one scope do not share a transaction. */
function takeBatch(waiting: readonly Waiting[]): { readonly batch: readonly Waiting[]; readonly rest: Waiting[] } {
  const scopes = new Set<string>();
  const [batch, rest]: [Waiting[], Waiting[]] = [[], []];
  for (const each of waiting) {
    const scope = each.write.response?.scope;
    const fits = batch.length < maxBatch && (scope === undefined || !scopes.has(scope));
    if (fits && scope !== undefined) scopes.add(scope);
    (fits ? batch : rest).push(each);
  }
  return { batch, rest };
}

async function inTransaction<T>(
  connection: Connection,
  work: (connection: Connection) => Promise<T>,
  onCommitted: (durableMs: number) => void,
): Promise<T> {
  const begun = connection.run({ text: 'BEGIN' });
  let result: T;
  try {
    [, result] = await Promise.all([begun, work(connection)]);
  } catch (error) {
    if (connection.inTransaction()) await connection.run({ text: 'ROLLBACK' }).catch(() => {});
    throw error;
  }
  const sentMs = performance.now();
  let committed: boolean;
  try {
    committed = await connection.commit();
  } catch (error) {
    // The server says that it rolled back. After any other error the outcome is unknown.
    if (isConflict(error) || codeOf(error) === sqlState.diskFull) throw error;
    throw new CommitLost('', { cause: error });
  }
  if (!committed) throw new Error('The transaction was rolled back.');
  onCommitted(performance.now() - sentMs);
  return result;
}
