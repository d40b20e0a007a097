import type { Connect, Connection } from './connection.ts';
import { unavailable } from './errors.ts';

/** A bounded number of connections, each used by one caller at a time. Must be closed. */
export interface Pool {
  /**
   * Lends a connection for the work. Throws `OverCapacity` if none becomes free in time. A connection that broke, or is
   * still inside a transaction, is closed afterwards. A wait ends when the signal is aborted, with its reason.
   */
  use<T>(work: (connection: Connection) => Promise<T>, signal?: AbortSignal): Promise<T>;
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
  const waiting = new Set<Waiting>();
  let lent = 0;
  let drained: (() => void) | undefined;
  let isClosed = false;

  /** Waits until one of the connections may be used. */
  function enter(signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (isClosed) return Promise.reject(unavailable('The service is shutting down.'));
    if (lent < size) {
      lent += 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const end = () => {
        waiting.delete(entry);
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      const entry: Waiting = {
        begin() {
          end();
          resolve();
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
      waiting.add(entry);
    });
  }

  function leave(): void {
    const [next] = waiting;
    if (next) {
      next.begin();
      return;
    }
    lent -= 1;
    if (lent === 0) drained?.();
  }

  /** Idle connections are closed as well: likely to the same server, each would cost a request its first attempt. */
  function discard(connection: Connection): void {
    for (const each of [connection, ...(isClosed ? [] : idle.splice(0))]) void each.close();
  }

  async function take(): Promise<Connection> {
    for (let connection = idle.pop(); connection; connection = idle.pop()) {
      if (connection.isUsable()) return connection;
      void connection.close();
    }
    return connect();
  }

  return {
    async use(work, signal) {
      await enter(signal);
      try {
        const connection = await take();
        try {
          return await work(connection);
        } finally {
          if (connection.isUsable() && !isClosed) idle.push(connection);
          else discard(connection);
        }
      } finally {
        leave();
      }
    },
    async close() {
      isClosed = true;
      if (lent > 0) {
        await new Promise<void>((resolve) => {
          drained = resolve;
        });
      }
      await Promise.all(idle.splice(0).map((connection) => connection.close()));
    },
  };
}
