import type { Caller } from '../contract/caller.ts';
import { ServiceError } from '../contract/errors.ts';

/** A token whose signature and claims hold. Whether it is revoked is not known yet. */
export interface VerifiedToken {
  readonly caller: Caller;
  /** As granted, not expanded. */
  readonly scopes: readonly string[];
  readonly issuedAtMs: number;
  readonly expiresAtMs: number;
}

/** 401 `invalid_token`. */
export function invalidToken(message = 'The access token is not valid.'): ServiceError {
  return new ServiceError('invalid_token', message);
}

/** The refusal of a token that is past its time. */
export function expiredToken(): ServiceError {
  return invalidToken('The access token has expired.');
}
