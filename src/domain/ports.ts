import type { ActionName } from '../contract/backend-actions.ts';
import type { JsonObject, JsonValue } from '../contract/json.ts';
import type { Predicate } from './predicate/ast.ts';
import type { FacetResult, SearchQuery } from './search/query/query.ts';

/** What the service asks of the world: everything an adapter must give, on one screen. */

/** A value now or later: the embedded engine answers point reads at once, a remote one does not. Callers `await`. */
export type Eventually<T> = T | Promise<T>;

/**
 * A resource as the store keeps it. The two bodies are complete JSON texts as they are answered, system fields
 * included, so that reads neither parse nor serialise.
 */
export interface ResourceRecord {
  /** `[A-Za-z0-9_-]{1,64}`; or with a `~`, which no path has: what a project keeps beside its resources. */
  readonly projectKey: string;
  /** 1–256 characters, unique in the project, compared by UTF-8 bytes (decision 7). */
  readonly id: string;
  /** 1–256 characters, unique in the project. */
  readonly key: string | undefined;
  /** Begins at 1. */
  readonly version: number;
  /** Instants in the form of `canonicalInstant`, for order; the bodies hold them as given. */
  readonly createdAt: string;
  readonly lastModifiedAt: string;
  /** JSON text of the current projection. */
  readonly current: string;
  /** JSON text of the staged projection; undefined where nothing is staged (decision 13). */
  readonly staged: string | undefined;
  /** Which top-level fields the last versions changed, newest first, at most `historyLength` entries. */
  readonly history: readonly VersionChange[];
}

export interface VersionChange {
  readonly version: number;
  readonly fields: readonly string[];
}

/** Both projections as values, for the indexes a store keeps. `staged` is absent where nothing is staged. */
export interface Documents {
  readonly current: JsonObject;
  readonly staged?: JsonObject;
}

/** An answer kept for repeats of a request with an Idempotency-Key, stored in the same commit as its write. */
export interface IdempotentAnswer {
  /** Who, where and what key: client id, method, path and the key itself, joined by newlines. */
  readonly scope: string;
  /** SHA-256 of the request, hex. The same key with another request is refused. */
  readonly requestHash: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** ms since the epoch, after which the answer may be forgotten. */
  readonly expiresAtMs: number;
}

/**
 * One decided write, as plain data. The store applies all of it or nothing.
 * `before` and `after` are the documents of the versions that `expectedVersion` and `next` name.
 */
export type Change =
  | {
      readonly kind: 'create';
      readonly next: ResourceRecord;
      readonly after: Documents;
      readonly idempotency?: IdempotentAnswer;
    }
  | {
      readonly kind: 'update';
      readonly expectedVersion: number;
      readonly next: ResourceRecord;
      readonly before: Documents;
      readonly after: Documents;
      readonly idempotency?: IdempotentAnswer;
    }
  | {
      readonly kind: 'delete';
      readonly projectKey: string;
      readonly id: string;
      readonly expectedVersion: number;
      readonly before: Documents;
      readonly idempotency?: IdempotentAnswer;
    };

/** What became of a change. Only after `committed` is it durable; after any other word nothing was written. */
export type CommitOutcome =
  | 'committed'
  /** The resource no longer has `expectedVersion` (or is gone). Read again and decide again. */
  | 'versionMoved'
  /** A create met an existing id. */
  | 'idTaken'
  /** Another resource of the project has the key. */
  | 'keyTaken'
  /** The scope of `idempotency` already has an answer. Read it. */
  | 'answerExists';

export interface SortTerm {
  /** Dotted path; a name of ArrayTestType falls through to `objectTypeProperty` as in predicates. */
  readonly path: readonly string[];
  readonly direction: 'asc' | 'desc';
}

/** A list of resources of one project (decisions 15, 16). */
export interface ListQuery {
  readonly projectKey: string;
  /** All must hold. */
  readonly where: readonly Predicate[];
  /** Missing last in asc, first in desc; ties by id. Empty: an order that is stable while nothing changes. */
  readonly sort: readonly SortTerm[];
  /** 0–500 */
  readonly limit: number;
  /** 0–10,000 */
  readonly offset: number;
  readonly withTotal: boolean;
  /** Answer and match the staged projection, which equals the current one where nothing is staged. */
  readonly staged: boolean;
}

