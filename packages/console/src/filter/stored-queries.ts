import { store, storedList } from '../browser/stored.ts';

/** A query that was given a name. */
export interface StoredQuery {
  readonly name: string;
  /** The query of the address, such as `where=stock+%3E+1&sort=key+asc`. */
  readonly query: string;
}

/** What of an address belongs to a query. The open tab of a resource does not. */
const parts = ['where', 'sort', 'staged', 'columns'] as const;

const storageName = (projectKey: string) => `queries-${projectKey}`;

/** The query of an address, in one order, so that two can be compared. */
export function queryText(query: URLSearchParams): string {
  const own = new URLSearchParams();
  for (const part of parts) if (query.has(part)) own.set(part, query.get(part)!);
  return own.toString();
}

const isQuery = (one: unknown): one is StoredQuery => {
  const { name, query } = (one ?? {}) as Partial<StoredQuery>;
  return typeof name === 'string' && typeof query === 'string';
};

/** The queries that this browser keeps for a project, by name. */
export const storedQueries = (projectKey: string) => storedList(storageName(projectKey), isQuery);

/** Keeps the queries. Returns false where the browser keeps nothing. */
export const storeQueries = (projectKey: string, queries: readonly StoredQuery[]): boolean =>
  store(storageName(projectKey), JSON.stringify(queries));
