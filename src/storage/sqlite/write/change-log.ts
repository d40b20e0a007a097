import type { DatabaseSync } from 'node:sqlite';
import type { PendingRow } from './apply.ts';

/** Commits whose rows are listed in `change`; whoever remembers something older begins anew. */
export const commitsListed = 4096;

/** Old entries go once in so many commits. */
const pruneEvery = 64;

export interface ProjectWriter {
  /** Notes which rows of which projects a commit touched, and counts the projects' resources. */
  write(pending: readonly PendingRow[], commits: number): void;
}

/** Prepares the upkeep of `project` and `change` on a connection. */
export function createProjectWriter(db: DatabaseSync): ProjectWriter {
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
      if (commits % pruneEvery === 0) prune.run(commits - commitsListed);
    },
  };
}
