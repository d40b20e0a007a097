import { Cache } from '../../../cache/cache.ts';
import type { Connection } from '../open/connection.ts';
import {
  covers,
  type Generation,
  parseReady,
  pathList,
  type RecordedPaths,
  readGeneration,
  type UsablePaths,
  usablePaths,
  withoutTerms,
} from './generation.ts';

export interface ProjectGenerationsParts {
  readonly declaredPaths: readonly string[];
  readonly recorded: RecordedPaths;
  /** Called when a query finds declared paths without entries. */
  readonly onIncomplete: (projectKey: string) => void;
  /** Monotonic. */
  readonly nowMs: () => number;
}

/** What this process knows of the generations of projects. Queries and writes check it against the database. */
export interface ProjectGenerations {
  readonly declared: readonly string[];
  /** The paths to plan a query with. Read again now and then while some are missing. */
  usable(connection: Connection, projectKey: string): UsablePaths | Promise<UsablePaths>;
  /** False if conditions cannot be asked of the project yet, as far as `usable` has seen. Never false again once true. */
  hasTerms(projectKey: string): boolean;
  /** Takes a column `ready` from the snapshot of a query; returns the paths that the query should have used. */
  observe(projectKey: string, ready: string | null | undefined): UsablePaths;
  /** The paths that a write of the project has to maintain, if it is known that they hold all declared ones. */
  paths(projectKey: string): readonly string[] | undefined;
  set(projectKey: string, generation: Generation): void;
}

interface View extends Pick<Generation, 'ready' | 'hasTerms'> {
  readonly readMs: number;
}

const maxProjects = 10_000;
/** How long paths may count as missing after they became ready. */
const refreshMs = 1000;

/** Creates an empty view of all projects. */
export function createProjectGenerations(parts: ProjectGenerationsParts): ProjectGenerations {
  const { recorded, onIncomplete, nowMs } = parts;
  const declared = pathList(parts.declaredPaths);
  const paths = new Cache<string, readonly string[]>({ maxEntries: maxProjects });
  const views = new Cache<string, View>({ maxEntries: maxProjects });

  function setView(projectKey: string, { ready, hasTerms }: Omit<View, 'readMs'>): UsablePaths {
    views.set(projectKey, { ready, hasTerms, readMs: nowMs() });
    const usable = usablePaths(declared, ready);
    if (usable !== declared) onIncomplete(projectKey);
    return usable;
  }

  function set(projectKey: string, generation: Generation): UsablePaths {
    if (generation.number > 0 && covers(generation.paths, declared)) paths.set(projectKey, generation.paths);
    else paths.delete(projectKey);
    return setView(projectKey, generation);
  }

  return {
    declared,
    usable(connection, projectKey) {
      const view = views.get(projectKey);
      const usable = view && usablePaths(declared, view.ready);
      if (view && (usable === declared || nowMs() - view.readMs < refreshMs)) return usable;
      return readGeneration(connection, projectKey, recorded).then((generation) => set(projectKey, generation));
    },
    hasTerms: (projectKey) => views.get(projectKey)?.hasTerms !== false,
    observe: (projectKey, ready) =>
      setView(projectKey, { ready: parseReady(ready, recorded), hasTerms: ready !== withoutTerms }),
    paths: (projectKey) => paths.get(projectKey),
    set,
  };
}
