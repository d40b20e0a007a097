import type { JsonObject } from '../../contract/json.ts';
import type { Predicate } from '../predicate/ast.ts';
import type { SearchQuery } from '../search/query/query.ts';
import type { Origin } from './change-log.ts';
import type { Eventually } from './eventually.ts';
import type { ListPage, ListQuery, SearchPage } from './list-query.ts';
import type { ChangeRules } from './rule-store.ts';

/**
 * A resource as the store keeps it. Both projections are complete JSON texts as in responses, system fields included, so
 * that reads neither parse nor serialise.
 */
export interface ResourceRecord {
  /** `[A-Za-z0-9_-]{1,64}`; or, with a `~` that no path can have, a companion project for data beside the resources. */
  readonly projectKey: string;
  /** 1–256 characters, unique in the project, compared by UTF-8 bytes (decision 7). */
  readonly id: string;
  /** 1–256 characters, unique in the project. */
  readonly key: string | undefined;
  /** Begins at 1. */
  readonly version: number;
  /** Instants in the form of `canonicalInstant`, for order; the texts hold them as given. */
  readonly createdAt: string;
  readonly lastModifiedAt: string;
  /** JSON text of the current projection. */
  readonly current: string;
  /** JSON text of the staged projection; undefined where nothing is staged (decision 13). */
  readonly staged: string | undefined;
  /**
   * What no other resource of this id ever had, made when it was created: tells its versions from those of one that was
   * deleted before (decision 94). Undefined for resources that were created before there was one.
   */
  readonly incarnation?: string | undefined;
  /**
   * Which top-level fields the last versions changed, newest first, as `[version,[field,…]]` with commas between them; ''
   * where there are none. It is a text, since each update stores all of it again, and only a conflict or an export parses it.
   */
  readonly history: string;
}

declare const storable: unique symbol;

/** A record that passed `checkStorable`, the only function that makes one: what a store may be given. */
export type StorableRecord = ResourceRecord & { readonly [storable]: true };

/** Both projections as values, for the indexes of a store. `staged` is absent where nothing is staged. */
export interface Documents {
  readonly current: JsonObject;
  readonly staged?: JsonObject;
}

/**
 * The response to a request with an Idempotency-Key, for repeats of it: stored in the same commit as its write, or alone
 * if the write changes nothing.
 */
export interface IdempotentResponse {
  /** The scope of the key: client id, method, path and the key itself, joined by newlines. */
  readonly scope: string;
  /** SHA-256 of the request, hex. The same key with another request is refused. */
  readonly requestHash: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** ms since the epoch, after which the response may be deleted. */
  readonly expiresAtMs: number;
}

/** A write of a document of a companion project, as the log of the project tells it: of the embedded backend, or a variant. */
export interface DocumentWrite {
  /** The name of the document; of a variant its id. */
  readonly name: string;
  /** Positive; of the document after this write. */
  readonly version: number;
  readonly origin: Origin;
}

/** Members that every change may have. */
interface ChangeContext {
  readonly idempotency?: IdempotentResponse;
  /** For the change log; absent for what the service writes for itself, which is logged as of no client. */
  readonly origin?: Origin | undefined;
  /** Absent where the project has no types: it is then committed only while no version of types was set (`RuleStore`). */
  readonly rules?: ChangeRules | undefined;
}

interface PutContext extends ChangeContext {
  /**
   * Only in a companion project: the writes that the change stores together, in their order. Each is a change of its own
   * in the log of the project that the companion belongs to.
   */
  readonly documentWrites?: readonly DocumentWrite[] | undefined;
}

/**
 * One decided write, as plain data. The store applies all of it or nothing, and its record in the change log with it.
 * `before` and `after` are the documents of the versions that `expectedVersion` and `next` name. The resource must also be
 * of the incarnation expected: one that was deleted and created again may have the same version. `isOfDamaged`: the resource cannot be
 * read, so `before` is not what it was; only its version is compared.
 */
