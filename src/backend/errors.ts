import { ServiceError } from '../contract/errors.ts';
import type { ActionRequest } from '../domain/ports/backend.ts';

/** A refusal whose cause is for the log only: a client learns nothing of the backend but that it failed. */
function withCause(error: ServiceError, cause: unknown): ServiceError {
  if (cause !== undefined) error.cause = cause;
  return error;
}

/** 502: the backend could not be reached or gave no usable answer. */
export function backendFailed(problem: string, cause?: unknown): ServiceError {
  return withCause(new ServiceError('BackendFailed', `The backend ${problem}.`), cause);
}

/** 504: the backend gave no answer in time. */
export function backendTimedOut(timeoutMs: number): ServiceError {
  return new ServiceError('BackendTimedOut', `The backend gave no answer within ${timeoutMs} ms.`);
}

/** 400: the backend of the project does not have this action (decision 26). */
export function unregistered({ action, projectKey }: ActionRequest): ServiceError {
  return new ServiceError('InvalidInput', `Action "${action}" is not registered for the project ${projectKey}.`);
}
