import { checkFields, checkOverlap, optional } from '../../contract/check.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { JsonValue } from '../../contract/json.ts';
import type { ApiClient, ClientStore } from '../../domain/ports/client-store.ts';
import { createSecret, hashSecret } from '../secrets.ts';
import { getApiClient } from './api-clients.ts';

const noSecret =
  'The API client has a publishable key, and no secret. Create another one, let the pages use its key, then delete this one.';

/** Checks the body of a rotation; returns the seconds for which the previous secret stays valid, 0 by default. Throws 400. */
export function parseRotation(json: JsonValue | undefined): number {
  if (json === undefined) return 0;
  return optional(checkFields(json, '', ['overlapSeconds']), 'overlapSeconds', '', checkOverlap) ?? 0;
}

/**
 * Gives a client of the project a new secret, which can be shown only now. The one before is valid for `overlapSeconds`
 * more; one that was itself replaced before is not. Tokens stay valid. Undefined where there is no such client.
 */
export async function rotateSecret(
  { clients, nowMs }: { readonly clients: ClientStore; readonly nowMs: () => number },
  projectKey: string,
  clientId: string,
  overlapSeconds: number,
): Promise<{ readonly client: ApiClient; readonly secret: string } | undefined> {
  for (;;) {
    const client = await getApiClient(clients, projectKey, clientId);
    if (!client) return undefined;
    if (client.publishable) throw new ServiceError('InvalidOperation', noSecret);
    const secret = createSecret();
    const { previous: _, secretHash, ...rest } = client;
    const untilMs = nowMs() + overlapSeconds * 1000;
    const rotated: ApiClient = {
      ...rest,
      secretHash: hashSecret(secret),
      ...(overlapSeconds > 0 && { previous: { secretHash, untilMs } }),
    };
    // Two concurrent rotations run one after the other.
    if (await clients.replaceClient(client, rotated)) return { client: rotated, secret };
  }
}
