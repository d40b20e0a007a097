import type { Store } from '../domain/ports/store.ts';
import { hostSqliteStore, openSqliteStore, type SqliteOptions, type StoreHost } from './sqlite/store.ts';
import type { Link } from './sqlite/write/remote-writer.ts';

export type { Link, StoreHost };

/** What engines are opened with; each takes its own part. */
export type StoreOptions = Omit<SqliteOptions, 'file'> & {
  /** Connections to a database server, at most. */
  readonly connections: number;
  /** A server that may be behind, for reads that ask for it. */
  readonly replicaUrl?: string | undefined;
};

/** True for the address of a PostgreSQL. */
export function isPostgres(url: string): boolean {
  return /^postgres(?:ql)?:/.test(url);
}

/** A store by its address: one line per engine. Throws an error that names the forms known. */
export async function openStore(url: string, options: StoreOptions): Promise<Store> {
  if (url.startsWith('sqlite:')) return openSqliteStore({ ...options, file: url.slice('sqlite:'.length) });
  // Loaded only where it is used.
  if (isPostgres(url)) return (await import('./postgres/store.ts')).openPostgresStore({ ...options, url });
  throw new Error(`DATABASE_URL: “${url.split(':')[0]}:” is not known; use sqlite:<file> or postgres://…`);
}

/** What the processes of a service share of a store; nothing, where each has its own connections to a server. */
export async function hostStore(url: string, options: StoreOptions): Promise<StoreHost> {
  if (url.startsWith('sqlite:')) return hostSqliteStore({ ...options, file: url.slice('sqlite:'.length) });
  return { serve() {}, close: async () => {} };
}
