import type { DatabaseSync } from 'node:sqlite';
import type { ChangeLog, LogBounds, LoggedChange } from '../../domain/ports/change-log.ts';
import { refusingReads } from '../../sqlite/connection.ts';
import { lastSequence } from '../../sqlite/position.ts';
import type { LogPortion, LogQuery } from '../row/log-query.ts';
import { originColumns, stillExists } from '../row/logged-change.ts';
import { createLogFollowers } from './log/follow-log.ts';
import { createLogPruner } from './log/prune-log.ts';
import { lastOfProject, prunedSequence } from './open/log-schema.ts';
import type { Writer } from './write/writer.ts';

export interface ChangeLogParts {
  /** A connection for what is read on this thread. Not closed with the log. */
  readonly db: DatabaseSync;
  /** Reads a portion of the log on another thread. */
  readonly queries: { log(query: LogQuery): Promise<LogPortion> };
  readonly writer: Pick<Writer, 'onCommit' | 'catchUp' | 'forget' | 'write'>;
}

interface StoredBounds {
  readonly epoch: string;
  /** NULL where the store keeps no history. */
  readonly pruned: number | null;
  readonly last: number | null;
  readonly lastOfAll: number;
}

/** The ChangeLog port on SQLite: pages come from the query threads, bounds from this thread; the writer prunes and forgets. */
export function openChangeLog({ db, queries, writer }: ChangeLogParts) {
  const bounds = db.prepare(
    `SELECT epoch, ${prunedSequence} AS pruned, ${lastSequence} AS lastOfAll,
        ${lastOfProject} AS last
      FROM store`,
  );
  const kept = db.prepare('SELECT log_from IS NOT NULL AS isKept FROM store').get() as { isKept: number };
  const followers = createLogFollowers(db, writer.onCommit);
  const pruner = createLogPruner(db);

  function boundsOf(projectKey: string): LogBounds {
    const { epoch, pruned, last, lastOfAll } = bounds.get(
      projectKey,
      projectKey,
      projectKey,
    ) as unknown as StoredBounds;
    if (pruned === null) return { epoch, pruned: lastOfAll, last: lastOfAll };
    return { epoch, pruned, last: Math.max(pruned, last ?? 0) };
  }

  /** Reads newest first, portion by portion, until there are enough. */
  async function readBack(
    first: LogQuery,
    nextQuery: (next: number, limit: number) => LogQuery,
  ): Promise<LoggedChange[]> {
    const changes: LoggedChange[] = [];
    for (let query = first; ; ) {
      const portion: LogPortion = await queries.log(query);
      changes.push(...portion.changes);
      if (portion.next === undefined || changes.length >= first.limit) return changes;
      query = nextQuery(portion.next, first.limit - changes.length);
    }
  }

  async function prune(olderThanMs: number, maxBytes: number): Promise<number> {
    // Changes that are not indexed yet stay, and are not counted yet.
    await writer.catchUp();
    let total = 0;
    for (const projectKey of pruner.projects()) {
      for (;;) {
        const portion = pruner.portion(projectKey, olderThanMs, maxBytes);
        if (!portion) break;
        await writer.write(portion.statements);
        total += portion.count;
        if (!portion.isFull) break;
      }
    }
    return total;
  }

  const changes: ChangeLog = {
    bounds: boundsOf,
    async changesAfter(projectKey, after, limit, filter = {}) {
      const { changes: found, next } = await queries.log({ read: 'after', projectKey, after, limit, filter });
      return { changes: found, upTo: next ?? boundsOf(projectKey).last };
    },
    changesOf(projectKey, id, below, limit) {
      const query = { read: 'of', projectKey, id, below, limit } as const;
      return readBack(query, (from, left) => ({ ...query, from, limit: left }));
    },
    deletions(projectKey, below, limit) {
      const query = { read: 'deletions', projectKey, below, limit } as const;
      return readBack(query, (next, left) => ({ ...query, below: next, limit: left }));
    },
    async deletionByKey(projectKey, key) {
      const { changes: found } = await queries.log({ read: 'deletionByKey', projectKey, key, limit: 1 });
      return found[0];
    },
    follow: followers.follow,
    prune,
    async forget(projectKey, id, origin) {
      const columns = originColumns(origin);
      for (let from: number | null = null; ; ) {
        // What the indexes still need cannot be forgotten.
        await writer.catchUp(projectKey);
        const result = await writer.forget(['forget', projectKey, id, columns, from]);
        if (result[0] === 'exists') throw stillExists(id);
        if (result[0] !== 'rest') return result[0] === 'done';
        from = result[1];
      }
    },
  };

  return {
    changes: refusingReads(changes),
    /** False where the store keeps no history. */
    isKept: kept.isKept === 1,
    close: followers.close,
  };
}
