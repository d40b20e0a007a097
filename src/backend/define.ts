/**
 * All that the author of a backend module needs: the types of requests and responses, and `defineBackend`.
 * A module has the result of `defineBackend` as its default export.
 */
import { type ActionName, actionNames } from '../contract/backend-actions.ts';
import type { JsonValue } from '../contract/json.ts';

export type { ActionName, JsonValue };

/** A call of a backend action. Integers beyond ±2⁵³ in `json` are raw numbers (`JSON.rawJSON`) that keep their digits. */
export interface ModuleRequest {
  readonly projectKey: string;
  readonly action: ActionName;
  readonly query: URLSearchParams;
  /** The body; undefined where the backend action has none. */
  readonly json: JsonValue | undefined;
  /** By lower-case name; without credentials. With `if-match` and `if-none-match`, except for calls for a cart. */
  readonly headers: Readonly<Record<string, string>>;
  readonly clientId: string;
  readonly externalUserId: string | undefined;
  readonly correlationId: string;
  readonly idempotencyKey: string | undefined;
  /** Aborted when the time is over: the response will be ignored. */
  readonly signal: AbortSignal;
  /** The resources of the project, with the rights of the caller. */
  readonly resources: ModuleResources;
}

/** A resource, with integers beyond ±2⁵³ as `bigint`. */
interface AnyResource {
  readonly id: string;
  readonly version: number;
  readonly key?: string;
  // biome-ignore lint/suspicious/noExplicitAny: a resource has fields of any shape.
  readonly [field: string]: any;
}
type ResourceTarget = { readonly id: string } | { readonly key: string };
/** A predicate; with values that a user typed by the template `where` of the client package, which quotes them. */
type Where = string | { toString(): string };

interface ListOptions {
  readonly where?: Where | readonly Where[];
  readonly variables?: Readonly<Record<string, string | number | boolean>>;
  readonly sort?: string | readonly string[];
  readonly limit?: number;
  readonly staged?: boolean;
}

/**
 * The resources of a project: the client package, bound to the caller. Each call is a request of the caller, with its token, its user and
 * its correlation id, and throws an error with `status` and `code` where the service refuses it.
 */
export interface ModuleResources {
  get(target: ResourceTarget): Promise<AnyResource>;
  /** Undefined where there is none. */
  find(target: ResourceTarget): Promise<AnyResource | undefined>;
  list(options?: ListOptions): Promise<{ readonly results: readonly AnyResource[]; readonly total?: number }>;
  all(options?: ListOptions): AsyncIterable<AnyResource>;
  exists(where?: Where): Promise<boolean>;
  create(draft: object): Promise<AnyResource>;
  save(draft: object): Promise<AnyResource>;
  merge(draft: object): Promise<AnyResource>;
  replace(draft: object): Promise<AnyResource>;
  update(
    target: ResourceTarget,
    actions: readonly object[] | ((current: AnyResource) => readonly object[]),
    options?: { readonly version?: number },
  ): Promise<AnyResource>;
  delete(target: ResourceTarget, options?: { readonly version?: number }): Promise<AnyResource>;
  batch(operations: readonly object[]): Promise<{ readonly results: readonly object[] }>;
}

/** A response. 304 is for reads with `if-none-match`. A `status` of 400, 404, 409, 410, 412 or 422 refuses, with `body` as details for the client. */
export interface ModuleResponse {
  /** 200 by default. Any 2xx except 204, 205 and 206, which have no whole body, or one of the refusals. */
  readonly status?: number;
  /** Any value that JSON can represent. */
  readonly body: unknown;
  /** The entity tag, with its quotes: `"v7"`. */
  readonly etag?: string;
}

export type ActionHandler = (request: ModuleRequest) => ModuleResponse | Promise<ModuleResponse>;

/** The handlers of a module. A backend action without one is 400 for the client. */
export interface BackendModule {
  readonly handlers: Readonly<Partial<Record<ActionName, ActionHandler>>>;
}

/** Defines a backend. Throws where the definition is invalid. */
export function defineBackend(backend: BackendModule): BackendModule {
  const problem = backendProblem(backend);
  if (problem !== undefined) throw new Error(`Backend: ${problem}`);
  return backend;
}

/** Why a value is not a valid backend; undefined where it is. */
export function backendProblem(value: unknown): string | undefined {
  const handlers = (value as BackendModule | undefined)?.handlers;
  if (typeof handlers !== 'object' || handlers === null) return 'expected an object with handlers';
  const entries = Object.entries(handlers);
  if (entries.length === 0) return 'expected at least one handler';
  for (const [name, handler] of entries) {
    const isKnown = (actionNames as readonly string[]).includes(name);
    if (!isKnown) return `handlers: ${name}: expected one of ${actionNames.join(', ')}`;
    if (typeof handler !== 'function') return `handlers: ${name}: expected a function`;
  }
  return undefined;
}
