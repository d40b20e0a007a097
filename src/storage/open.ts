import type { Store } from '../domain/ports.ts';
import { openSqliteStore, type SqliteOptions } from './sqlite/store.ts';

/** A store by its address: one line per engine. Throws an error that names the forms known. */
export function openStore(url: string, options: Omit<SqliteOptions, 'file'>): Promise<Store> {
  if (url.startsWith('sqlite:')) return openSqliteStore({ ...options, file: url.slice('sqlite:'.length) });
  throw new Error(`DATABASE_URL: “${url.split(':')[0]}:” is not known; use sqlite:<file>`);
}
