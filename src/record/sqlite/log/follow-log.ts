import type { DatabaseSync } from 'node:sqlite';
import { lastSequence, maxCounted } from '../../../sqlite/position.ts';
import { isLogged } from '../open/log-schema.ts';
import type { Writer } from '../write/writer.ts';

/** Between two looks after commits of this process; while many are made, one look is for all of them. */
const restMs = 5;

/** Between two looks for commits of other processes. */
const pollMs = 25;

/**
 * Calls those who follow the log of a project when it has changed, by a connection that reads. `onCommit` tells of the commits of this
 * process.
 */
export function createLogFollowers(db: DatabaseSync, onCommit: Writer['onCommit']) {
  const last = db.prepare(`SELECT ${lastSequence} AS last`);
  const since = db.prepare(
    `SELECT DISTINCT project_key AS projectKey FROM change WHERE sequence > ? AND sequence <= ${maxCounted} AND ${isLogged}`,
  );
  const dataVersion = db.prepare('PRAGMA data_version');
  /** The listeners of each project. */
  const followed = new Map<string, Set<() => void>>();
  /** The changes that were there at the last look. */
  let seen = 0;
  let seenVersion: unknown;
  let polling: NodeJS.Timeout | undefined;
  let stopListening = () => {};
  let look: NodeJS.Immediate | undefined;
  let lookedAt = 0;
  let isClosed = false;

  const lastOfAll = () => (last.get() as { last: number }).last;

  /** Where nothing was committed by other connections, those of the writer included, nothing is read. */
  function lookAll(): void {
    const { data_version: version } = dataVersion.get() as { data_version: number };
    if (version === seenVersion) return;
    const now = lastOfAll();
    const changed = since.all(seen) as { projectKey: string }[];
    seenVersion = version;
    seen = now;
    for (const { projectKey } of changed) {
      for (const listener of [...(followed.get(projectKey) ?? [])]) listener();
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

  function lookSoon(): void {
    if (performance.now() - lookedAt >= restMs) look ??= setImmediate(lookNow);
  }

  function stop(projectKey: string, listener: () => void): void {
    const listeners = followed.get(projectKey);
    listeners?.delete(listener);
    if (listeners?.size === 0) followed.delete(projectKey);
    if (followed.size > 0) return;
    stopListening();
    clearInterval(polling);
    polling = undefined;
  }

  return {
    follow(projectKey: string, callback: () => void): () => void {
      // A function may be given twice.
      const listener = () => callback();
      if (followed.size === 0) {
        seen = lastOfAll();
        stopListening = onCommit(lookSoon);
      }
      const listeners = followed.get(projectKey) ?? new Set();
      followed.set(projectKey, listeners);
      listeners.add(listener);
      polling ??= setInterval(lookNow, pollMs).unref();
      return () => stop(projectKey, listener);
    },
    close(): void {
      isClosed = true;
      stopListening();
      clearInterval(polling);
      clearImmediate(look);
      followed.clear();
    },
  };
}
