import type { DatabaseSync } from 'node:sqlite';
import { isLogged } from '../open/log-schema.ts';

/** Calls those who follow the log of a project when it has changed. */
export interface LogFollowers {
  follow(projectKey: string, listener: () => void): () => void;
  /** To be called on each commit of this process. */
  committed(): void;
  close(): void;
}

/** Between two looks after commits of this process; while many are made, one look is for all of them. */
const restMs = 5;

/** Between two looks for commits of other processes. */
const pollMs = 25;

interface Followed {
  readonly listeners: Set<() => void>;
  last: number | null;
}

/** Prepares following on a connection that reads. */
export function createLogFollowers(db: DatabaseSync): LogFollowers {
  const last = db.prepare(
    `SELECT max(sequence) AS last FROM change INDEXED BY change_log WHERE project_key = ? AND ${isLogged}`,
  );
  const dataVersion = db.prepare('PRAGMA data_version');
  const followed = new Map<string, Followed>();
  let seenVersion: unknown;
  let polling: NodeJS.Timeout | undefined;
  let look: NodeJS.Immediate | undefined;
  let lookedAt = 0;
  let isClosed = false;

  const lastOf = (projectKey: string) => (last.get(projectKey) as { last: number | null }).last;

  /** Where nothing was committed by other connections, those of the writer included, nothing is read. */
  function lookAll(): void {
    const { data_version: version } = dataVersion.get() as { data_version: number };
    if (version === seenVersion) return;
    seenVersion = version;
    for (const [projectKey, each] of followed) {
      const now = lastOf(projectKey);
      if (now === each.last) continue;
      each.last = now;
      for (const listener of [...each.listeners]) listener();
    }
  }

  /** A read that fails is repeated with the next look; those who read the log themselves get its error. */
  function lookNow(): void {
    look = undefined;
    lookedAt = performance.now();
    try {
      if (!isClosed) lookAll();
    } catch {
      seenVersion = undefined;
    }
  }

  function stop(projectKey: string, listener: () => void): void {
    const each = followed.get(projectKey);
    each?.listeners.delete(listener);
    if (each?.listeners.size === 0) followed.delete(projectKey);
    if (followed.size > 0) return;
    clearInterval(polling);
    polling = undefined;
  }

  return {
    follow(projectKey, callback) {
      // The same function may be given twice.
      const listener = () => callback();
      const each = followed.get(projectKey) ?? { listeners: new Set(), last: lastOf(projectKey) };
      followed.set(projectKey, each);
      each.listeners.add(listener);
      polling ??= setInterval(lookNow, pollMs).unref();
      return () => stop(projectKey, listener);
    },
    committed() {
      if (followed.size > 0 && performance.now() - lookedAt >= restMs) look ??= setImmediate(lookNow);
    },
    close() {
      isClosed = true;
      clearInterval(polling);
      clearImmediate(look);
      followed.clear();
    },
  };
}
