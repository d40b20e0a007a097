import { checkArray, checkFields, checkString, isAbsent, mismatch, missing } from '../../contract/check.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { JsonObject, JsonValue } from '../../contract/json.ts';
import { scopeNames } from '../../contract/scopes.ts';
import type { ApiClient, ClientStore } from '../../domain/ports/client-store.ts';
import { isScopeName, splitScope, splitScopeText } from '../scopes.ts';
import { createSecret, hashSecret } from '../secrets.ts';

/** The body of a request that creates a client. */
interface ApiClientDraft {
  readonly name: string;
  /** `name:projectKey`, all of the one project, never empty. */
  readonly scopes: readonly string[];
}

const maxNameChars = 256;

/** One scope of a draft, written `view_test` or `view_test:my-shop`, in its full form. Throws 400 for any other text. */
export function parseClientScope(text: string, projectKey: string): string {
  if (isScopeName(text)) return `${text}:${projectKey}`;
  if (splitScope(text)?.projectKey === projectKey) return text;
  const message = `The value '${text.slice(0, 128)}' is not valid for field scopes: a client has scopes of its own project only: ${scopeNames.join(', ')}, each with or without :${projectKey} behind it.`;
  const details = { field: 'scopes', invalidValue: text.slice(0, 128), allowedValues: scopeNames };
  throw new ServiceError('InvalidField', message, details);
}

/** Checks the body of a create request. Throws 400 that names the field. */
export function parseClientDraft(json: JsonValue | undefined, projectKey: string): ApiClientDraft {
  const draft = checkFields(json, '', ['name', 'scopes', 'scope']);
  if (isAbsent(draft.name)) throw missing('name');
  const name = checkString(draft.name, 'name');
  if (name.trim() === '' || name.length > maxNameChars)
    throw mismatch('name', `expected 1 to ${maxNameChars} characters`);
  const sent = scopesOf(draft);
  if (isAbsent(sent)) throw missing('scopes');
  const scopes = checkArray(sent, 'scopes').map((scope, i) =>
    parseClientScope(checkString(scope, `scopes[${i}]`), projectKey),
  );
  if (scopes.length === 0) throw mismatch('scopes', 'expected at least one scope');
  return { name, scopes: [...new Set(scopes)] };
}

/** The list in `scopes`, or the text in `scope` with spaces between, as stock SDKs send it; not both. */
function scopesOf({ scopes, scope }: JsonObject): JsonValue | undefined {
  if (isAbsent(scope)) return scopes;
  if (!isAbsent(scopes)) throw mismatch('scope', 'send it instead of scopes, not beside it');
  const names = splitScopeText(checkString(scope, 'scope'));
  if (names.length === 0) throw mismatch('scope', 'expected at least one scope, such as "view_test manage_test"');
  return names;
}

/** Creates a client with a new secret, which is not stored and so can be shown only now. */
export async function createApiClient(
  deps: { readonly clients: ClientStore; readonly nowMs: () => number; readonly newId: () => string },
  projectKey: string,
  draft: ApiClientDraft,
): Promise<{ readonly client: ApiClient; readonly secret: string }> {
  const secret = createSecret();
  const client: ApiClient = {
    id: `${projectKey}.${deps.newId()}`,
    projectKey,
    ...draft,
    secretHash: hashSecret(secret),
    createdAtMs: deps.nowMs(),
  };
  if (!(await deps.clients.createClient(client))) throw new Error(`The new client id ${client.id} is taken.`);
  return { client, secret };
}

/** The client, if it belongs to the project. */
export async function getApiClient(
  clients: ClientStore,
  projectKey: string,
  clientId: string,
): Promise<ApiClient | undefined> {
  const client = await clients.getClient(clientId);
  return client?.projectKey === projectKey ? client : undefined;
}

const isoOf = (ms: number) => new Date(ms).toISOString();

/**
 * A client in a response, at a time: everything but the digest of its secret, and to the minute its last use, where that is
 * known. `previousSecretUntil`: so long the secret before the last rotation is accepted.
 */
export function viewApiClient(
  { id, name, scopes, createdAtMs, previous }: ApiClient,
  nowMs: number,
  lastUsedAtMs?: number,
) {
  return {
    id,
    name,
    scopes,
    // As in token responses.
    scope: scopes.join(' '),
    createdAt: isoOf(createdAtMs),
    ...(previous && nowMs < previous.untilMs && { previousSecretUntil: isoOf(previous.untilMs) }),
    ...(lastUsedAtMs !== undefined && { lastUsedAt: isoOf(lastUsedAtMs) }),
  };
}
