import type { DatabaseSync } from 'node:sqlite';
import { commitsListed } from '../../write/change-log.ts';

/** More rows than so many are not followed one by one. */
const mostFollowed = 20_000;

/**
 * The rows of a project that commits touched after one and up to another, the last in the snapshot that is open;
 * undefined where that is not known any more, or too many.
 */
export type ChangedRows = (projectKey: string, since: number, commits: number) => ReadonlySet<number> | undefined;

/** Reads the list of changes on a connection. */
export function createChangedRows(db: DatabaseSync): ChangedRows {
  const changes = db.prepare('SELECT rows FROM change WHERE commits > ? AND project_key = ?');
  changes.setReturnArrays(true);
  return (projectKey, since, commits) => {
    if (commits - since >= commitsListed) return undefined;
    const rows = new Set<number>();
    for (const [list] of changes.all(since, projectKey) as unknown as [string][]) {
      for (const row of JSON.parse(list) as number[]) rows.add(row);
      if (rows.size > mostFollowed) return undefined;
    }
    return rows;
  };
}
