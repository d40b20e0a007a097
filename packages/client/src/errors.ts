import type { Error as ErrorBody } from '../dist/api-types.js';

/** One entry of `errors` in a response: a code that keeps its meaning, a text for people, and more by code. */
export type ErrorDetail = ErrorBody['errors'][number];

/** A request that the service refused, or did not answer. All errors of the client are of this class. */
export class ServiceError extends Error {
  override readonly name: string = 'ServiceError';
  /** The HTTP status; 0 without a response. */
  readonly status: number;
  /** The code of the first error, such as `ResourceNotFound`. */
  readonly code: string;
  readonly errors: readonly ErrorDetail[];
  /** Names the request in the log of the service. */
  readonly correlationId: string | undefined;

  constructor(message: string, facts: ErrorFacts, options?: ErrorOptions) {
    super(message, options);
    this.status = facts.status;
    this.errors = facts.errors ?? [];
    this.code = facts.code ?? this.errors[0]?.code ?? 'Unknown';
    this.correlationId = facts.correlationId;
  }
}

export interface ErrorFacts {
  readonly status: number;
  readonly code?: string;
  readonly errors?: readonly ErrorDetail[];
  readonly correlationId?: string | undefined;
}

/** 400, 413, 415, 422, …: the request itself is wrong, and sending it again does not help. */
export class InvalidRequestError extends ServiceError {
  override readonly name = 'InvalidRequestError';
}

/** 401: no token, or one that is not valid; at the token endpoint, wrong credentials. */
export class AuthenticationError extends ServiceError {
  override readonly name = 'AuthenticationError';
}

/** 403: the token lacks a scope. */
export class PermissionError extends ServiceError {
  override readonly name = 'PermissionError';
}

/** 404. */
export class NotFoundError extends ServiceError {
  override readonly name = 'NotFoundError';
}

/** 409 or 412: the resource has another version than the request names, or exists where it must not. */
export class ConflictError extends ServiceError {
  override readonly name = 'ConflictError';

  /** The version that the resource has; undefined if the conflict is another. */
  get currentVersion(): number | undefined {
    return this.errors[0]?.currentVersion as number | undefined;
  }

  /** The top-level fields that changed since the version of the request, where the service still knows. */
  get changedFields(): readonly string[] | undefined {
    return this.errors[0]?.changedFields as readonly string[] | undefined;
  }
}

/** 429 or 503, after all retries: too many requests, or too much load. */
export class UnavailableError extends ServiceError {
  override readonly name = 'UnavailableError';
}

/** There was no response: the connection failed, or it took longer than the time limit. `cause` has the reason. */
export class ConnectionError extends ServiceError {
  override readonly name = 'ConnectionError';
}

function classOf(status: number): typeof ServiceError {
  if (status === 401) return AuthenticationError;
  if (status === 403) return PermissionError;
  if (status === 404) return NotFoundError;
  if (status === 409 || status === 412) return ConflictError;
  if (status === 429 || status === 503) return UnavailableError;
  return status < 500 ? InvalidRequestError : ServiceError;
}

/** The error of a response, whose body may come from a proxy and be anything. */
export function errorOf(status: number, body: unknown, correlationId: string | undefined): ServiceError {
  const { message, errors, error } = (typeof body === 'object' && body !== null ? body : {}) as Partial<ErrorBody>;
  const facts: ErrorFacts = {
    status,
    correlationId,
    ...(Array.isArray(errors) && { errors }),
    ...(!errors?.length && error !== undefined && { code: error }),
  };
  return new (classOf(status))(message ?? `The service responded with status ${status}.`, facts);
}
