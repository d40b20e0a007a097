import type { Eventually } from '../domain/ports/eventually.ts';
import { isPostgres } from './open.ts';
import { checkStore, migrateStore } from './sqlite/maintenance/maintain.ts';

/** What an operator may do to a store while it is not served (or beside it, for a check). */
export interface Maintenance {
  /** The migrations that are missing, applied unless `dryRun`. */
  migrate(dryRun: boolean): Eventually<readonly { readonly version: number; readonly name: string }[]>;
  /** What was found; with `rebuild` the indexes are made anew first. */
  check(
    rebuild: boolean,
    progress: (label: string, done: number, total: number) => void,
  ): Eventually<readonly string[]>;
}

/** The maintenance of a store by its address. */
export function maintain(url: string): Maintenance {
  if (isPostgres(url)) {
    const loaded = import('./postgres/maintenance/maintain.ts');
    return {
      migrate: async (dryRun) => (await loaded).migratePostgres(url, dryRun),
      check: async (rebuild, progress) => (await loaded).checkPostgres(url, rebuild, progress),
    };
  }
  const file = url.replace(/^sqlite:/, '');
  return {
    migrate: (dryRun) => migrateStore(file, dryRun),
    check: (rebuild, progress) => checkStore(file, rebuild, progress),
  };
}
