/** A person whom an outside issuer knows, and who is not in the store: what the issuer said is kept in the session. */
export interface OutsidePerson {
  /** `oidc:` and the subject. No client of this service has such an id. */
  readonly id: string;
  readonly name: string;
  /** `name:projectKey`, never empty. */
  readonly scopes: readonly string[];
  /** When the login ends, ms since the epoch: then the issuer is asked again. */
  readonly endsAtMs: number;
}

/** Before the packed text: a text of this form is no scope, so that it opens nothing. */
const prefix = 'console-person:';

/** A person as a text of a token, without the id, which is the client id of the token. */
export function packPerson({ name, scopes, endsAtMs }: OutsidePerson): string {
  return prefix + Buffer.from(JSON.stringify([name, endsAtMs, ...scopes])).toString('base64url');
}

/** The person of a token with these scopes, which this service has signed; undefined where it is a client's. */
export function unpackPerson(id: string, tokenScopes: readonly string[]): OutsidePerson | undefined {
  const packed = tokenScopes.find((scope) => scope.startsWith(prefix));
  if (packed === undefined) return undefined;
  const text = Buffer.from(packed.slice(prefix.length), 'base64url').toString();
  const [name, endsAtMs, ...scopes] = JSON.parse(text) as [string, number, ...string[]];
  return { id, name, scopes, endsAtMs };
}
