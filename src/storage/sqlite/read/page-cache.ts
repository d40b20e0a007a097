import type { ListPage, ListQuery } from '../../../domain/ports/list-query.ts';

/**
 * A bounded memory of list pages that are asked for again and again while nobody writes to their project. A page counts
 * no more from when a write to the project is handed to the writer, and none is remembered before all of them are
 * answered: so a list shows every write that was acknowledged before it, and never less than another reader has seen.
 */
export interface PageCache {
  get(query: ListQuery): ListPage | undefined;
  /** To be called before a page is read; what it answers remembers the page, unless a write came in between. */
  readBegins(query: ListQuery): (page: ListPage) => void;
  writeBegins(projectKey: string): void;
  /** Whatever became of the write. */
  writeEnded(projectKey: string): void;
}

/** Beyond so many characters a page is not worth a place. */
const largestPage = 262_144;

/** What a page takes beside its text. */
const entryBytes = 300;

/** Projects whose writes are followed; with more, all but those that are being written begin anew. */
const mostProjects = 10_000;

interface Project {
  /** Writes that are on their way. */
  writing: number;
  /** Another one when a write begins, and when it ends: what was read across that is of no moment. */
  generation: object;
}

interface Entry {
  readonly page: ListPage;
  readonly generation: object;
}

/**
 * Keeps at most `maxBytes` of pages by the query itself: callers that ask the same again hand in the same one. A page is
 * remembered when it is asked for the second time; the one used longest ago goes first.
 */
export function createPageCache(maxBytes: number): PageCache {
  const projects = new Map<string, Project>();
  const pages = new Map<ListQuery, Entry>();
  const asked = new WeakSet<ListQuery>();
  let bytes = 0;

  function projectOf(projectKey: string): Project {
    const known = projects.get(projectKey);
    if (known) return known;
    if (projects.size >= mostProjects) {
      for (const [key, { writing }] of projects) if (writing === 0) projects.delete(key);
    }
    const made: Project = { writing: 0, generation: {} };
    projects.set(projectKey, made);
    return made;
  }

  function take(query: ListQuery): Entry | undefined {
    const entry = pages.get(query);
    if (!entry) return undefined;
    pages.delete(query);
    bytes -= sizeOf(entry.page);
    return entry;
  }

  function put(query: ListQuery, entry: Entry): void {
    take(query);
    pages.set(query, entry);
    bytes += sizeOf(entry.page);
    // A Map keeps the order of insertion: the first one is the one used longest ago.
    for (const oldest of pages.keys()) {
      if (bytes <= maxBytes) return;
      take(oldest);
    }
  }

  return {
    get(query) {
      const entry = take(query);
      if (!entry || projects.get(query.projectKey)?.generation !== entry.generation) return undefined;
      put(query, entry);
      return entry.page;
    },
    readBegins(query) {
      if (!asked.has(query)) {
        asked.add(query);
        return () => {};
      }
      const { generation } = projectOf(query.projectKey);
      return (page) => {
        const project = projects.get(query.projectKey);
        const isSame = project?.generation === generation && project.writing === 0;
        if (isSame && page.results.length <= largestPage) put(query, { page, generation });
      };
    },
    writeBegins(projectKey) {
      const project = projectOf(projectKey);
      project.writing += 1;
      project.generation = {};
    },
    writeEnded(projectKey) {
      const project = projectOf(projectKey);
      project.writing -= 1;
      // What began to be read meanwhile may not have seen it.
      project.generation = {};
    },
  };
}

/** In characters: V8 keeps one byte for each where all are Latin-1, and two otherwise. */
function sizeOf({ results }: ListPage): number {
  return entryBytes + results.length;
}
