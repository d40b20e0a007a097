import { ServiceError } from '../../contract/errors.ts';
import type { JsonObject } from '../../contract/json.ts';
import { parseStoredJson, stringifyJson } from '../json/parse.ts';
import { isJsonObject } from '../json/values.ts';
import type { ClientStore } from '../ports/client-store.ts';
import type { ResourceRecord } from '../ports/resource-store.ts';

/** A name is read again after this time: a stream goes on for an hour. */
const keptMs = 10_000;
const maxKept = 1000;

/** The names that the API clients of a project have now, for one response to a reader who may see them. */
export class ActorNames {
  readonly #clients: Pick<ClientStore, 'getClient'>;
  readonly #projectKey: string;
  readonly #kept = new Map<string, { readonly name: Promise<string | undefined>; readonly untilMs: number }>();

  constructor(clients: Pick<ClientStore, 'getClient'>, projectKey: string) {
    this.#clients = clients;
    this.#projectKey = projectKey;
  }

  /** The actor with the name of its client; without one where the client is deleted, or of another project. */
  async named<A extends object>(actor: A): Promise<A> {
    const { clientId, ...others } = actor as { readonly clientId?: unknown };
    // A client may have given an author of another form (decision 19).
    const name = typeof clientId === 'string' ? await this.#nameOf(clientId) : undefined;
    return name === undefined ? actor : ({ clientId, name, ...others } as unknown as A);
  }

  /** A record whose documents name who created and who changed it last; another one that cannot be read stays as it is. */
  async inRecord(record: ResourceRecord): Promise<ResourceRecord> {
    try {
      const [current, staged] = await Promise.all([this.#inText(record.current), this.#inText(record.staged)]);
      return { ...record, current: current!, staged };
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'DataCorruption') return record;
      throw error;
    }
  }

  async #inText(text: string | undefined): Promise<string | undefined> {
    if (text === undefined) return undefined;
    const document = parseStoredJson(text) as JsonObject;
    const named = { ...document };
    for (const field of ['createdBy', 'lastModifiedBy'] as const) {
      const author = document[field];
      if (isJsonObject(author)) named[field] = await this.named(author);
    }
    return stringifyJson(named);
  }

  #nameOf(clientId: string): Promise<string | undefined> {
    const nowMs = performance.now();
    const kept = this.#kept.get(clientId);
    if (kept && kept.untilMs > nowMs) return kept.name;
    if (this.#kept.size >= maxKept) this.#kept.clear();
    const name = this.#read(clientId);
    this.#kept.set(clientId, { name, untilMs: nowMs + keptMs });
    return name;
  }

  async #read(clientId: string): Promise<string | undefined> {
    try {
      const client = await this.#clients.getClient(clientId);
      return client?.projectKey === this.#projectKey ? client.name : undefined;
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'DataCorruption') return undefined;
      throw error;
    }
  }
}
