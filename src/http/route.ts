import type { LoginLimit } from '../auth/credentials.ts';
import type { ErrorCode, ServiceError } from '../contract/errors.ts';
import type { JsonObject, JsonValue } from '../contract/json.ts';
import type { Caller, ScopeName } from '../contract/scopes.ts';
import type { Eventually } from '../domain/ports/eventually.ts';
import type { Idempotency } from '../domain/resource/write/commit.ts';
import type { SearchedText } from '../domain/search/counts/searched-text.ts';
import type { OpenKind } from './request/open-limits.ts';

/**
 * A route as plain data: its path, who may call it, what it takes and returns, and its handler. server.ts serves it and
 * openapi/ describes it. A route without `access` does not compile, and the server does not start with one.
 */
export interface Route {
  readonly operationId: string;
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** In the syntax of find-my-way: `/:projectKey/resource/:id`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /**
   * `public`: tokens are ignored. `client`: the handler authenticates the client itself (token endpoints).
   * `service`: a bearer token is required, with the scope of the service (decision 145).
   * A list: a bearer token is required, with one of these scopes for the project in the path.
   */
  readonly access: 'public' | 'client' | 'service' | readonly ScopeName[];
  /** Also admits a caller with view_published alone; the handler reads by `readWhere` or `publishedParts`. Needs a list as `access`. */
  readonly published?: true;
  /** A parameter that is not in the table is 400 (decision 96); without a table, every parameter is. */
  readonly query?: ParameterTable;
  readonly headers?: readonly HeaderParameter[];
  readonly body?: RouteBody;
  readonly responses: Readonly<Record<number, ResponseDescription>>;
  /** Errors besides those that every route with this access has. */
  readonly errors?: readonly ErrorCode[];
  /** Honours Idempotency-Key (decision 33). */
  readonly idempotent?: true;
  /** Not in the OpenAPI document: a file of a page, or a second form of an operation that is in it. */
  readonly undocumented?: true;
  readonly handler: (request: ApiRequest) => Eventually<HttpResponse>;
  /** Adds to an error what this caller may see of it. */
  readonly refine?: (error: ServiceError, request: Pick<ApiRequest, 'caller' | 'projectKey'>) => Promise<ServiceError>;
}

/** JSON Schema (2020-12) as OpenAPI 3.1 uses it. */
export type Schema = { readonly [key: string]: unknown };

export interface RouteBody {
  /**
   * `json` is parsed strictly before the handler runs. `form` is passed as bytes. `stream` is passed as it
   * arrives; its media type is checked even if it is empty.
   */
  readonly kind: 'json' | 'form' | 'stream';
  /** Of a `form`: its pairs are query parameters, beside those of the URL. `refuse` throws for what is no form. */
  readonly asQuery?: { readonly refuse?: (bytes: Uint8Array) => void };
  readonly contentTypes: readonly string[];
  /** Accepted too, and not documented. */
  readonly toleratedTypes?: readonly string[];
  readonly required: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
  readonly maxBytes?: number;
  /**
   * Of a `stream`: it has any length, may be compressed with gzip, which the handler inflates, and may take longer to
   * arrive than REQUEST_TIMEOUT_MS, as long as something arrives. The response may begin and end before the body does.
   */
  readonly isBulk?: true;
}

export interface ResponseDescription {
  readonly description: string;
  /** Schema and example by media type; absent for a response without a body. */
  readonly content?: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;
  readonly headers?: readonly string[];
}

export interface HeaderParameter {
  readonly name: string;
  readonly description: string;
  readonly example?: string;
  readonly required?: boolean;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
}

export type ParameterType = 'string' | 'boolean' | 'integer' | 'number' | 'object';

/**
 * Query parameters by name. A name that ends in `*` is a family of names; its `pattern` is for the whole name. The family
 * `*` alone takes every name.
 */
export type ParameterTable = Readonly<Record<string, Parameter>>;

