/** How long an outside issuer may take to answer, ms. */
export const fetchTimeoutMs = 5000;

/** A discovery document (OpenID Connect Discovery 1.0), of which only the issuer is checked. */
export type DiscoveryDocument = { readonly issuer: string } & Readonly<Record<string, unknown>>;

/** Fetches the discovery document of an issuer. Throws if it is missing or belongs to another issuer. */
export async function discover(issuer: string): Promise<DiscoveryDocument> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const response = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(fetchTimeoutMs) });
  const document = (await response.json()) as DiscoveryDocument | null;
  if (document?.issuer === issuer) return document;
  throw new Error(`The discovery document of ${issuer} names another issuer.`);
}
