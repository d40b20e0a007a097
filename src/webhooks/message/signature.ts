import { createHmac } from 'node:crypto';

/** Signatures of the Standard Webhooks specification 1.0.0, symmetric (`v1`). */

export const secretPrefix = 'whsec_';
const leastSecretBytes = 24;
const mostSecretBytes = 64;

/** Makes a secret: `whsec_` and the base64 of 32 random bytes. */
export function createSecret(randomBytes: (size: number) => Uint8Array): string {
  return secretPrefix + Buffer.from(randomBytes(32)).toString('base64');
}

/** What is wrong with the text of a secret; undefined if nothing is. */
export function secretProblem(text: string): string | undefined {
  const expected = `${secretPrefix} and the base64 of ${leastSecretBytes} to ${mostSecretBytes} bytes expected`;
  if (!text.startsWith(secretPrefix)) return expected;
  const encoded = text.slice(secretPrefix.length);
  const bytes = Buffer.from(encoded, 'base64');
  // What Node skips while it decodes, or takes as the other alphabet, receivers may refuse.
  if (bytes.toString('base64') !== encoded) return expected;
  return bytes.length < leastSecretBytes || bytes.length > mostSecretBytes ? expected : undefined;
}

/** A message as it is signed. */
export interface SignedMessage {
  /** The same in every attempt. Without a full stop. */
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
