import type { Connect, Connection } from './connection.ts';
import { unavailable } from './errors.ts';
import { createShares, noGroup } from './shares.ts';

/** A bounded number of connections, each used by one caller at a time. Must be closed. */
export interface Pool {
  /**
   * Lends a connection for the work. Throws `OverCapacity` if none becomes free in time. A connection that broke, is
   * still inside a transaction, or is doubtful, is closed afterwards. A wait ends when the signal is aborted, with its reason. The group
   * names the server that the work depends on behind the one of the connection: each group has a share of the
   * connections. The work learns whether it had to wait for a connection.
   */
  use<T>(
    work: (connection: Connection, hasWaited?: boolean) => Promise<T>,
    signal?: AbortSignal,
    group?: string,
  ): Promise<T>;
  /** How many callers wait for a connection. */
  readonly waiting?: () => number;
  close(): Promise<void>;
}

export interface PoolOptions {
  readonly connect: Connect;
  readonly size: number;
  /** The longest wait for a connection. */
  readonly waitMs: number;
}

interface Waiting {
  readonly begin: () => void;
  /** Ends the wait in vain. */
  readonly giveUp: (reason: unknown) => void;
}

/** Creates a pool; its connections are made when they are needed. */
export function createPool({ connect, size, waitMs }: PoolOptions): Pool {
  const idle: Connection[] = [];
  const shares = createShares(size);
  /** By group, each in order. */
  const waiting = new Map<string, Set<Waiting>>();
  let drained: (() => void) | undefined;
  let isClosed = false;

  /** Waits until one of the connections may be used. Resolves to true where others used all of them before. */
  function enter(group: string, signal: AbortSignal | undefined): Promise<boolean> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (isClosed) return Promise.reject(unavailable('The service is shutting down.'));
    const before = waiting.get(group) ?? new Set();
    if (before.size === 0 && shares.tryEnter(group)) return Promise.resolve(false);
    waiting.set(group, before);
    return new Promise((resolve, reject) => {
      const end = () => {
        before.delete(entry);
        if (before.size === 0) waiting.delete(group);
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      const entry: Waiting = {
        begin() {
          end();
          resolve(true);
        },
        giveUp(reason) {
          end();
          reject(reason);
        },
      };
      const onAbort = () => entry.giveUp(signal!.reason);
      const timeUp = () => entry.giveUp(unavailable('All connections to the database are in use. Try again.'));
      const timer = setTimeout(timeUp, waitMs);
      signal?.addEventListener('abort', onAbort);
      before.add(entry);
    });
  }

  function leave(group: string): void {
    shares.leave(group);
    for (const [next, entries] of [...waiting]) {
      if (!shares.tryEnter(next)) continue;
      const [first] = entries;
      first!.begin();
      // The groups take turns.
      if (waiting.delete(next) && entries.size > 0) waiting.set(next, entries);
    }
    if (shares.taken === 0) drained?.();
  }

  /** Idle connections are closed as well: likely to the same server, each would cost a request its first attempt. */
  function discard(connection: Connection): void {
    for (const each of [connection, ...(isClosed ? [] : idle.splice(0))]) void each.close();
  }

  async function take(): Promise<Connection> {
    for (let connection = idle.pop(); connection; connection = idle.pop()) {
      if (connection.isUsable() && !connection.isDoubtful()) return connection;
      void connection.close();
    }
    return connect();
  }

  return {
    async use(work, signal, group = noGroup) {
      const hasWaited = await enter(group, signal);
      try {
        const connection = await take();
        try {
          return await work(connection, hasWaited);
        } finally {
          if (!connection.isUsable() || isClosed) discard(connection);
          else if (connection.isDoubtful()) void connection.close();
          else idle.push(connection);
        }
      } finally {
        leave(group);
      }
    },
    waiting: () => [...waiting.values()].reduce((sum, each) => sum + each.size, 0),
    async close() {
      isClosed = true;
      if (shares.taken > 0) {
        await new Promise<void>((resolve) => {
          drained = resolve;
        });
      }
      await Promise.all(idle.splice(0).map((connection) => connection.close()));
    },
  };
}
