import { ServiceError } from '../contract/errors.ts';
import type { ActionRequest } from '../domain/ports/backend.ts';

/** 400: the backend of the project does not have this action (decision 26). */
export function unregistered({ action, projectKey }: ActionRequest): ServiceError {
  return new ServiceError('InvalidInput', `Action "${action}" is not registered for the project ${projectKey}.`);
}
