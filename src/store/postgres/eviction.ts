import type { DatabaseSync } from 'node:sqlite';
import type { MirrorContent } from './mirror-content.ts';
import type { MirroredProject } from './mirrored-project.ts';

/** A project stays for so long after a query, and after the start, at which nobody knows what was asked for before. */
const keptMs = 60_000;
/** The share of the limit down to which room is made: after each time the whole term index is merged without what was removed. */
const emptiedTo = 0.9;

export interface EvictionOptions {
  /** Reads the file of the mirror. */
  readonly db: DatabaseSync;
  /** The bytes that the file may have in use; 0 for any number. */
  readonly maxBytes: number | undefined;
  readonly keptForMs?: number | undefined;
  readonly projects: ReadonlyMap<string, MirroredProject>;
  readonly content: MirrorContent;
  readonly note: (text: string) => void;
}

/** The share of the resources of the file that a project has, as far as they are indexed. */
const shareText =
  'SELECT coalesce(1.0 * sum(resources) FILTER (WHERE project_key = ?) / sum(resources), 0) AS share FROM project';

/** Removes the projects from the file of a mirror that were asked for longest ago, while it has more in use than it may. */
export class Eviction {
  readonly #options: EvictionOptions;
  readonly #keptForMs: number;
  readonly #startedMs = performance.now();
  readonly #state;
  readonly #share;
  #running: Promise<void> | undefined;
  /** Projects that were evicted since the start. */
  count = 0;
  /** Why more is in use than may be; undefined where it is not, or room is being made. */
  problem: string | undefined;

  constructor(options: EvictionOptions) {
    this.#options = options;
    this.#keptForMs = options.keptForMs ?? keptMs;
    this.#state = options.db.prepare(`SELECT (page_count - freelist_count) * page_size AS used, purging
      FROM pragma_page_count, pragma_freelist_count, pragma_page_size, store`);
    this.#share = options.db.prepare(shareText);
  }

  /** `isPurging`: what was removed is still in the term index. */
  state(): { readonly used: number; readonly isPurging: boolean } {
    if (!this.#options.db.isOpen) return { used: 0, isPurging: false };
    const { used, purging } = this.#state.get() as { used: number; purging: number };
    return { used, isPurging: purging > 0 };
  }

  /** To be called often. Removes one project after another, beside everything else. */
  makeRoom(): void {
    this.#running ??= this.#makeRoom()
      // Queries say what is wrong, and it is tried again.
      .catch(() => {})
      .finally(() => {
        this.#running = undefined;
      });
  }

  async #makeRoom(): Promise<void> {
    // What is left of a copy that was interrupted says nothing of what was forgotten since.
    for (const [projectKey, project] of this.#removable()) {
      if (project.needsCopy && !project.isFollowed) await this.#remove(projectKey, project);
    }
    const { maxBytes = 0 } = this.#options;
    const { used, isPurging } = this.state();
    if (maxBytes === 0 || used <= maxBytes) this.problem = undefined;
    // Until then it has not been seen what was gained.
    else if (!isPurging) await this.#evict(used, maxBytes);
  }

  async #evict(used: number, maxBytes: number): Promise<void> {
    const keptSince = performance.now() - this.#keptForMs;
    if (this.#startedMs > keptSince) return;
    const candidates = this.#removable().filter(([, { askedMs }]) => askedMs < keptSince);
    if (candidates.length === 0) return this.#cannot(used, maxBytes);
    this.problem = undefined;
    let excess = used - emptiedTo * maxBytes;
    for (const [projectKey, project] of candidates.sort(([, a], [, b]) => a.askedMs - b.askedMs)) {
      // While others were removed a query may have come.
      if (excess <= 0 || project.running || project.askedMs > keptSince) continue;
      const { share } = this.#share.get(projectKey) as { share: number };
      excess -= share * used;
      const removed = await this.#remove(projectKey, project);
      if (removed === 0) continue;
      this.count += 1;
      this.#options.note(`project ${projectKey} was evicted from the mirror (${removed} resources)`);
    }
  }

  #cannot(used: number, maxBytes: number): void {
    const text = `the mirror uses ${used} bytes, more than MIRROR_BYTES (${maxBytes}), and all of its projects are in use`;
    if (this.problem === undefined) this.#options.note(text);
    this.problem = text;
  }

  /** No pull of the project runs beside it. */
  async #remove(projectKey: string, project: MirroredProject): Promise<number> {
    let removed = 0;
    // It is not followed, which would copy it, before the next query.
    project.askedMs = Number.NEGATIVE_INFINITY;
    await project.follow(async () => {
      removed = await this.#options.content.remove(projectKey, project);
    });
    return removed;
  }

  #removable(): (readonly [string, MirroredProject])[] {
    return [...this.#options.projects].filter(([, project]) => project.hasRows && !project.running);
  }
}
