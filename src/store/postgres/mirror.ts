import type { DatabaseSync } from 'node:sqlite';
import { ServiceError } from '../../contract/errors.ts';
import type { StoreStatus } from '../../domain/ports/store.ts';
import type { Indexes } from '../../index/threads/query-pool.ts';
import { type FeedPage, pull } from '../../record/postgres/feed.ts';
import type { Connection } from '../../record/postgres/open/connection.ts';
import { refusalOf } from '../../record/postgres/open/errors.ts';
import type { ProjectNodes } from '../../record/postgres/open/nodes.ts';
import type { Pool } from '../../record/postgres/open/pool.ts';
import type { Enqueue } from '../../record/sqlite/write/messages.ts';
import type { MirrorFacts } from '../../telemetry/store-metrics.ts';
import { Eviction, type EvictionOptions } from './eviction.ts';
import { closing, itemsOf, MirrorContent, noPosition } from './mirror-content.ts';
import { factsOf, lagOf, MirroredProject } from './mirrored-project.ts';
import { ApplySpeed, hold, type Pace } from './pace.ts';

export interface MirrorOptions extends Pick<EvictionOptions, 'maxBytes' | 'keptForMs'> {
  readonly pulls: Pool;
  readonly copies: Pool;
  readonly nodes: ProjectNodes;
  /** Reads the file of the mirror. Not closed with it. */
  readonly db: DatabaseSync;
  readonly declaredPaths: readonly string[];
  readonly enqueue: Enqueue;
  /** Has the indexes of the file follow what was applied. */
  readonly indexes: Indexes;
  readonly note: (text: string) => void;
}

/** How long a query waits for the mirror. */
const waitMs = 2000;
/** Projects that were asked for lately are followed so often, so that the next query finds little to apply. */
const followMs = 250;
/** The others are followed now and then, so that what is forgotten goes from every mirror. */
const nowAndThenMs = 600_000;
/** Changes that a catch-up asks for first: it is mostly no farther behind, and documents may have become long since the last one. */
const firstPage = 128;
/** A project whose log has no more has just begun. */
const firstChanges = 256;

/**
 * A file of SQLite that has the resources of the projects that were asked for, with the indexes of the embedded store. It follows the
 * log of each: a query waits until the mirror has every change that was committed before it began. One process has it open to write.
 */
export class Mirror implements Indexes, Pace {
  readonly #options: MirrorOptions;
  readonly #eviction: Eviction;
  /** By their keys. */
  readonly projects = new Map<string, MirroredProject>();
  readonly #timer: NodeJS.Timeout;
  readonly speed = new ApplySpeed();
  readonly #content: MirrorContent;
  readonly #counts = { pulls: 0, changes: 0, resyncs: 0 };
  #isFollowing = false;

  constructor(options: MirrorOptions) {
    this.#options = options;
    const rows = options.db.prepare('SELECT * FROM mirrored').all() as unknown as readonly {
      readonly project_key: string;
      readonly sequence: number;
      readonly epoch: string;
      readonly checksum: number;
      readonly complete: number;
    }[];
    for (const { project_key, sequence, epoch, checksum, complete } of rows) {
      this.projects.set(project_key, new MirroredProject({ sequence, epoch, checksum, isComplete: complete === 1 }));
    }
    this.#content = new MirrorContent(options);
    this.#eviction = new Eviction({ ...options, projects: this.projects, content: this.#content });
    this.#timer = setInterval(() => void this.#followAll(), followMs);
    this.#timer.unref();
  }

  /** Resolves when the mirror has all that was committed before, and the indexes have it. */
  async beginQuery(projectKey: string): Promise<void> {
    await this.fresh(projectKey);
    await this.#options.indexes.beginQuery(projectKey);
  }

  /** For a query that met what is no state of the project as a whole, or indexes that are behind. */
  async catchUp(projectKey: string): Promise<void> {
    await this.fresh(projectKey);
    await this.#options.indexes.catchUp(projectKey);
  }

