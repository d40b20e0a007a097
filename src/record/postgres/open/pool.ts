import type { Connect, Connection } from './connection.ts';
import { unavailable } from './errors.ts';
import { noGroup, Shares } from './shares.ts';

/** A bounded number of connections, each used by one caller at a time. Must be closed. */
export interface Pool {
  /**
   * Lends a connection for the work. Throws `OverCapacity` if none becomes free in time. A connection that broke, is
   * still inside a transaction, or is doubtful, is closed afterwards. The group names the server that the work depends on
   * behind the one of the connection: each group has a share of the connections.
   */
  use<T>(work: (connection: Connection) => Promise<T>, group?: string): Promise<T>;
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

/** Creates a pool; its connections are made when they are needed. */
export function createPool({ connect, size, waitMs }: PoolOptions): Pool {
  const idle: Connection[] = [];
  const shares = new Shares(size);
  /** What begins the work of those who wait, by group, each in order. */
  const waiting = new Map<string, Set<() => void>>();
  let drained: (() => void) | undefined;
  let isClosed = false;

  /** Waits until one of the connections may be used. */
  async function enter(group: string): Promise<void> {
    if (isClosed) throw unavailable('The service is shutting down.');
    const before = waiting.get(group) ?? new Set();
    if (before.size === 0 && shares.tryEnter(group)) return;
    waiting.set(group, before);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const end = () => {
      before.delete(begin);
      if (before.size === 0) waiting.delete(group);
      clearTimeout(timer);
    };
    const begin = () => {
      end();
      resolve();
    };
    const timer = setTimeout(() => {
      end();
      reject(unavailable('All connections to the database are in use. Try again.'));
    }, waitMs);
    before.add(begin);
    return promise;
  }

  function leave(group: string): void {
    shares.leave(group);
    for (const [next, entries] of [...waiting]) {
      if (!shares.tryEnter(next)) continue;
      const [begin] = entries;
      begin!();
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
    async use(work, group = noGroup) {
      await enter(group);
      try {
        const connection = await take();
        try {
          return await work(connection);
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
