import type { ApiClient } from '../domain/ports/client-store.ts';
import { splitScope } from './scopes.ts';
import type { VerifiedToken } from './verified-token.ts';

/** A client may look into its own tokens and into those for its project alone; the administrator into all. */
export function mayInspect(client: ApiClient, token: VerifiedToken): boolean {
  if (client.projectKey === undefined || token.caller.clientId === client.id) return true;
  return token.scopes.every((scope) => splitScope(scope)?.projectKey === client.projectKey);
}

/** A client may revoke its own tokens; the administrator all, to act on a leak. */
export function mayRevoke(client: ApiClient, token: VerifiedToken): boolean {
  return client.projectKey === undefined || token.caller.clientId === client.id;
}