  setAside(rows: readonly number[]): Promise<void> {
    return this.#options.indexes.setAside(rows);
  }

  /** Resolves when the indexes have what the mirror has, whatever was committed since. A project that it lacks is copied first. */
  async beginEventual(projectKey: string): Promise<void> {
    await this.eventual(projectKey);
    await this.#options.indexes.beginQuery(projectKey);
  }

  /** Copies a project that the mirror lacks, and has it followed. */
  async eventual(projectKey: string): Promise<void> {
    const project = this.projects.get(projectKey);
    if (project?.position?.isComplete) project.asked();
    else await this.fresh(projectKey);
  }

  /** Resolves when the mirror has every change of a project that was committed before the call. 503 where that takes too long. */
  fresh(projectKey: string): Promise<void> {
    const project = this.#project(projectKey);
    project.asked();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => reject(this.#late(project)), waitMs);
    this.#follow(projectKey, project)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
    return promise;
  }

  /** Of this process, and of those whose mirror it has. */
  committed(projectKey: string, last: number): void {
    const known = this.projects.get(projectKey);
    // A project that begins here is followed from its beginning: it need not be copied when it is asked for. The number is not known of
    // what a companion project told the log of its owner.
    if (!known && (last === 0 || last > firstChanges)) return;
    const project = known ?? this.#project(projectKey);
    project.known = Math.max(project.known, last);
    if (known) return;
    project.asked();
    // Queries say what is wrong.
    this.#follow(projectKey, project).catch(() => {});
  }

  /** See `ResourceStore.generation`. */
  async generation(projectKey: string): Promise<string | undefined> {
    await this.fresh(projectKey);
    const position = this.projects.get(projectKey)?.position;
    // A server that was restored and written on may have another event of the same number.
    return position?.isComplete ? `${position.epoch} ${position.sequence} ${position.checksum}` : undefined;
  }

  admit(projectKey: string): number | Promise<number> {
    const project = this.projects.get(projectKey);
    if (!project) return Number.POSITIVE_INFINITY;
    const room = () => project.room(this.speed.msOfChange);
    return room() >= 1 ? room() : hold(room, async () => project.running ?? this.#follow(projectKey, project));
  }

  /** Why nothing can be applied; else which projects are behind or being copied, and that the file is too large. */
  status(): Pick<StoreStatus, 'queryProblem' | 'rebuilding'> {
    const texts = [lagOf(this.projects), this.#eviction.problem].filter((text) => text !== undefined);
    return { queryProblem: this.#content.problem(), rebuilding: texts.length === 0 ? undefined : texts.join('; ') };
  }

  facts(): MirrorFacts {
    const eviction = this.#eviction;
    const ofFile = () => ({ copied: this.#content.copied, bytes: eviction.state().used, evictions: eviction.count });
    return factsOf(this.projects, () => ({ ...this.#counts, ...ofFile() }));
  }

  async close(): Promise<void> {
    this.#content.isClosed = true;
    clearInterval(this.#timer);
    await Promise.all([...this.projects.values()].map(({ running }) => running?.catch(() => {})));
  }

  #project(projectKey: string): MirroredProject {
    const project = this.projects.get(projectKey) ?? new MirroredProject(undefined);
    this.projects.set(projectKey, project);
    return project;
  }

  #late({ copied, needsCopy }: MirroredProject): ServiceError {
    const progress = copied ? ` (${copied[0]} of ${copied[1]} resources)` : '';
    const text = needsCopy
      ? `The index of this project is being made on this node${progress}.`
      : 'The index of this node is behind the database.';
    const message = `${text} Reads by id or key and writes work. Try again.`;
    return new ServiceError('OverCapacity', message, {}, { 'retry-after': needsCopy ? '5' : '1' });
  }

  /** One after another, so that queries have the connections. */
  async #followAll(): Promise<void> {
    this.#eviction.makeRoom();
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    for (const [projectKey, project] of this.projects) {
      if (this.#content.isClosed) break;
      const { isFollowed, needsCopy, running } = project;
      // Of a project that does not exist nothing is kept.
      if (!project.position && !running && !isFollowed) this.projects.delete(projectKey);
      const isDue = isFollowed || (!needsCopy && performance.now() - project.followedMs > nowAndThenMs);
      if (running || !isDue) continue;
      // Queries say what is wrong.
      const following = this.#follow(projectKey, project).catch(() => {});
      // Copies have connections of their own.
      if (!needsCopy) await following;
    }
    this.#isFollowing = false;
  }

  #follow(projectKey: string, project: MirroredProject): Promise<void> {
    if (this.#content.isClosed) return Promise.reject(closing());
    return project.follow(() => this.#bringUpToDate(projectKey, project));
  }

  async #bringUpToDate(projectKey: string, project: MirroredProject): Promise<void> {
    // Queries of the same turn of the event loop join it.
    project.isJoinable = true;
    project.followedMs = performance.now();
    project.rowsOfPage = Math.min(project.rowsOfPage, firstPage);
    await new Promise(setImmediate);
    project.isJoinable = false;
    try {
      for (;;) {
        const { position } = project;
        if (!position || project.needsCopy) {
          // What is copied is as the database was after those came who wait for it.
          await this.#content.copy(projectKey, project, (work) => this.#use(this.#options.copies, projectKey, work));
          // Queries that were refused meanwhile come back for it.
          project.asked();
          break;
        }
        const page = await this.#use(this.#options.pulls, projectKey, (connection) =>
          pull(connection, projectKey, position.sequence, project.rowsOfPage),
        );
        project.rowsOfPage = page.next;
        project.known = Math.max(project.known, page.last);
        this.#counts.pulls += 1;
        if (!(await this.#take(projectKey, project, page))) break;
      }
      project.caughtUpMs = performance.now();
    } catch (error) {
      // Documents may be longer than those before, so that a page of as many is too long for a statement.
      project.rowsOfPage = Math.max(1, project.rowsOfPage >> 3);
      throw refusalOf(error);
    }
  }

  async #use<T>(pool: Pool, projectKey: string, work: (connection: Connection) => Promise<T>): Promise<T> {
    return pool.use(work, await this.#options.nodes.groupOf(projectKey));
  }

  /** Applies a page. Returns whether there is more to be done. */
  async #take(projectKey: string, project: MirroredProject, { head, events, isCut }: FeedPage): Promise<boolean> {
    const { position } = project;
    if (!head) {
      // The head is missing, or the whole project: a copy says which. Without a head nothing is committed after it.
      if (!position || position.epoch === '') return false;
      await this.#content.apply(projectKey, project, [], noPosition);
      return true;
    }
    const known = position ?? noPosition;
    const [first] = events;
    // The last event is never deleted, unless all are: then the head says up to which.
    const isThere = first ? first.sequence <= known.sequence + 1 : known.sequence === head.pruned;
    const isSame = first?.sequence !== known.sequence || first.checksum === known.checksum;
    if (known.epoch !== head.epoch || !isThere || !isSame) {
      this.#options.note(
        `the log of project ${projectKey} is not the one that its mirror followed: the mirror is made anew`,
      );
      this.#counts.resyncs += 1;
      // Writers must not wait for numbers of the other log.
      project.known = 0;
      await this.#content.apply(projectKey, project, [], noPosition);
      return true;
    }
    const fresh = events.filter(({ sequence }) => sequence > known.sequence);
    const last = fresh.at(-1);
    if (!last) {
      if (!known.isComplete) await this.#content.apply(projectKey, project, [], { ...known, isComplete: true });
      return false;
    }
    const next = { sequence: last.sequence, epoch: head.epoch, checksum: last.checksum, isComplete: !isCut };
    await this.speed.measure(fresh.length, () => this.#content.apply(projectKey, project, itemsOf(fresh), next));
    this.#counts.changes += fresh.length;
    return isCut;
  }
}
