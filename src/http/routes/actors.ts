import { ServiceError } from '../../contract/errors.ts';
import type { JsonObject } from '../../contract/json.ts';
import { ActorNames } from '../../domain/history/actor-names.ts';
import { conflictAuthor } from '../../domain/resource/write/preconditions.ts';
import type { ApiRequest, Route } from '../route.ts';
import type { RouteDeps } from './all.ts';

type ActorDeps = Pick<RouteDeps, 'clients'>;

/** The names of clients for a response to a caller who may list them; undefined for others. */
export function actorNamesFor(
  { clients }: ActorDeps,
  { caller, projectKey }: Pick<ApiRequest, 'caller' | 'projectKey'>,
): ActorNames | undefined {
  const maySee = caller?.scopes.has(`manage_api_clients:${projectKey}`);
  return maySee ? new ActorNames(clients, projectKey) : undefined;
}

/** Makes conflicts of routes say who made the current version, to callers who may see clients. */
export function nameConflictActors(deps: ActorDeps): NonNullable<Route['refine']> {
  return async (error, request) => {
    const author = error.details[conflictAuthor];
    const names = author === undefined ? undefined : actorNamesFor(deps, request);
    if (!names) return error;
    const { code, message, details, headers, status } = error;
    const actor = await names.named(author as JsonObject);
    return new ServiceError(code, message, { ...details, actor }, headers, status);
  };
}
