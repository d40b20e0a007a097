import { ServiceError } from '../../../contract/errors.ts';
import type { Change, CommitOutcome, IdempotentResponse, ResourceStore } from '../../../domain/ports/resource-store.ts';
import { turnOver } from '../../../domain/turns.ts';
import type { StoreMetrics } from '../../../telemetry/store-metrics.ts';
import { logOf } from '../event-row.ts';
import { StaleGeneration } from '../generations/generation.ts';
import type { TermHash } from '../index/term-hash.ts';
import type { Pool } from '../open/pool.ts';
import { noGroup } from '../open/shares.ts';
import { applyWrites } from './apply.ts';
import { applyInOrder, GroupRefused } from './group.ts';
import { prepareWrite, responseWrite, type Write, type WriteContext } from './prepare-write.ts';
import { ProjectRegistry, type ProjectRegistryOptions } from './project-registry.ts';
import { createTransactions, maxAttempts, type Transact, type Work } from './transaction.ts';
import { pathsChanging, type Waiting } from './waiting.ts';
import { WriteScheduler, type WriteSchedulerOptions } from './write-scheduler.ts';

export interface WriterOptions extends ProjectRegistryOptions, Omit<WriteSchedulerOptions, 'commit'> {
  /** Its connections run the transactions. */
  readonly pool: Pool;
  readonly metrics: StoreMetrics;
  readonly terms: TermHash;
  /** Called when events of a project were committed. */
  readonly onLogged: (projectKey: string) => void;
}

/** Group commit: writes that arrive while a transaction runs share the next one. */
export class Writer {
  readonly #options: WriterOptions;
  readonly #context: WriteContext;
  readonly #transact: Transact;
  readonly #projects: ProjectRegistry;
  readonly #scheduler: WriteScheduler;

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#context = { terms: options.terms, keepsLog: options.epoch !== undefined };
    this.#transact = createTransactions(options.pool, options.metrics);
    this.#projects = new ProjectRegistry(options, this.#transact);
    this.#scheduler = new WriteScheduler({ ...options, commit: (batch, node) => this.#commit(batch, node) });
  }

  /** Durable when it resolves to `committed`. Rejects with a ServiceError. */
  async submit(change: Change): Promise<CommitOutcome> {
    const projectKey = projectOf(change);
    const paths = this.#projects.paths(projectKey) ?? (await this.#projects.register(projectKey));
    return this.#scheduler.submit(prepareWrite(change, paths, this.#context), change);
  }

  /** Stores a response alone, to a write that changed nothing. */
  submitResponse(projectKey: string, response: IdempotentResponse): ReturnType<ResourceStore['storeResponse']> {
    return this.#scheduler.submit(responseWrite(projectKey, response)) as ReturnType<ResourceStore['storeResponse']>;
  }

  /** Applies changes of one project together or not at all, in a transaction of their own. */
  async submitGroup(changes: readonly Change[], renewals = 0): ReturnType<ResourceStore['commitAll']> {
    const projectKey = projectOf(changes[0]!);
    const paths = this.#projects.paths(projectKey) ?? (await this.#projects.register(projectKey));
    const { projectsApart, nodes, onLogged } = this.#options;
    const node = projectsApart ? await nodes.groupOf(projectKey) : noGroup;
    const writes: Write[] = [];
    for (const change of changes) {
      writes.push(prepareWrite(change, paths, this.#context));
      await turnOver();
    }
    const work: Work<void> = (connection, leave) => applyInOrder(connection, changes, writes, Date.now(), leave);
    try {
      await this.#transact(work, changes.length, node);
      if (this.#context.keepsLog) onLogged(logOf(projectKey));
      return 'committed';
    } catch (error) {
      if (error instanceof GroupRefused) return error.result;
      if (!(error instanceof StaleGeneration)) throw error;
      if (renewals === maxAttempts) throw pathsChanging();
      await this.#projects.register(projectKey);
      return this.submitGroup(changes, renewals + 1);
    }
  }

  /**
   * Runs work in one durable transaction of its own. May run it again after a conflict. It waits for the server of the
   * project; absent for work about several projects.
   */
  async transact<T>(work: Work<T>, projectKey?: string): Promise<T> {
    return this.#transact(work, 1, projectKey === undefined ? noGroup : await this.#options.nodes.groupOf(projectKey));
  }

  /** Commits a batch in one transaction, and resolves or rejects each of its writes. */
  async #commit(batch: readonly Waiting[], node: string, renewals = 0): Promise<void> {
    const writes = batch.map(({ write }) => write);
    const work: Work<ReadonlyMap<Write, CommitOutcome>> = (connection, leave) =>
      applyWrites(connection, writes, Date.now(), leave);
    try {
      const outcomes = await this.#transact(work, batch.length, node);
      for (const { write, resolve } of batch) resolve(outcomes.get(write)!);
      const logged = writes.filter((write) => write.events.length > 0 && outcomes.get(write) === 'committed');
      for (const log of new Set(logged.map(({ projectKey }) => logOf(projectKey)))) this.#options.onLogged(log);
    } catch (error) {
      await this.#recover(batch, node, renewals, error);
    }
  }

  async #recover(batch: readonly Waiting[], node: string, renewals: number, error: unknown): Promise<void> {
    const rejectAll = (reason: unknown) => {
      for (const { reject } of batch) reject(reason);
    };
    if (error instanceof StaleGeneration) {
      if (renewals === maxAttempts) return rejectAll(pathsChanging());
      const renewed = await this.#renew(batch).catch(rejectAll);
      return renewed && this.#commit(renewed, node, renewals + 1);
    }
    if (batch.length === 1 || error instanceof ServiceError) return rejectAll(error);
    // If one of them cannot be applied at all, each gets its own transaction, so that only that one fails.
    for (const each of batch) await this.#commit([each], node);
  }

  /** Prepares writes again, for the paths of today. */
  async #renew(batch: readonly Waiting[]): Promise<readonly Waiting[]> {
    const changed = batch.filter(({ change }) => change !== undefined);
    const paths = new Map<string, readonly string[]>();
    for (const projectKey of new Set(changed.map(({ write }) => write.projectKey))) {
      paths.set(projectKey, await this.#projects.register(projectKey));
    }
    return batch.map((each) => {
      const { change, write } = each;
      return change ? { ...each, write: prepareWrite(change, paths.get(write.projectKey)!, this.#context) } : each;
    });
  }
}

function projectOf(change: Change): string {
  return change.kind === 'delete' ? change.projectKey : change.next.projectKey;
}
