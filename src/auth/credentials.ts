import { ServiceError } from '../contract/errors.ts';
import type { ApiClient, ClientStore } from '../domain/ports/client-store.ts';
import type { Parameters } from './parameters.ts';
import { secretMatches } from './secrets.ts';

export interface Credentials {
  readonly clientId: string;
  readonly secret: string;
}

function invalidClient(
  message = 'Please provide valid client credentials using HTTP Basic Authentication.',
): ServiceError {
  return new ServiceError('invalid_client', message);
}

/** Undefined where the text is not valid percent-encoding: then it was not form-encoded. */
function formDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/**
 * Reads `Authorization: Basic`. RFC 6749 §2.3.1 has both parts form-encoded before they are joined, but most clients do
 * not do that: returns the raw reading first, and the decoded one second where it differs.
 */
export function parseBasic(header: string): readonly Credentials[] {
  const match = /^basic +([A-Za-z0-9+/_-]+={0,2}) *$/i.exec(header);
  const text = match ? Buffer.from(match[1]!, 'base64').toString('utf8') : '';
  const colon = text.indexOf(':');
  if (colon < 0) throw invalidClient();
  const raw = { clientId: text.slice(0, colon), secret: text.slice(colon + 1) };
  if (raw.clientId === '' || raw.secret === '') throw invalidClient('Client credentials are missing.');
  const clientId = formDecode(raw.clientId);
  const secret = formDecode(raw.secret);
  if (clientId === undefined || secret === undefined) return [raw];
  return clientId === raw.clientId && secret === raw.secret ? [raw] : [raw, { clientId, secret }];
}

/** The credentials of a token request, by HTTP Basic or in the form, never by both (RFC 6749 §2.3). */
export function readCredentials(authorization: string | undefined, parameters: Parameters): readonly Credentials[] {
  const clientId = parameters.get('client_id');
  const secret = parameters.get('client_secret');
  if (authorization === undefined) {
    if (!clientId || !secret) throw invalidClient();
    return [{ clientId, secret }];
  }
  const candidates = parseBasic(authorization);
  if (secret !== undefined || (clientId !== undefined && !candidates.some((given) => given.clientId === clientId))) {
    throw new ServiceError(
      'invalid_request',
      'Send client credentials by HTTP Basic Authentication or in the form, not both.',
    );
  }
  return candidates;
}

/** Counts failed attempts to authenticate. `check` throws 429 once there were too many. */
export interface LoginLimit {
  check(clientId: string): void;
  failed(clientId: string): void;
  succeeded(clientId: string): void;
}

/**
 * The client that one of the readings belongs to. Throws 401 `invalid_client`, or what the limit throws. From the check of
 * the limit to the end nothing waits, so attempts at the same time cannot all pass before one is counted. An unknown
 * client costs about the time of a known one: the digest is made and compared all the same. `nowMs` decides whether the
 * secret before a rotation is still accepted; without it, it is not.
 */
export async function authenticateClient(
  clients: ClientStore,
  candidates: readonly Credentials[],
  limit?: LoginLimit,
  nowMs = Number.POSITIVE_INFINITY,
): Promise<ApiClient> {
  const found: (ApiClient | undefined)[] = [];
  for (const { clientId } of candidates) found.push(await clients.getClient(clientId));
  const { clientId } = candidates[0]!;
  limit?.check(clientId);
  for (const [i, { secret }] of candidates.entries()) {
    const client = found[i];
    const isKnown = secretMatches(secret, client?.secretHash) || isPrevious(secret, client?.previous, nowMs);
    if (!isKnown || !client) continue;
    limit?.succeeded(clientId);
    return client;
  }
  limit?.failed(clientId);
  throw invalidClient();
}

function isPrevious(secret: string, previous: ApiClient['previous'], nowMs: number): boolean {
  return previous !== undefined && nowMs < previous.untilMs && secretMatches(secret, previous.secretHash);
}
