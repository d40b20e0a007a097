import type { DatabaseSync } from 'node:sqlite';
import type { PendingRow } from './apply.ts';

/** Commits whose rows are listed in the table `change`; caches that are older are built again. */
export const maxListedCommits = 4096;

/** Old entries are deleted once in this many commits. */
const pruneInterval = 64;

/** A reader follows at most this many rows one by one. */
const maxFollowedRows = 20_000;

export interface ChangeLog {
  /** Lists the rows of each project that a commit touched, and updates the projects' counts of resources. */
  write(pending: readonly PendingRow[], commits: number): void;
}

/** Prepares the maintenance of `project` and `change` on a connection. */
export function createChangeLog(db: DatabaseSync): ChangeLog {
  const count = db.prepare(
    'INSERT INTO project (project_key, resources) VALUES (?, ?) ON CONFLICT DO UPDATE SET resources = resources + excluded.resources',
  );
  const list = db.prepare('INSERT INTO change (commits, project_key, rows) VALUES (?, ?, ?)');
  const prune = db.prepare('DELETE FROM change WHERE commits <= ?');

  return {
    write(pending, commits) {
      for (const [projectKey, rows] of Map.groupBy(pending, (each) => each.projectKey)) {
        const more = rows.reduce((sum, { counts }) => sum + (counts === 'appears' ? 1 : counts === 'goes' ? -1 : 0), 0);
        if (more !== 0) count.run(projectKey, more);
        list.run(commits, projectKey, JSON.stringify(rows.map(({ row }) => row)));
      }
      if (commits % pruneInterval === 0) prune.run(commits - maxListedCommits);
    },
  };
}

/**
 * The rows of a project that were touched by commits after `since`, up to `commits`, which is the last one in the open
 * snapshot; undefined where they are no longer listed, or are too many.
 */
export type ChangedRows = (projectKey: string, since: number, commits: number) => ReadonlySet<number> | undefined;

/** Reads the change log on a connection. */
export function createChangedRows(db: DatabaseSync): ChangedRows {
  const changes = db.prepare('SELECT rows FROM change WHERE commits > ? AND project_key = ?');
  changes.setReturnArrays(true);
  return (projectKey, since, commits) => {
    if (commits - since >= maxListedCommits) return undefined;
    const rows = new Set<number>();
    for (const [list] of changes.all(since, projectKey) as unknown as [string][]) {
      for (const row of JSON.parse(list) as number[]) rows.add(row);
      if (rows.size > maxFollowedRows) return undefined;
    }
    return rows;
  };
}
