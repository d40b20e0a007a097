import type { ErrorCode } from '../contract/errors.ts';
import type { JsonObject, JsonValue } from '../contract/json.ts';
import type { Caller, ScopeName } from '../contract/scopes.ts';
import type { Eventually } from '../domain/ports/eventually.ts';

/**
 * A route as plain data: what it is for, who may call it, what it takes and answers, and its handler, together.
 * server.ts serves it, openapi.ts describes it. A route without `access` does not compile, and the boot fails too.
 */
export interface Route {
  readonly operationId: string;
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** In the form of find-my-way: `/:projectKey/resource/:id`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /**
   * `public`: no token is looked at. `client`: the handler authenticates the client itself (token endpoints).
   * A list: a bearer token with one of these scopes for the project of the path.
   */
  readonly access: 'public' | 'client' | readonly ScopeName[];
  readonly query?: ParameterTable;
  /** True: a parameter that the table lacks is 400 (decision 16); else it is ignored. */
  readonly strictQuery?: boolean;
  readonly headers?: readonly HeaderParameter[];
  readonly body?: RouteBody;
  readonly responses: Readonly<Record<number, ResponseDescription>>;
  /** Errors beside those every route of its access has. */
  readonly errors?: readonly ErrorCode[];
  /** An Idempotency-Key is honoured (decision 33). */
  readonly idempotent?: true;
  readonly handler: (request: ApiRequest) => Eventually<HttpResponse>;
}

/** JSON Schema (2020-12) as OpenAPI 3.1 uses it. */
export type Schema = { readonly [key: string]: unknown };

export interface RouteBody {
  /**
   * `json` is parsed strictly before the handler; `form` and `raw` reach it as bytes; `stream` as it arrives, with its
   * media type checked even where it is empty.
   */
  readonly kind: 'json' | 'form' | 'raw' | 'stream';
  readonly contentTypes: readonly string[];
  readonly required: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
  readonly maxBytes?: number;
}

export interface ResponseDescription {
  readonly description: string;
  /** Media type → schema and example; none for an answer without body. */
  readonly content?: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;
  readonly headers?: readonly string[];
}

export interface HeaderParameter {
  readonly name: string;
  readonly description: string;
  readonly required?: boolean;
  readonly pattern?: string;
}

export type ParameterType = 'string' | 'boolean' | 'integer' | 'number' | 'object';

/** Query parameters by name. A name that ends in `*` stands for a family and has a `pattern` for the whole name. */
export type ParameterTable = Readonly<Record<string, Parameter>>;

export interface Parameter {
  readonly type: ParameterType;
  readonly description: string;
  readonly repeatable?: true;
  readonly default?: string | number | boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: RegExp;
  readonly example?: unknown;
  /** Of a family: names that it takes, for whoever sends another. */
  readonly names?: string;
  /** A family without members of its own: there so that misspelled names are refused, and not described. */
  readonly guard?: true;
  /** An integer or number that is checked, but handed on as its text: a 64-bit value keeps every digit (decision 5). */
  readonly exact?: true;
}

/**
 * Query parameters after parsing, by name; families under their full names. Repeatable ones are arrays, never empty.
 * Integers and numbers are numbers (texts where `exact`), booleans booleans, `object` the JSON object or the object
 * made of `name[a]=…` pairs.
 */
export type QueryValues = ReadonlyMap<string, QueryValue>;
export type QueryValue = string | number | boolean | JsonObject | readonly string[];

/** Path parameters by name. */
export type Params = Readonly<Record<string, string>>;

export interface ApiRequest {
  readonly method: string;
  /** Path and query as sent. */
  readonly url: string;
  /** Empty where the path has none. Already checked against `projectKeyPattern`. */
  readonly projectKey: string;
  /** Path parameters, percent-decoded once. */
  readonly params: Params;
  readonly query: QueryValues;
  /** Lower-case names. A header that was sent twice and may not be was refused before. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The parsed body of a `json` route; undefined where it was empty. */
  readonly json: JsonValue | undefined;
  /** The body's bytes; empty where there was none. */
  readonly bytes: Uint8Array;
  /** The body of a `stream` route, to be read once: throws 413 beyond the limit, and where the client stops midway. */
  readonly stream?: AsyncIterable<Uint8Array> | undefined;
  /** Undefined on routes that are public. */
  readonly caller: Caller | undefined;
  readonly correlationId: string;
  /**
   * On `idempotent` routes, where the request has an Idempotency-Key: the scope to keep the answer under and what the
   * request was, in the forms of `IdempotentResponse`. No second request of the scope runs meanwhile. On a `stream` route
   * the hash is of the request without its body.
   */
  readonly idempotency?: { readonly scope: string; readonly requestHash: string } | undefined;
}

export interface HttpResponse {
  readonly status: number;
  /** A ready text (or bytes); JSON unless `contentType` says otherwise. */
  readonly body: string | Uint8Array;
  /** Sent instead of `body`, as it is read; not opened for HEAD. */
  readonly stream?: ResponseStream;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ResponseStream {
  /** Exactly what comes. */
  readonly sizeBytes: number;
  readonly open: () => AsyncIterable<Uint8Array>;
}
