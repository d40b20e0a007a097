/** A query that was given a name. */
export interface StoredQuery {
  readonly name: string;
  /** The query of the address, such as `where=stock+%3E+1&sort=key+asc`. */
  readonly query: string;
}

/** What of an address belongs to a query. The open tab of a resource does not. */
const parts = ['where', 'sort', 'staged', 'columns'] as const;

const storageKey = (projectKey: string) => `grs-console-queries-${projectKey}`;

/** The query of an address, in one order, so that two can be compared. */
export function queryText(query: URLSearchParams): string {
  const own = new URLSearchParams();
  for (const part of parts) if (query.has(part)) own.set(part, query.get(part)!);
  return own.toString();
}

/** The queries that this browser keeps for a project, by name. */
export function storedQueries(projectKey: string): readonly StoredQuery[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(storageKey(projectKey)) ?? '[]');
    if (!Array.isArray(value)) return [];
    return value.filter((one) => typeof one?.name === 'string' && typeof one?.query === 'string');
  } catch {
    return [];
  }
}

/** Keeps the queries. Returns false where the browser keeps nothing. */
export function storeQueries(projectKey: string, queries: readonly StoredQuery[]): boolean {
  try {
    localStorage.setItem(storageKey(projectKey), JSON.stringify(queries));
    return true;
  } catch {
    return false;
  }
}
