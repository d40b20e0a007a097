import { ServiceError } from '../contract/errors.ts';
import type { ActionRequest } from '../domain/ports/backend.ts';

/** 502: the backend could not be reached or sent no usable response. The cause is for the log only. */
export function backendFailed(problem: string, cause?: unknown): ServiceError {
  const error = new ServiceError('BackendFailed', `The backend ${problem}.`);
  if (cause !== undefined) error.cause = cause;
  return error;
}

/** 504: the backend did not respond in time. */
export function backendTimedOut(timeoutMs: number): ServiceError {
  return new ServiceError('BackendTimedOut', `The backend did not respond within ${timeoutMs} ms.`);
}

/** 400: the backend of the project does not have this backend action (decision 26). */
export function unregistered({ action, projectKey }: ActionRequest): ServiceError {
  return new ServiceError('InvalidInput', `Action "${action}" is not registered for the project ${projectKey}.`);
}