export interface ListPage {
  /** The JSON texts of the page, joined by commas: the inside of `results: […]`. */
  readonly results: string;
  readonly count: number;
  /** Exact number of matches; present where asked for. */
  readonly total?: number;
}

export interface SearchPage extends ListPage {
  /** By the facet's name, in the order of the query; empty where none was asked for. */
  readonly facets: readonly (readonly [name: string, result: FacetResult])[];
}

/**
 * Keeps resources. Reads see every write that was acknowledged before they began.
 * Throws `ServiceError` `QueryTimedOut` (a list over its deadline), `DataCorruption` (a checksum does not hold),
 * `InsufficientStorage`, `OverCapacity`, `OutcomeUnknown`.
 */
export interface ResourceStore {
  get(projectKey: string, id: string): Eventually<ResourceRecord | undefined>;
  getByKey(projectKey: string, key: string): Eventually<ResourceRecord | undefined>;
  /** Durable before it resolves to `committed`. Many callers may share one commit. */
  commit(change: Change): Promise<CommitOutcome>;
  list(query: ListQuery): Promise<ListPage>;
  /**
   * The next records of a project by id, ascending by UTF-8 bytes, each with an id greater than `afterId` (undefined:
   * from the first one), at most `limit` (1–500). To bound memory fewer may be answered although there are more:
   * only an empty answer is the end. Records are whole (text for text, with history) and checked as by `get`. Each is
   * one that was committed when the call began; calls after each other need not see one state of the project.
   */
  walk(projectKey: string, afterId: string | undefined, limit: number): Promise<readonly ResourceRecord[]>;
  /** Sees every write that was acknowledged before it began. All counts are exact. */
  search(query: SearchQuery): Promise<SearchPage>;
  /** True if at least one resource matches all predicates. */
  exists(projectKey: string, where: readonly Predicate[], staged: boolean): Promise<boolean>;
  /** The answer stored under the scope, if it has not expired at `nowMs`. */
  getAnswer(scope: string, nowMs: number): Eventually<IdempotentAnswer | undefined>;
  /** Deletes answers that expired before `nowMs`, in portions that hold up no write. Resolves to their number. */
  deleteExpiredAnswers(nowMs: number): Promise<number>;
}

/** One of the actions E14–E18, as it reaches a backend (decision 26). */
export interface ActionRequest {
  readonly projectKey: string;
  readonly action: ActionName;
  /** The query as sent, without `?`; well-formed. */
  readonly query: string;
  /** The parsed body; undefined where the action has none. */
  readonly json: JsonValue | undefined;
  /** Headers that a backend may see, by lower-case name. Never a credential. */
  readonly headers: Readonly<Record<string, string>>;
  readonly correlationId: string;
  readonly clientId: string;
  readonly externalUserId: string | undefined;
  /** Where the request has an Idempotency-Key: the key, and what its answer is kept under (decision 33). */
  readonly idempotency?: { readonly key: string; readonly scope: string; readonly requestHash: string } | undefined;
}

/** A status from 200 to 299, never one without a body, and the body, a JSON text. */
export interface ActionAnswer {
  readonly status: number;
  readonly body: string;
}

/**
 * Carries out the actions of a project. Throws `ServiceError`: `InvalidInput` (no such action), `CartConflict`,
 * `BackendRefused`, `BackendFailed`, `BackendTimedOut`, `OverCapacity`, and those of a write to the store.
 */
export interface Backend {
  call(request: ActionRequest): Eventually<ActionAnswer>;
}

/** The backend of each project, as the operator configured it. Must be closed. */
export interface Backends {
  of(projectKey: string): Backend;
  close(): void;
}

/** A client of the token endpoint. Times are ms since the epoch. */
export interface ApiClient {
  /** Unique over all projects; begins with the project key and a dot, except the admin client. */
  readonly id: string;
  /** Undefined for the admin client, which may ask for any scope of any project (decision 30). */
  readonly projectKey: string | undefined;
  readonly name: string;
  readonly scopes: readonly string[];
  /** Digest of the secret, never the secret. */
  readonly secretHash: string;
  readonly createdAtMs: number;
}

