import type { Connection } from '../open/connection.ts';
import { hasCitus } from '../open/migrate.ts';
import { openTerms } from './term-key.ts';

/** What the statements of a connection depend on beside the server. */
export type StoreFacts = Pick<Connection, 'terms' | 'projectsApart'>;

/** Reads them, once for all connections of a process. Throws `StoreRefused` if the key of the terms is damaged. */
export async function openStoreFacts(connection: Connection): Promise<StoreFacts> {
  return { terms: await openTerms(connection), projectsApart: await hasCitus(connection) };
}
