import type { DatabaseSync } from 'node:sqlite';
import { ServiceError } from '../../contract/errors.ts';
import type { Indexes } from '../../index/threads/query-pool.ts';
import { copy, type FeedPage, pull } from '../../record/postgres/feed.ts';
import type { Connection } from '../../record/postgres/open/connection.ts';
import { refusalOf } from '../../record/postgres/open/errors.ts';
import type { ProjectNodes } from '../../record/postgres/open/nodes.ts';
import type { Pool } from '../../record/postgres/open/pool.ts';
import type { Enqueue, MirrorOperation, MirrorPosition } from '../../record/sqlite/write/messages.ts';
import { queryError, queryProblemOf } from '../../record/sqlite/write/refusals.ts';
import { itemsOf, putOf } from './mirror-items.ts';
import { MirroredProject } from './mirrored-project.ts';
import { ApplySpeed, hold, type Pace } from './pace.ts';

export interface MirrorOptions {
  readonly pulls: Pool;
  readonly copies: Pool;
  readonly nodes: ProjectNodes;
  /** Reads the file of the mirror. Not closed with it. */
  readonly db: DatabaseSync;
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
/** A project whose log has no more has just begun. */
const firstChanges = 256;
/** Rows that one operation removes. */
const removedRows = 1000;

const noPosition: MirrorPosition = { sequence: 0, epoch: '', checksum: 0, isComplete: false };

/**
 * A file of SQLite that has the resources of the projects that were asked for, with the indexes of the embedded store. It follows the
 * log of each: a query waits until the mirror has every change that was committed before it began. One process has it open to write.
 */
export class Mirror implements Indexes, Pace {
  readonly #options: MirrorOptions;
  /** By their keys. */
  readonly projects = new Map<string, MirroredProject>();
  readonly #timer: NodeJS.Timeout;
  readonly speed = new ApplySpeed();
  #isFollowing = false;
  #isClosed = false;

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

  admit(projectKey: string): number | Promise<number> {
    const project = this.projects.get(projectKey);
    if (!project) return Number.POSITIVE_INFINITY;
    const room = () => project.room(this.speed.msOfChange);
    return room() >= 1 ? room() : hold(room, async () => project.running ?? this.#follow(projectKey, project));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await Promise.all([...this.projects.values()].map(({ running }) => running?.catch(() => {})));
  }

  #project(projectKey: string): MirroredProject {
    const project = this.projects.get(projectKey) ?? new MirroredProject(undefined);
    this.projects.set(projectKey, project);
    return project;
  }

  #late({ copied }: MirroredProject): ServiceError {
    const text = copied
      ? `The index of this project is being made on this node (${copied[0]} of ${copied[1]} resources).`
      : 'The index of this node is behind the database.';
    const message = `${text} Reads by id or key and writes work. Try again.`;
    return new ServiceError('OverCapacity', message, {}, { 'retry-after': copied ? '5' : '1' });
  }

  /** One after another, so that queries have the connections. */
  async #followAll(): Promise<void> {
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    for (const [projectKey, project] of this.projects) {
      if (this.#isClosed) break;
      const { isFollowed } = project;
      // Of a project that does not exist nothing is kept.
      if (!project.position && !project.running && !isFollowed) this.projects.delete(projectKey);
      else if (!project.running && (isFollowed || performance.now() - project.followedMs > nowAndThenMs)) {
        // Queries say what is wrong.
        await this.#follow(projectKey, project).catch(() => {});
      }
    }
    this.#isFollowing = false;
  }