export type Change =
  | (PutContext & {
      readonly kind: 'create';
      /**
       * Where it continues a deleted resource: the sequence of the last change of its id, decided on, which must still be
       * the last one. Another process may have restored and deleted it meanwhile, or forgotten it.
       */
      readonly continues?: number | undefined;
      readonly next: StorableRecord;
      readonly after: Documents;
    })
  | (PutContext & {
      readonly kind: 'update';
      readonly expectedVersion: number;
      readonly expectedIncarnation?: ResourceRecord['incarnation'];
      readonly next: StorableRecord;
      readonly before: Documents;
      readonly after: Documents;
      readonly isOfDamaged?: true | undefined;
    })
  | (ChangeContext & {
      readonly kind: 'delete';
      readonly projectKey: string;
      readonly id: string;
      readonly expectedVersion: number;
      readonly expectedIncarnation?: ResourceRecord['incarnation'];
      readonly before: Documents;
      readonly isOfDamaged?: true | undefined;
    });

/** The outcome of a change. It is durable only after `committed`; after any other outcome nothing was written. */
export type CommitOutcome =
  | 'committed'
  /** The resource no longer has the version and the incarnation expected, or is gone; or it has lived again. Decide again. */
  | 'versionMoved'
  /** The types have a later version, another resource has a mark that it may not have, or one that is needed has changed. Decide again. */
  | 'rulesBroken'
  /** The id of a create exists. */
  | 'idTaken'
  /** Another resource of the project has the key. */
  | 'keyTaken'
  /** A response is already stored under the scope of `idempotency`. Read it. */
  | 'responseExists';

/** The outcome of changes that were committed together: of the first one that could not be applied, if any. */
export type GroupOutcome =
  | 'committed'
  | { readonly outcome: Exclude<CommitOutcome, 'committed'> /** The index of that change. */; readonly at: number };

/**
 * Stores resources. Reads see every write that was acknowledged before they began.
 * Throws `ServiceError` `QueryTimedOut` (a list over its deadline), `DataCorruption` (a checksum does not match),
 * `InsufficientStorage`, `OverCapacity` (a query that waited too long, among others), `OutcomeUnknown`.
 *
 * An aborted `signal` says that the result is not needed any more: the query then ends as soon as it can, and the call
 * rejects with the reason of the signal.
 */
export interface ResourceStore {
  get(projectKey: string, id: string): Eventually<ResourceRecord | undefined>;
  getByKey(projectKey: string, key: string): Eventually<ResourceRecord | undefined>;
  /** Durable before it resolves to `committed`. Many callers may share one commit. */
  commit(change: Change): Promise<CommitOutcome>;
  /**
   * Commits changes of one project in one transaction: each is applied to what those before it made of the project, and
   * gets a record of its own in the change log. If one cannot be applied, none is. At least one change; at most one of
   * them has `idempotency`, the first. Durable before it resolves to `committed`.
   */
  commitAll(changes: readonly Change[]): Promise<GroupOutcome>;
  /** Stores a response alone, for a write in the project that changes nothing. Durable like a change. */
  storeResponse(
    projectKey: string,
    response: IdempotentResponse,
  ): Promise<Extract<CommitOutcome, 'committed' | 'responseExists'>>;
  list(query: ListQuery, signal?: AbortSignal): Promise<ListPage>;
  /**
   * What is never the same again after a write to the project that was acknowledged before the call: lists and searches between two equal ones
   * are those of now. Undefined while a write is under way, and where that is not known. Absent where other processes write as well.
   * Throws what lists throw.
   */
  readonly generation?: ((projectKey: string) => Eventually<number | string | undefined>) | undefined;
  /**
   * The next records of a project by id, ascending by UTF-8 bytes, each with an id greater than `afterId` (undefined:
   * from the first one), at most `limit` (1–500). To bound memory it may return fewer although there are more: only an
   * empty result is the end. Records are whole (text for text, with history) and checked as by `get`. Each was
   * committed when the call began; consecutive calls need not see one state of the project. They end before a damaged resource;
   * where that would be the first one, it throws `DamagedResource`, and the next call may continue after its id.
   */
  scan(projectKey: string, afterId: string | undefined, limit: number): Promise<readonly ResourceRecord[]>;
  /** Sees every write that was acknowledged before it began. All counts are exact. */
  search(query: SearchQuery, signal?: AbortSignal): Promise<SearchPage>;
  /** True if at least one resource matches all predicates. */
  exists(projectKey: string, where: readonly Predicate[], staged: boolean, signal?: AbortSignal): Promise<boolean>;
  /** The response stored under the scope, if it has not expired at `nowMs`. */
  getIdempotentResponse(scope: string, nowMs: number): Eventually<IdempotentResponse | undefined>;
  /** Deletes responses that expired before `nowMs`, in portions that hold up no write. Resolves to their number. */
  deleteExpiredResponses(nowMs: number): Promise<number>;
}
