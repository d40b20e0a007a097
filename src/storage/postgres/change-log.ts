import type { ChangeLog } from '../../domain/ports/change-log.ts';

/** The ChangeLog port on PostgreSQL. */
export function createChangeLog(): ChangeLog {
  const missing = () => {
    throw new Error('This version of the engine keeps no log of changes.');
  };
  return {
    bounds: missing,
    changesAfter: missing,
    changesOf: missing,
    deletions: missing,
    deletionByKey: missing,
    follow: missing,
    prune: missing,
    forget: missing,
  };
}
