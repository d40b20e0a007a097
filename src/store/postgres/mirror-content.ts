import type { DatabaseSync } from 'node:sqlite';
import { ServiceError } from '../../contract/errors.ts';
import type { PreparedRows } from '../../index/follow/change-source.ts';
import { copy, type FeedEvent, type FeedRow } from '../../record/postgres/feed.ts';
import type { Connection } from '../../record/postgres/open/connection.ts';
import { isIntact } from '../../record/row/stored-row.ts';
import type { Enqueue, MirrorOperation, MirrorPosition } from '../../record/sqlite/write/messages.ts';
import { queryError, queryProblemOf } from '../../record/sqlite/write/refusals.ts';
import { type PieceThread, startPieceThread } from '../../threads/piece-thread.ts';
import type { MirroredProject } from './mirrored-project.ts';

/** Rows that one operation removes: queries of other projects wait until the index has followed it. */
const removedRows = 100;
/** A project with more has the terms of its copy computed in a thread of its own, beside the writer. */
const rowsWithoutThread = 2000;
const termsThread = new URL('./terms-thread.ts', import.meta.url);

/** Of a project that the file does not have, or not wholly. */
export const noPosition: MirrorPosition = { sequence: 0, epoch: '', checksum: 0, isComplete: false };

export const closing = () => new ServiceError('OverCapacity', 'The service is shutting down.');

/** Does something on a connection to the database. */
type UseConnection = <T>(work: (connection: Connection) => Promise<T>) => Promise<T>;

interface MirrorContentOptions {
  readonly db: DatabaseSync;
  readonly declaredPaths: readonly string[];
  readonly enqueue: Enqueue;
}

/** The resources that the file of a mirror has, and the positions of their projects. */
export class MirrorContent {
  readonly #options: MirrorContentOptions;
  /** Resources that copies have written since the start. */
  copied = 0;
  /** Ends what takes long. */
  isClosed = false;
  #problem: string | undefined;
  #isTrying = false;

  constructor(options: MirrorContentOptions) {
    this.#options = options;
  }

  /** Copies a project that the file does not have, or not wholly, by a connection. */
  async copy(projectKey: string, project: MirroredProject, use: UseConnection): Promise<void> {
    if (project.position) await this.remove(projectKey, project);
    let thread: PieceThread<readonly FeedRow[], PreparedRows | undefined> | undefined;
    let applied = Promise.resolve();
    try {
      let done = 0;
      const head = await use((connection) =>
        copy(connection, projectKey, async (rows, { epoch, rows: total }) => {
          if (total > rowsWithoutThread) thread ??= startPieceThread(termsThread, this.#options.declaredPaths);
          // Computed while the rows before are applied.
          const prepared = await thread?.run(rows);
          await applied;
          applied = this.apply(projectKey, project, rows.map(putOf), { ...noPosition, epoch }, prepared).then(() => {
            done += rows.length;
            this.copied += rows.length;
            project.copied = [done, total];
          });
          applied.catch(() => {});
          if (this.isClosed) throw closing();
        }),
      );
      await applied;
      const position = head && { sequence: head.last, epoch: head.epoch, checksum: head.checksum, isComplete: true };
      if (position || project.position) await this.apply(projectKey, project, [], position);
    } finally {
      await Promise.all([applied.catch(() => {}), thread?.close()]);
      project.copied = undefined;
    }
  }

  /**
   * Removes the resources of a project from the file, and resolves to their number. Until its position says that it is complete, no
   * query may take what there is: one that waited for the project before must not take it for an empty one afterwards.
   */
  async remove(projectKey: string, project: MirroredProject): Promise<number> {
    const ids = this.#options.db.prepare(`SELECT id FROM resource WHERE project_key = ? LIMIT ${removedRows + 1}`);
    for (let removed = 0; ; ) {
      const found = ids.all(projectKey) as unknown as readonly { readonly id: string }[];
      const items: MirrorOperation[2][number][] = found.slice(0, removedRows).map(({ id }) => ['remove', id]);
      const isLast = items.length === found.length;
      removed += items.length;
      // What the log forgot meanwhile may be among them: the last page says so.
      if (isLast && removed > 0) items.push(['purge']);
      if (items.length > 0 || !project.needsCopy) await this.apply(projectKey, project, items, noPosition);
      if (isLast) {
        project.hasRows = false;
        return removed;
      }
      if (this.isClosed) throw closing();
    }
  }

  /** Why no change can be applied. Queries may be sent elsewhere until this says that they can: so it is tried. */
  problem(): string | undefined {
    if (this.#problem !== undefined && !this.#isTrying) void this.#tryAgain();
    return this.#problem;
  }

  async #tryAgain(): Promise<void> {
    this.#isTrying = true;
    const result = await this.#options.enqueue(['statements', []]);
    this.#isTrying = false;
    if (typeof result !== 'object' || !('failure' in result)) this.#problem = undefined;
  }

  async apply(
    projectKey: string,
    project: MirroredProject,
    items: MirrorOperation[2],
    position: MirrorPosition | undefined,
    prepared?: PreparedRows,
  ): Promise<void> {
    const result = await this.#options.enqueue(['mirror', projectKey, items, position ?? null, prepared]);
    this.#problem = undefined;
    if (typeof result === 'object' && 'failure' in result) {
      const problem = queryProblemOf(result);
      // Of any project, unlike another failure.
      if (result.failure === 'full') this.#problem = problem;
      throw queryError(problem);
    }
    project.position = position;
    project.hasRows = position !== undefined;
  }
}

/** What a mirror does for events. */
export function itemsOf(events: readonly FeedEvent[]): MirrorOperation[2] {
  return events.flatMap(({ type, id, row }): MirrorOperation[2] => {
    if (row) return [putOf(row)];
    if (type === 'forgotten') return [['purge']];
    return type === 'deleted' ? [['remove', id]] : [];
  });
}

/** No checksum is negative: what was damaged in the record is damaged in its mirror. */
const damagedChecksum = -1;

/** What it does for a resource. */
export function putOf(row: FeedRow): MirrorOperation[2][number] {
  const { born, ...stored } = row;
  // One that is damaged moves the resource in lists without a sort.
  return [
    'put',
    isIntact(stored) ? stored : { ...stored, checksum: damagedChecksum },
    Number.isSafeInteger(born) ? born : 0,
  ];
}
