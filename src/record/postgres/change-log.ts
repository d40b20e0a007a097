import type { ChangeLog } from '../../domain/ports/change-log.ts';
import { hasLog } from '../row/logged-change.ts';
import type { Followers } from './changes/followers.ts';
import { forgetResource } from './changes/forget.ts';
import { pruneEvents } from './changes/prune.ts';
import { readAfter, readBounds, readDeletionByKey, readDeletions, readOf } from './changes/read-events.ts';
import { epochOf } from './event-row.ts';
import type { ProjectNodes } from './open/nodes.ts';
import type { Pool } from './open/pool.ts';
import { createReadOfProject } from './open/read-again.ts';
import type { Writer } from './write/writer.ts';

export interface ChangeLogParts {
  readonly pool: Pool;
  readonly nodes: ProjectNodes;
  readonly writer: Writer;
  readonly followers: Followers;
  /** What the epochs of logs that have no event yet are made of. */
  readonly epoch: string;
}

/** The ChangeLog port on PostgreSQL (decision 117). */
export function createChangeLog({ pool, nodes, writer, followers, epoch }: ChangeLogParts): ChangeLog {
  const read = createReadOfProject(pool, nodes);
  return {
    // The log of a companion project is for mirrors alone.
    bounds: (projectKey) =>
      hasLog(projectKey)
        ? read(projectKey, (connection) => readBounds(connection, projectKey, epoch))
        : { epoch: epochOf(projectKey, epoch), pruned: 0, last: 0 },
    changesAfter: (projectKey, after, limit, filter = {}) =>
      hasLog(projectKey)
        ? read(projectKey, (connection) => readAfter(connection, projectKey, after, limit, filter))
        : Promise.resolve({ changes: [], upTo: after }),
    changesOf: async (projectKey, id, below, limit) =>
      isStorable(id) ? read(projectKey, (connection) => readOf(connection, projectKey, id, below, limit)) : [],
    deletions: (projectKey, below, limit) =>
      read(projectKey, (connection) => readDeletions(connection, projectKey, below, limit)),
    deletionByKey: async (projectKey, key) =>
      isStorable(key) ? read(projectKey, (connection) => readDeletionByKey(connection, projectKey, key)) : undefined,
    follow: followers.follow,
    prune: (olderThanMs, maxBytes) => pruneEvents(writer, olderThanMs, maxBytes),
    async forget(projectKey, id, origin) {
      const isLogged = isStorable(id) && (await forgetResource(writer, projectKey, id, origin));
      if (isLogged) followers.notify(projectKey);
      return isLogged;
    },
  };
}

/** The port where no history is kept. Pruning deletes what was logged before; what mirrors may need of the last hour stays. */
export function createEmptyLog({ writer, epoch }: Pick<ChangeLogParts, 'writer' | 'epoch'>): ChangeLog {
  return {
    bounds: (projectKey) => ({ epoch: epochOf(projectKey, epoch), pruned: 0, last: 0 }),
    changesAfter: async (_projectKey, after) => ({ changes: [], upTo: after }),
    changesOf: async () => [],
    deletions: async () => [],
    deletionByKey: async () => undefined,
    follow: () => () => {},
    async prune() {
      await pruneEvents(writer, Date.now() - mirroredMs);
      return 0;
    },
    forget: async () => false,
  };
}

/** Mirrors that are further behind are made anew. */
const mirroredMs = 3_600_000;

/** No text of PostgreSQL has a NUL, so that nothing has such a name. */
const isStorable = (name: string) => !name.includes('\0');