export interface SigningKey {
  /** RFC 7638 thumbprint. */
  readonly kid: string;
  /** JSON text of the private JWK. */
  readonly privateJwk: string;
  readonly createdAtMs: number;
  /** Tokens are signed with the newest key whose `activeFromMs` has come. */
  readonly activeFromMs: number;
  /** After this the key is no longer published nor accepted. */
  readonly expiresAtMs: number;
}

/** A refusal of tokens before their expiry: of one token (`jti`) or of all of a client (`client`). */
export interface Revocation {
  readonly kind: 'jti' | 'client';
  /** The jti, or the client id. */
  readonly subject: string;
  readonly revokedAtMs: number;
  /** When every token concerned has expired, so that the row may go. */
  readonly expiresAtMs: number;
}

/** Keeps API clients, signing keys and revocations. Writes are durable before they resolve. */
export interface ClientStore {
  getClient(id: string): Eventually<ApiClient | undefined>;
  /** Clients of the project, by id; at most `limit`, beginning after `afterId`. */
  listClients(projectKey: string, limit: number, afterId?: string): Promise<readonly ApiClient[]>;
  /** False if the id is taken. */
  createClient(client: ApiClient): Promise<boolean>;
  /** Deletes the client and revokes its tokens in one commit. False if there is none. */
  deleteClient(id: string, revocation: Revocation): Promise<boolean>;
  listSigningKeys(): Promise<readonly SigningKey[]>;
  /** Adds a key unless one with `activeFromMs` at or after the given one exists; then answers false. */
  addSigningKey(key: SigningKey): Promise<boolean>;
  /** Deletes keys and revocations that expired before `nowMs`. */
  deleteExpired(nowMs: number): Promise<void>;
  revoke(revocation: Revocation): Promise<void>;
  /** Those not expired at `nowMs`; with `sinceMs` only those revoked at or after it. */
  listRevocations(nowMs: number, sinceMs?: number): Promise<readonly Revocation[]>;
}

/** A file of an ImageStore. */
export interface ImageFile {
  /** `<projectKey>/<file name>`, ASCII letters, digits, `_`, `-`, one `/` and one `.` */
  readonly name: string;
  readonly sizeBytes: number;
  /** ms since the epoch. */
  readonly storedAtMs: number;
}

/**
 * Keeps the files of images: by name, whole, never changed. Names are never used again, so a put meets an existing name
 * only where the same image is made again. Throws `ServiceError` `InsufficientStorage` where there is no room, `OverCapacity`
 * where the store cannot be reached.
 */
export interface ImageStore {
  /** Durable before it resolves. False, and nothing is written, where the name exists. */
  put(name: string, bytes: Uint8Array): Promise<boolean>;
  /** Undefined where there is no such file. */
  find(name: string): Promise<ImageFile | undefined>;
  /** The bytes of an existing file from `first` to `last`, both included; throws on the way where it vanished. */
  read(name: string, first: number, last: number): AsyncIterable<Uint8Array>;
  /** False where there is no such file. */
  delete(name: string): Promise<boolean>;
  /** All files, those of a project one after the other; files put or deleted meanwhile may be met or not. */
  list(): AsyncIterable<ImageFile>;
  /** The same of one project. */
  listProject(projectKey: string): AsyncIterable<ImageFile>;
}

/** Facts for health and metrics. */
export interface StoreStatus {
  /** False, with the reason, where the store cannot write now. */
  readonly writable: boolean;
  readonly reason?: string;
  readonly sizeBytes: number;
  /** Bytes of the write-ahead log, where the engine has one. */
  readonly logBytes: number;
}

/** An opened store: the ports of one engine over one database. Must be closed. */
export interface Store {
  readonly resources: ResourceStore;
  /** The same data, maybe as it was before; absent where nothing is behind. `OverCapacity` where it cannot be asked. */
  readonly eventual?: Pick<ResourceStore, 'get' | 'getByKey' | 'list' | 'exists' | 'search'> | undefined;
  readonly clients: ClientStore;
  status(): Promise<StoreStatus>;
  close(): Promise<void>;
}
