import { Cache } from '../../../cache/cache.ts';
import type { ChangedRows } from '../../follow/change-source.ts';
import type { SearchScope } from '../query-terms.ts';

/**
 * What searches compute of a whole project and cache: the values of a path, the lengths of texts, the order of ids. The first search that
 * is worth it builds it; where that one is stopped, the next one continues. Then each search updates it to its snapshot.
 */
export interface Followed {
  readonly bytes: number;
  /** Builds what is missing. `progress` is called with the bytes so far; it throws when the search must stop. */
  complete(progress: (bytes: number) => void): void;
  /** Updates rows, which may be new or deleted; false where it has to be built anew. */
  follow(rows: ReadonlySet<number>): boolean;
}

interface Entry {
  /** Absent as long as it was not worth building. */
  readonly followed?: Followed | undefined;
  readonly isComplete: boolean;
  /** The last commit in it. */
  readonly commits: number;
  /** Rows of which searches read the documents instead. */
  readonly readRows: number;
}

export interface ColumnsOptions {
  /** Called while something is built; throws when the search must stop. */
  readonly check?: () => void;
  /** Searches that need fewer rows read these themselves. */
  readonly leastRows?: number;
  readonly maxBytes?: number;
}

/** For this many rows, reading their documents is faster than building something of the whole project. */
export const fewRows = 8000;

const maxColumnBytes = 64 * 1024 * 1024;

const entryBytes = 1024;

/** Thrown while something is built that does not fit the memory. */
class TooLarge extends Error {}

/** The columns that a connection has built for searches. */
export class Columns {
  readonly #changedRows: ChangedRows;
  readonly #check: () => void;
  readonly #leastRows: number;
  readonly #maxBytes: number;
  readonly #cache: Cache<string, Entry>;

  constructor(
    changedRows: ChangedRows,
    { check = () => {}, leastRows = fewRows + 1, maxBytes = maxColumnBytes }: ColumnsOptions,
  ) {
    this.#changedRows = changedRows;
    this.#check = check;
    this.#leastRows = leastRows;
    this.#maxBytes = maxBytes;
    this.#cache = new Cache({ maxBytes, bytesOf: ({ followed }) => entryBytes + (followed?.bytes ?? 0) });
  }

  /**
   * Something of a project, by its name, as of the open snapshot, which is of the commit. Undefined if it is not built yet and that is not
   * worth it for so many rows and those it was asked for before, or if it does not fit the memory.
   */
  of<T extends Followed>(scope: Scope, commits: number, name: string, rows: number, make: () => T): T | undefined {
    const full = fullName(scope, name);
    const { followed: known, isComplete, readRows } = this.#upToDate(scope, commits, full);
    if (isComplete) return known as T;
    // Searches that read documents have soon cost more than building does.
    if (readRows + rows < this.#leastRows) {
      this.#cache.set(full, { isComplete: false, commits, readRows: readRows + rows });
      return undefined;
    }
    const followed = known ?? make();
    const isBuilt = this.#complete(full, { followed, isComplete: false, commits, readRows: this.#leastRows });
    return isBuilt ? (followed as T) : undefined;
  }

  /** Returns the column if it is already built. */
  built<T extends Followed>(scope: Scope, commits: number, name: string): T | undefined {
    const { followed, isComplete } = this.#upToDate(scope, commits, fullName(scope, name));
    return isComplete ? (followed as T) : undefined;
  }

  /** The cached column, updated to the open snapshot. */
  #upToDate({ projectKey }: Scope, commits: number, full: string): Entry {
    const entry = this.#cache.get(full) ?? { isComplete: false, commits, readRows: 0 };
    if (!entry.followed || entry.commits === commits) return entry;
    const changed = this.#changedRows(projectKey, entry.commits, commits);
    const isFollowed = changed !== undefined && entry.followed.follow(changed);
    const next = isFollowed ? { ...entry, commits } : { isComplete: false, commits, readRows: this.#leastRows };
    this.#cache.set(full, next);
    return next;
  }

  /** Builds what is missing; false if it does not fit the memory. */
  #complete(full: string, entry: Entry & { readonly followed: Followed }): boolean {
    try {
      entry.followed.complete((bytes) => {
        if (bytes > this.#maxBytes) throw new TooLarge();
        this.#check();
      });
      this.#cache.set(full, { ...entry, isComplete: true });
      return true;
    } catch (error) {
      if (!(error instanceof TooLarge)) {
        this.#cache.set(full, entry);
        throw error;
      }
      this.#cache.set(full, { isComplete: false, commits: entry.commits, readRows: 0 });
      return false;
    }
  }
}

type Scope = Pick<SearchScope, 'projectKey' | 'staged'>;

function fullName({ projectKey, staged }: Scope, name: string): string {
  return `${projectKey} ${staged ? 's' : 'c'} ${name}`;
}
