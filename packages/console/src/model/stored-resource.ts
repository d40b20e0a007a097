import { ApiError, type Call, pathOf } from '../api/client.ts';
import type { Json, JsonMap } from '../api/json.ts';
import { call } from '../app/session.ts';

/** True where a save was refused because another version is stored. */
export const isConflict = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'ConcurrentModification';

/** The requests for one resource. */
export class StoredResource {
  readonly #projectKey: string;
  readonly #path: string;

  constructor(projectKey: string, id: string) {
    this.#projectKey = projectKey;
    this.#path = pathOf(projectKey, 'resource', id);
  }

  /** Creates a resource, never over one that has its key already. */
  static async create(projectKey: string, json: JsonMap): Promise<JsonMap> {
    const headers = { 'if-none-match': '*' };
    const path = pathOf(projectKey, 'resource');
    return (await call(projectKey, { method: 'POST', path, json, headers })).body as JsonMap;
  }

  async send(request: Call): Promise<JsonMap> {
    return (await call(this.#projectKey, request)).body as JsonMap;
  }

  read(isStaged: boolean): Promise<JsonMap> {
    const query = isStaged ? new URLSearchParams({ staged: 'true' }) : undefined;
    return this.send({ path: this.#path, query });
  }

  /** A request that runs an update action in a version. */
  actionCall(version: Json | undefined, action: JsonMap): Call {
    return { method: 'POST', path: this.#path, json: { version: version!, actions: [action] } };
  }

  async delete(version: Json | undefined): Promise<void> {
    const query = new URLSearchParams({ version: String(version) });
    await call(this.#projectKey, { method: 'DELETE', path: this.#path, query });
  }

  /** Restores the resource after it was deleted. */
  restore(): Promise<JsonMap> {
    return this.send({ method: 'POST', path: `${this.#path}/restore`, json: {} });
  }
}
