import { Cache } from '../../../cache/cache.ts';
import { logOf } from '../event-row.ts';
import { type RecordedPaths, registerPaths } from '../generations/generation.ts';
import type { ProjectGenerations } from '../generations/project-generations.ts';
import type { Connection } from '../open/connection.ts';
import { codeOf } from '../open/errors.ts';
import type { ProjectNodes } from '../open/nodes.ts';
import { headStatement } from './append-events.ts';
import type { Transact } from './transaction.ts';

export interface ProjectRegistryOptions {
  readonly nodes: ProjectNodes;
  readonly generations: ProjectGenerations;
  readonly recorded: RecordedPaths;
  /** What the epochs of logs that have no event yet are made of; undefined if changes are not logged. */
  readonly epoch: string | undefined;
}

const maxProjects = 10_000;

/** Prepares projects for writes: each needs the head of its log, and paths whose index entries writes maintain. */
export class ProjectRegistry {
  readonly #options: ProjectRegistryOptions;
  readonly #transact: Transact;
  /** Projects that this process has registered. */
  readonly #registered = new Cache<string, true>({ maxEntries: maxProjects });
  readonly #registering = new Map<string, Promise<readonly string[]>>();

  constructor(options: ProjectRegistryOptions, transact: Transact) {
    this.#options = options;
    this.#transact = transact;
  }

  /** The paths that writes of a project maintain; undefined until it is registered. */
  paths(projectKey: string): readonly string[] | undefined {
    return this.#registered.get(projectKey) && this.#options.generations.paths(projectKey);
  }

  /** Registers a project, once for all that wait for it, and resolves to its paths. */
  register(projectKey: string): Promise<readonly string[]> {
    const found = this.#registering.get(projectKey);
    if (found) return found;
    const registering = this.#register(projectKey).finally(() => this.#registering.delete(projectKey));
    this.#registering.set(projectKey, registering);
    return registering;
  }

  async #register(projectKey: string): Promise<readonly string[]> {
    const { nodes, generations, recorded, epoch } = this.#options;
    const work = async (connection: Connection) => {
      const log = logOf(projectKey);
      if (epoch !== undefined && log !== '') await connection.run(headStatement(log, epoch));
      return registerPaths(connection, projectKey, generations.declared, recorded);
    };
    const node = await nodes.groupOf(projectKey);
    const generation = await this.#transact(work, 0, node).catch((error: unknown) => {
      // Whatever became of the first attempt, the second one finds it.
      if (codeOf(error) === 'OutcomeUnknown') return this.#transact(work, 0, node);
      throw error;
    });
    generations.set(projectKey, generation);
    this.#registered.set(projectKey, true);
    return generation.paths;
  }
}
