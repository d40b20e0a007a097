/** Who calls, from a verified token. */
export interface Caller {
  readonly clientId: string;
  /** Identifies the token, for its revocation. */
  readonly jti: string;
  /** `name:projectKey`, with all that these imply (decision 28): a check is one look-up of the exact text. */
  readonly scopes: ReadonlySet<string>;
}
