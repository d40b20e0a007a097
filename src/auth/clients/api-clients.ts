import {
  checkArray,
  checkBoolean,
  checkFields,
  checkObject,
  checkString,
  isAbsent,
  mismatch,
  missing,
} from '../../contract/check.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { JsonObject, JsonValue } from '../../contract/json.ts';
import { scopeNames } from '../../contract/scopes.ts';
import type { ApiClient, ClientStore } from '../../domain/ports/client-store.ts';
import { isScopeName, splitScope, splitScopeText } from '../scopes.ts';
import { createSecret, hashSecret } from '../secrets.ts';
import { createPublishableKey, publishableScope } from './publishable-keys.ts';

/** The body of a request that creates a client. */
interface ApiClientDraft {
  readonly name: string;
  /** `name:projectKey`, all of the one project, never empty. */
  readonly scopes: readonly string[];
  /** It gets a publishable key for pages of these origins, instead of a secret. */
  readonly origins?: readonly string[];
}

const maxOrigins = 50;

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
  const { publishable, origins } = checkObject(json, '');
  const saysWhether = !isAbsent(publishable) || !isAbsent(origins);
  const draft = checkFields(json, '', ['name', 'scopes', 'scope', ...(saysWhether ? ['publishable', 'origins'] : [])]);
  const isPublishable = saysWhether && checkBoolean(publishable, 'publishable');
  if (!isPublishable && !isAbsent(origins)) throw mismatch('origins', 'expected publishable: true beside it');
  if (isAbsent(draft.name)) throw missing('name');
  const name = checkString(draft.name, 'name');
  if (name.trim() === '' || name.length > maxNameChars)
    throw mismatch('name', `expected 1 to ${maxNameChars} characters`);
  const sent = scopesOf(draft);
  if (isPublishable) return { name, ...checkPublishable(draft, sent, projectKey) };
  if (isAbsent(sent)) throw missing('scopes');
  const scopes = checkArray(sent, 'scopes').map((scope, i) =>
    parseClientScope(checkString(scope, `scopes[${i}]`), projectKey),
  );
  if (scopes.length === 0) throw mismatch('scopes', 'expected at least one scope');
  return { name, scopes: [...new Set(scopes)] };
}

/** The scope and the origins of a client with a publishable key. */
function checkPublishable({ origins }: JsonObject, sent: JsonValue | undefined, projectKey: string) {
  const scope = `${publishableScope}:${projectKey}`;
  const others = isAbsent(sent)
    ? []
    : checkArray(sent, 'scopes').filter((each) => each !== scope && each !== publishableScope);
  if (others.length > 0) throw mismatch('scopes', `a publishable key has ${publishableScope} and no other scope`);
  const list = isAbsent(origins) ? [] : checkArray(origins, 'origins');
  if (list.length > maxOrigins) throw mismatch('origins', `expected at most ${maxOrigins}`);
  return { scopes: [scope], origins: [...new Set(list.map((origin, at) => checkOrigin(origin, `origins[${at}]`)))] };
}

function checkOrigin(value: JsonValue, place: string): string {
  const origin = checkString(value, place);
  // A host may have a * by the rules of addresses; no page has such an origin.
  const isOrigin = /^https?:[^*]+$/.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin;
  if (isOrigin) return origin;
  throw mismatch(place, 'expected an origin as browsers send it, such as https://shop.example.com');
}

/** The list in `scopes`, or the text in `scope` with spaces between, as stock SDKs send it; not both. */
function scopesOf({ scopes, scope }: JsonObject): JsonValue | undefined {
  if (isAbsent(scope)) return scopes;
  if (!isAbsent(scopes)) throw mismatch('scope', 'send it instead of scopes, not beside it');
  const names = splitScopeText(checkString(scope, 'scope'));
  if (names.length === 0) throw mismatch('scope', 'expected at least one scope, such as "view_test manage_test"');
  return names;
}

interface CreationDeps {
  readonly clients: ClientStore;
  readonly nowMs: () => number;
  readonly newId: () => string;
}

/** Creates a client with a new secret, which is not stored and so can be shown only now. */
export async function createApiClient(
  deps: CreationDeps,
  projectKey: string,
  { name, scopes }: Pick<ApiClientDraft, 'name' | 'scopes'>,
): Promise<{ readonly client: ApiClient; readonly secret: string }> {
  const secret = createSecret();
  const secretHash = hashSecret(secret);
  return { client: await create(deps, projectKey, () => ({ name, scopes, secretHash })), secret };
}

/** Creates a client with a publishable key for pages of some origins. */
export function createPublishableClient(
  deps: CreationDeps,
  projectKey: string,
  { name, scopes, origins = [] }: ApiClientDraft,
): Promise<ApiClient> {
  return create(deps, projectKey, (id) => {
    return { name, scopes, secretHash: '', publishable: { key: createPublishableKey(id), origins } };
  });
}

async function create(
  { clients, nowMs, newId }: CreationDeps,
  projectKey: string,
  fieldsOf: (id: string) => Omit<ApiClient, 'id' | 'projectKey' | 'createdAtMs'>,
): Promise<ApiClient> {
  const id = `${projectKey}.${newId()}`;
  const client: ApiClient = { id, projectKey, ...fieldsOf(id), createdAtMs: nowMs() };
  if (!(await clients.createClient(client))) throw new Error(`The new client id ${client.id} is taken.`);
  return client;
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
  { id, name, scopes, createdAtMs, previous, publishable }: ApiClient,
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
    ...(publishable && { publishable: true, ...publishable }),
    ...(previous && nowMs < previous.untilMs && { previousSecretUntil: isoOf(previous.untilMs) }),
    ...(lastUsedAtMs !== undefined && { lastUsedAt: isoOf(lastUsedAtMs) }),
  };
}
