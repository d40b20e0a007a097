import { Cache, type CacheStatistics } from '../../cache/cache.ts';
import { type ListPage, type ListQuery, lengthOf } from '../../domain/ports/list-query.ts';

/**
 * Caches list pages that are asked for repeatedly while their project is not written to. A page is invalid from when a
 * write to the project is handed to the writer, and no page is cached before all writes have ended: so a list shows
 * every write that was acknowledged before it, and never less than another reader has seen.
 */
export interface PageCache {
  get(query: ListQuery): ListPage | undefined;
  /** To be called before a page is read. The function returned caches the page, unless a write came in between. */
  readBegins(query: ListQuery): (page: ListPage) => void;
  writeBegins(projectKey: string): void;
  /** Whatever the outcome of the write. */
  writeEnded(projectKey: string): void;
  readonly statistics: CacheStatistics;
}

/** Pages with more characters are not cached. */
const maxPageLength = 262_144;

/** About the memory of a page beside its text. */
const entryBytes = 300;

/** Projects whose writes are tracked; beyond, all but those with writes under way are dropped, and so are their pages. */
const maxProjects = 10_000;

interface Project {
  /** Writes under way. */
  writing: number;
  /** Changes when a write begins and when it ends: a page that was read across that is not cached. */
  generation: number;
}

interface CachedPage {
  readonly page: ListPage;
  readonly generation: number;
}

/**
 * Creates a cache of at most `maxBytes` of pages by the query itself: callers that repeat a query hand in the same
 * object. A page is cached when it is asked for the second time.
 */
export function createPageCache(maxBytes: number): PageCache {
  const projects = new Map<string, Project>();
  const cache = new Cache<ListQuery, CachedPage>({
    maxBytes: Math.max(1, Math.floor(maxBytes)),
    // V8 keeps one byte for each character where all are Latin-1, and two otherwise. Whoever sends the page again keeps
    // the bytes of the response as long.
    bytesOf({ page: { results } }) {
      const length = lengthOf(results);
      return length > maxPageLength ? Number.MAX_SAFE_INTEGER : entryBytes + 2 * length;
    },
  });
  const asked = new WeakSet<ListQuery>();
  let lastGeneration = 0;

  function trackProject(projectKey: string): Project {
    if (projects.size >= maxProjects) {
      for (const [key, { writing }] of projects) if (writing === 0) projects.delete(key);
    }
    lastGeneration += 1;
    const project: Project = { writing: 0, generation: lastGeneration };
    projects.set(projectKey, project);
    return project;
  }

  return {
    get(query) {
      const cached = cache.get(query);
      if (!cached) return undefined;
      if (projects.get(query.projectKey)?.generation === cached.generation) return cached.page;
      cache.delete(query);
      return undefined;
    },
    readBegins(query) {
      if (!asked.has(query)) {
        asked.add(query);
        return () => {};
      }
      const { generation } = projects.get(query.projectKey) ?? trackProject(query.projectKey);
      return (page) => {
        const project = projects.get(query.projectKey);
        if (project?.generation === generation && project.writing === 0) cache.set(query, { page, generation });
      };
    },
    writeBegins(projectKey) {
      const project = projects.get(projectKey) ?? trackProject(projectKey);
      project.writing += 1;
      lastGeneration += 1;
      project.generation = lastGeneration;
    },
    writeEnded(projectKey) {
      const project = projects.get(projectKey);
      if (!project) return;
      project.writing -= 1;
      // A read that began meanwhile may not have seen the write.
      lastGeneration += 1;
      project.generation = lastGeneration;
    },
    statistics: cache,
  };
}