  #follow(projectKey: string, project: MirroredProject): Promise<void> {
    if (this.#isClosed) return Promise.reject(new ServiceError('OverCapacity', 'The service is shutting down.'));
    return project.follow(() => this.#bringUpToDate(projectKey, project));
  }

  async #bringUpToDate(projectKey: string, project: MirroredProject): Promise<void> {
    // Those of the same turn of the event loop join it.
    project.isJoinable = true;
    project.followedMs = performance.now();
    await new Promise(setImmediate);
    project.isJoinable = false;
    try {
      for (;;) {
        const { position } = project;
        if (!position || (!position.isComplete && position.sequence === 0)) {
          // What is copied is as the database was after those came who wait for it.
          await this.#copy(projectKey, project);
          break;
        }
        const page = await this.#use(this.#options.pulls, projectKey, (connection) =>
          pull(connection, projectKey, position.sequence, project.rowsOfPage),
        );
        project.rowsOfPage = page.next;
        if (!(await this.#take(projectKey, project, page))) break;
      }
      project.caughtUpMs = performance.now();
    } catch (error) {
      throw refusalOf(error);
    }
  }

  async #use<T>(pool: Pool, projectKey: string, work: (connection: Connection) => Promise<T>): Promise<T> {
    return pool.use(work, undefined, await this.#options.nodes.groupOf(projectKey));
  }

  /** Applies a page. Returns whether there is more to be done. */
  async #take(projectKey: string, project: MirroredProject, { head, events, isCut }: FeedPage): Promise<boolean> {
    const { position } = project;
    if (!head) {
      // The head is missing, or the whole project: a copy says which. Without a head nothing is committed after it.
      if (!position || position.epoch === '') return false;
      await this.#apply(projectKey, project, [], noPosition);
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
      // Writers must not wait for numbers of the other log.
      project.known = 0;
      await this.#apply(projectKey, project, [], noPosition);
      return true;
    }
    const fresh = events.filter(({ sequence }) => sequence > known.sequence);
    const last = fresh.at(-1);
    if (!last) {
      if (!known.isComplete) await this.#apply(projectKey, project, [], { ...known, isComplete: true });
      return false;
    }
    const next = { sequence: last.sequence, epoch: head.epoch, checksum: last.checksum, isComplete: !isCut };
    await this.speed.measure(fresh.length, () => this.#apply(projectKey, project, itemsOf(fresh), next));
    return isCut;
  }

  /** Copies a project that the file does not have, or not wholly. */
  async #copy(projectKey: string, project: MirroredProject): Promise<void> {
    if (project.position) await this.#remove(projectKey, project);
    try {
      let done = 0;
      const head = await this.#use(this.#options.copies, projectKey, (connection) =>
        copy(connection, projectKey, async (rows, { epoch, rows: total }) => {
          await this.#apply(projectKey, project, rows.map(putOf), { ...noPosition, epoch });
          done += rows.length;
          project.copied = [done, total];
          if (this.#isClosed) throw new ServiceError('OverCapacity', 'The service is shutting down.');
        }),
      );
      const position = head && { sequence: head.last, epoch: head.epoch, checksum: head.checksum, isComplete: true };
      if (position || project.position) await this.#apply(projectKey, project, [], position);
    } finally {
      project.copied = undefined;
    }
  }

  /** Removes the resources of a project from the file. Until its position says that it is complete, no query may take what there is. */
  async #remove(projectKey: string, project: MirroredProject): Promise<void> {
    const ids = this.#options.db.prepare(`SELECT id FROM resource WHERE project_key = ? LIMIT ${removedRows}`);
    for (;;) {
      const found = ids.all(projectKey) as unknown as readonly { readonly id: string }[];
      const isLast = found.length < removedRows;
      // What the log forgot meanwhile may be among them: the last page says so.
      const items = [...found.map(({ id }) => ['remove', id] as const), ...(isLast ? [['purge'] as const] : [])];
      await this.#apply(projectKey, project, items, noPosition);
      if (isLast) return;
    }
  }

  async #apply(
    projectKey: string,
    project: MirroredProject,
    items: MirrorOperation[2],
    position: MirrorPosition | undefined,
  ): Promise<void> {
    const result = await this.#options.enqueue(['mirror', projectKey, items, position ?? null]);
    if (typeof result === 'object' && 'failure' in result) throw queryError(queryProblemOf(result));
    project.position = position;
  }
}
