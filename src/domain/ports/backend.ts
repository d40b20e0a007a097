import type { ActionName } from '../../contract/backend-actions.ts';
import type { JsonValue } from '../../contract/json.ts';

/** A request to the service itself. */
export interface ServiceCall {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

export interface ServiceResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** Sends a request through the service, as one of the caller: with its token, its user and its correlation id. */
export type CallService = (call: ServiceCall) => Promise<ServiceResponse>;

/** A call of one of the backend actions E14–E18 (decision 26). */
export interface ActionRequest {
  readonly projectKey: string;
  readonly action: ActionName;
  /** The query as sent, without `?`; well-formed. */
  readonly query: string;
  /** The parsed body; undefined where the backend action has none. */
  readonly json: JsonValue | undefined;
  /**
   * Headers that a backend may see, by lower-case name. Never a credential. `if-match` and `if-none-match` are well-formed;
   * calls for a cart have none, as the tag of a cart is made here (decision 91).
   */
  readonly headers: Readonly<Record<string, string>>;
  readonly correlationId: string;
  readonly clientId: string;
  readonly externalUserId: string | undefined;
  /** For code of the operator in this process. */
  readonly callService?: CallService | undefined;
  /** Where the request has an Idempotency-Key: the key, and what its response is stored under (decision 33). */
  readonly idempotency?: { readonly key: string; readonly scope: string; readonly requestHash: string } | undefined;
}

/** A status from 200 to 299 that has a body, and the body, a JSON text; or 304 and none, to a read with a condition. */
export interface ActionResponse {
  readonly status: number;
  readonly body: string;
  /** The entity tag of the body, if it has one. */
  readonly etag?: string | undefined;
}

/**
 * Carries out the backend actions of a project. Throws `ServiceError`: `InvalidInput` (no such action), `CartConflict`,
 * `BackendRefused`, `BackendFailed`, `BackendTimedOut`, `OverCapacity`, and those of a write to the store.
 */
export interface Backend {
  call(request: ActionRequest): Promise<ActionResponse>;
}

/** The backend of each project, as the operator configured it. Must be closed. */
export interface Backends {
  of(projectKey: string): Backend;
  /** The name of that backend in the metrics, which is the project key for one of its own; and its kind. */
  describe(projectKey: string): { readonly name: string; readonly kind: 'local' | 'http' | 'module' };
  close(): void;
}
