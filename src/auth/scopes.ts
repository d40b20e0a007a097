import { ServiceError } from '../contract/errors.ts';
import { isProjectKey, type ScopeName, scopeTable, serviceScope } from '../contract/scopes.ts';
import type { ApiClient } from '../domain/ports/client-store.ts';
import type { VerifiedToken } from './token.ts';

/** Maximum characters of a refused scope, and of the scopes of a client, in a message. */
const maxShownChars = 80;
const maxShownScopes = 20;

/** A token is sent in a header; common proxies refuse one with more scopes than this. */
const maxScopeChars = 4096;

const implied: ReadonlyMap<string, readonly ScopeName[]> = new Map(
  Object.entries(scopeTable).map(([name, { implies }]) => [name, implies]),
);

/** True for a name of the scope table, exactly as it is written there. */
export function isScopeName(text: string): text is ScopeName {
  return implied.has(text);
}

/** The parts of `name:projectKey`; undefined where it is not exactly that, with a known name and a legal project key. */
export function splitScope(text: string): { readonly name: ScopeName; readonly projectKey: string } | undefined {
  const colon = text.indexOf(':');
  const name = text.slice(0, Math.max(colon, 0));
  const projectKey = text.slice(colon + 1);
  return isScopeName(name) && isProjectKey(projectKey) ? { name, projectKey } : undefined;
}

/**
 * The scopes with all that they imply in the same project (decision 28), and that of the service. Texts that are no scope
 * are left out.
 */
export function expandScopes(scopes: readonly string[]): ReadonlySet<string> {
  const expanded = new Set<string>();
  for (const scope of scopes) {
    if (scope === serviceScope) expanded.add(scope);
    const parts = splitScope(scope);
    if (!parts) continue;
    expanded.add(scope);
    for (const name of implied.get(parts.name)!) expanded.add(`${name}:${parts.projectKey}`);
  }
  return expanded;
}

/** The scopes of a `scope` parameter: separated by spaces, each once, in the order given. */
export function splitScopeText(text: string): readonly string[] {
  return [...new Set(text.split(' ').filter((scope) => scope !== ''))];
}

function invalidScope(message: string): ServiceError {
  return new ServiceError('invalid_scope', message);
}

const nameScopes =
  'Malformed parameter: scope: This client may request any scope of any project. Name those that you need, for example scope=manage_project:my-shop.';

/**
 * The scopes of a token for the client. Omitted (or empty, RFC 6749 §3.3): all that the client has. A client may request
 * a narrower scope that one of its own implies; any other request is refused as a whole, never silently reduced.
 */
export function grantScopes(client: ApiClient, requested: string | undefined): readonly string[] {
  const scopes = splitScopeText(requested ?? '');
  if (scopes.length === 0) {
    if (client.projectKey === undefined) throw invalidScope(nameScopes);
    return client.scopes;
  }
  if (requested!.length > maxScopeChars) {
    throw invalidScope(
      `Malformed parameter: scope: At most ${maxScopeChars} characters fit into a token; request several tokens.`,
    );
  }
  const held = client.projectKey === undefined ? undefined : expandScopes(client.scopes);
  const isForAdmin = (scope: string) => scope === serviceScope || splitScope(scope) !== undefined;
  const refused = scopes.find((scope) => !(held ? held.has(scope) : isForAdmin(scope)));
  if (refused !== undefined) throw refusedScope(refused, held);
  return scopes;
}

/** Names the scope that is refused, and what may be requested: what the client has (`held`), or the form of a scope. */
function refusedScope(scope: string, held: ReadonlySet<string> | undefined): ServiceError {
  // Only what RFC 6749 §5.2 allows in an error_description.
  const shown = scope.slice(0, maxShownChars).replaceAll(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, '?');
  const names = [...implied.keys()].join(', ');
  const form = `A scope is one of ${names}, then a colon and the project key, for example manage_project:my-shop.`;
  const all = [...(held ?? [])];
  const some = all.slice(0, maxShownScopes).join(', ');
  const request = `This client may request ${some}${all.length > maxShownScopes ? ' and others' : ''}.`;
  return invalidScope(`Malformed parameter: scope: Invalid scope. '${shown}' is refused. ${held ? request : form}`);
}

/** A client may inspect its own tokens and those for its project alone; the administrator may inspect all. */
export function mayInspect(client: ApiClient, token: VerifiedToken): boolean {
  if (client.projectKey === undefined || token.caller.clientId === client.id) return true;
  return token.scopes.every((scope) => splitScope(scope)?.projectKey === client.projectKey);
}

/** A client may revoke its own tokens; the administrator may revoke all, to act on a leak. */
export function mayRevoke(client: ApiClient, token: VerifiedToken): boolean {
  return client.projectKey === undefined || token.caller.clientId === client.id;
}
