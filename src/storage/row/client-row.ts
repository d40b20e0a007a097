import type { ApiClient } from '../../domain/ports/client-store.ts';

/** A row of `api_client`. Without a project there is NULL, or '' where the column is part of a key. */
export interface ClientRow {
  readonly id: string;
  readonly project_key: string | null;
  readonly name: string;
  readonly scopes: string;
  readonly secret_hash: string;
  readonly created_at: number;
}

/** The client of a row. */
export function clientOf(row: ClientRow): ApiClient {
  return {
    id: row.id,
    projectKey: row.project_key || undefined,
    name: row.name,
    scopes: JSON.parse(row.scopes) as string[],
    secretHash: row.secret_hash,
    createdAtMs: row.created_at,
  };
}
