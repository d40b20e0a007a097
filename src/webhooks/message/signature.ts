import { createHmac } from 'node:crypto';

/** Signatures of the Standard Webhooks specification 1.0.0, symmetric (`v1`). */

export const secretPrefix = 'whsec_';

/** Makes a secret: `whsec_` and the base64 of 32 random bytes. */
export function createSecret(randomBytes: (size: number) => Uint8Array): string {
  return secretPrefix + Buffer.from(randomBytes(32)).toString('base64');
}

/** A secret: the prefix, and the base64 of 24 to 64 bytes with the one padding that its length has. */
export const secretForm =
  /^whsec_(([A-Za-z0-9+/]{4}){8,21}([A-Za-z0-9+/][AQgw]==)?|([A-Za-z0-9+/]{4}){8,20}[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)$/;

/** What is wrong with the text of a secret; undefined if nothing is. */
export function secretProblem(text: string): string | undefined {
  return secretForm.test(text) ? undefined : `expected ${secretPrefix} and the base64 of 24 to 64 bytes`;
}

/** A message as it is signed. */
export interface SignedMessage {
  /** Does not change from attempt to attempt. Has no full stop in it. */
  readonly id: string;
  /** Of the attempt. */
  readonly timestampSeconds: number;
  readonly body: string;
}

/** The three header fields of a delivery, with a signature by each of the secrets. */
export function signedHeaders(message: SignedMessage, secrets: readonly string[]): Record<string, string> {
  const { id, timestampSeconds, body } = message;
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestampSeconds}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signatures.join(' '),
  };
}
