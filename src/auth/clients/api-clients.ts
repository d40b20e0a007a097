import { invalidJson, ServiceError } from '../../contract/errors.ts';
import type { JsonObject, JsonValue } from '../../contract/json.ts';
import { scopeNames } from '../../contract/scopes.ts';
import { isJsonObject } from '../../domain/json/values.ts';
import type { ApiClient, ClientStore } from '../../domain/ports/client-store.ts';
import { isScopeName, splitScope, splitScopeText } from '../scopes.ts';
import { createSecret, hashSecret } from '../secrets.ts';

/** The body of a request that creates a client. */
interface ApiClientDraft {
  readonly name: string;
  /** `name:projectKey`, all of the one project, never empty. */
  readonly scopes: readonly string[];
}

/** An API client in a response: everything but the digest of its secret. */
interface ApiClientView {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** The scopes separated by spaces, as in token responses. */
  readonly scope: string;
  readonly createdAt: string;
  /** Until when the secret before the last rotation is accepted; absent where it is not any more. */
  readonly previousSecretUntil?: string;
  /** To the minute; absent where it was never used. */
  readonly lastUsedAt?: string;
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
  if (!isJsonObject(json)) throw invalidJson('expected a JSON object.');
  const unknown = Object.keys(json).find((field) => !['name', 'scopes', 'scope'].includes(field));
  if (unknown !== undefined) throw invalidJson(`${unknown.slice(0, 64)}: unknown field. Expected: name, scopes, scope`);
  const { name } = json;
  const scopes = scopesOf(json);
  if (name === undefined || name === null) throw invalidJson('name: Missing required value');
  if (typeof name !== 'string') throw invalidJson('name: expected a JSON string.');
  if (name.trim() === '' || name.length > maxNameChars)
    throw invalidJson(`name: expected 1 to ${maxNameChars} characters`);
  if (scopes === undefined || scopes === null) throw invalidJson('scopes: Missing required value');
  if (!Array.isArray(scopes) || scopes.length === 0)
    throw invalidJson('scopes: expected a JSON array with at least one scope.');
  const full = scopes.map((scope: JsonValue, index) => {
    if (typeof scope !== 'string') throw invalidJson(`scopes[${index}]: expected a JSON string.`);
    return parseClientScope(scope, projectKey);
  });
  return { name, scopes: [...new Set(full)] };
}

/** The list in `scopes`, or the text in `scope` with spaces between, as stock SDKs send it; not both. */
function scopesOf({ scopes, scope }: JsonObject): JsonValue | undefined {
  if (scope === undefined || scope === null) return scopes;
  if (scopes !== undefined && scopes !== null) throw invalidJson('scope: send it instead of scopes, not beside it');
  if (typeof scope !== 'string') throw invalidJson('scope: expected a JSON string.');
  const names = splitScopeText(scope);
  if (names.length === 0) throw invalidJson('scope: expected at least one scope, such as "view_test manage_test"');
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

/** The part of a client that may be shown, at a time, and with its last use where that is known. */
export function viewApiClient(
  { id, name, scopes, createdAtMs, previous }: ApiClient,
  nowMs: number,
  lastUsedAtMs?: number,
): ApiClientView {
  return {
    id,
    name,
    scopes,
    scope: scopes.join(' '),
    createdAt: isoOf(createdAtMs),
    ...(previous && nowMs < previous.untilMs && { previousSecretUntil: isoOf(previous.untilMs) }),
    ...(lastUsedAtMs !== undefined && { lastUsedAt: isoOf(lastUsedAtMs) }),
  };
}