export interface Parameter {
  readonly type: ParameterType;
  readonly description: string;
  readonly repeatable?: true;
  readonly default?: string | number | boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  /** For the error message about a value beyond the maximum: what to do instead. */
  readonly beyond?: string;
  /** The values that it can have, where these are a few words. */
  readonly words?: readonly string[];
  readonly pattern?: RegExp;
  /** For the error message about a value that the pattern does not match: what it is for. */
  readonly form?: string;
  /** For the documentation: `int64`. */
  readonly format?: string;
  readonly example?: unknown;
  /** For a family: accepted names, for the error message about another name. */
  readonly names?: string;
  /** For a family: its names in the OpenAPI document, which has no families. Other names are accepted as well. */
  readonly documented?: readonly string[];
  /** For a family: the accepted name closest to an unknown one. */
  readonly nearest?: (name: string) => string | undefined;
  /** Accepted for clients that send the parameters of other endpoints too; without effect. Never suggested, and not documented. */
  readonly ignored?: true;
  /**
   * Refused: a condition of another endpoint, without which the response would have more than the client asked for. Which
   * endpoint that is, and what to send here instead, for the error message. Never suggested, and not documented.
   */
  readonly elsewhere?: string;
  /** An integer or number that is validated but passed on as text: a 64-bit value keeps every digit (decision 5). */
  readonly exact?: true;
}

/**
 * Parsed query parameters by name; those of a family under their full names. Repeatable ones are arrays, never empty.
 * Integers and numbers are numbers (strings if `exact`), booleans are booleans, and `object` is the JSON object, or the
 * object made of `name[a]=…` pairs.
 */
export type QueryValues = ReadonlyMap<string, QueryValue>;
export type QueryValue = string | number | boolean | JsonObject | readonly string[];

/** For pages and endpoints whose parameters another program reads: all parameters are accepted. */
export const anyParameter = {
  '*': { type: 'string', repeatable: true, ignored: true, description: 'Ignored here.' },
} as const satisfies ParameterTable;

/** Path parameters by name. */
export type Params = Readonly<Record<string, string>>;

export interface ApiRequest {
  readonly method: string;
  /** Path and query as sent. */
  readonly url: string;
  /** Matches `projectKeyPattern`; empty if the path has none. */
  readonly projectKey: string;
  /** Path parameters, percent-decoded once. */
  readonly params: Params;
  readonly query: QueryValues;
  /** By lower-case name. A request that repeats a header which must not be repeated never gets here. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The parsed body of a `json` route; undefined if it was empty. */
  readonly json: JsonValue | undefined;
  /** The bytes of the body; empty if there was none. */
  readonly bytes: Uint8Array;
  /** The body of a `stream` route, to be read once. Throws 413 beyond the limit, and if the client disconnects. */
  readonly stream?: AsyncIterable<Uint8Array> | undefined;
  /** Undefined on public routes. */
  readonly caller: Caller | undefined;
  /** True if nothing but view_published admitted the caller. */
  readonly isPublished?: boolean | undefined;
  /** On routes whose handler authenticates the client itself: counts its failures. */
  readonly loginLimit?: LoginLimit | undefined;
  readonly correlationId: string;
  /** Aborted when the client disconnects, so that queries for it can end. Writes continue. */
  readonly signal: () => AbortSignal;
  /** Aborted with 401 when the token of the caller ends, for what waits after the request has arrived. */
  readonly tokenEnded: () => AbortSignal;
  /** Counts the request among those that the client has open, until its response has ended. Throws 429. */
  readonly occupy: (kind: OpenKind) => void;
  /**
   * On `idempotent` routes, if the request has an Idempotency-Key. No other request of its scope runs at the same time.
   * On a `stream` route the hash does not cover the body.
   */
  readonly idempotency?: Idempotency | undefined;
  /** Aborted with 503 when the service begins to shut down: what would wait for something returns what it has. */
  readonly draining: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  /** The body as text or bytes. It is JSON unless `headers` has another `content-type`. */
  readonly body: string | Uint8Array;
  /** Where the next page begins, for the link to it; `nextBy`: the parameter that takes it, by default `cursor`. */
  readonly next?: string | undefined;
  readonly nextBy?: 'after';
  /** Sent instead of `body`, as it is read. Not opened for HEAD. */
  readonly stream?: ResponseStream;
  /** By lower-case name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The text that a search looked for: counted each time that it is answered. */
  readonly searched?: SearchedText | undefined;
}

export interface ResponseStream {
  /** The exact number of bytes that `open` yields; undefined if it is not known before. */
  readonly sizeBytes: number | undefined;
  /** Once the signal is aborted, because the client is gone or the service shuts down, a live body ends. */
  readonly open: (signal: AbortSignal) => AsyncIterable<Uint8Array | string>;
  /** Fields that follow the body, by name; their values are asked for when it has ended. */
  readonly trailers?: { readonly names: readonly string[]; readonly values: () => Readonly<Record<string, string>> };
  /** A client that reads nothing for so long is disconnected. The default is 30 seconds. */
  readonly slowReaderMs?: number;
  /** The body has no end of its own: it is sent as it comes into being, and the request is measured until it begins. */
  readonly isLive?: true;
}
