import { randomBytes } from 'node:crypto';
import type { ClientStore } from '../../domain/ports/client-store.ts';
import { hashSecret, secretMatches } from '../secrets.ts';
import { invalidToken, type VerifiedToken } from '../token.ts';

/**
 * Keys that pages in browsers send as bearer tokens: anybody may know them, so that each is bound to view_published and to
 * origins. A key names its API client, and is checked in the store at most once a minute.
 */

/** No access token, and practically no secret, begins so: scanners tell keys from secrets by it. */
const prefix = 'grs_pub_';

/** The one scope of every key, whatever is stored. */
export const publishableScope = 'view_published';

export function createPublishableKey(clientId: string): string {
  return `${prefix}${clientId}.${randomBytes(24).toString('base64url')}`;
}

/** The id of the client that a text names as its key; undefined for what is not a publishable key. */
export function clientIdOfKey(text: string): string | undefined {
  return text.startsWith(prefix)
    ? text.slice(prefix.length, Math.max(prefix.length, text.lastIndexOf('.')))
    : undefined;
}

/** A key as a token that does not expire. Throws 401 `invalid_token`. */
export async function verifyPublishableKey(
  clients: Pick<ClientStore, 'getClient'>,
  text: string,
): Promise<VerifiedToken> {
  const { id = '', projectKey, publishable } = (await clients.getClient(clientIdOfKey(text)!)) ?? {};
  const isValid = secretMatches(text, publishable && hashSecret(publishable.key));
  if (!isValid || !publishable) {
    throw invalidToken('The publishable key is not valid. Its API client may have been deleted.');
  }
  const scopes = [`${publishableScope}:${projectKey}`];
  const caller = { clientId: id, jti: prefix + id, scopes: new Set(scopes), origins: new Set(publishable.origins) };
  return { caller, scopes, issuedAtMs: 0, expiresAtMs: Number.POSITIVE_INFINITY };
}
