import * as errors from 'jose/errors';
import { ServiceError } from '../contract/errors.ts';
import type { Caller } from '../contract/scopes.ts';

/** The part that tokens of this service and of an outside issuer share. */

/** The longest lifetime that the settings allow. Keys and revocations outlive every token, even if the setting changes. */
export const maxTokenLifetimeSeconds = 172_800;

/** How far the clocks of the processes may differ. */
export const clockToleranceSeconds = 5;

/**
 * How far in the future a token of ours may have been issued: by a process that started before the clock was set back, or on
 * a machine whose clock is ahead. It is valid that much longer at most (decision 29).
 */
export const clockSkewSeconds = 3600;

/** How long after a point in time the last token issued at it can still be valid, with a margin. */
export const tokensOutliveMs = (maxTokenLifetimeSeconds + clockSkewSeconds + 300) * 1000;

/** Longer texts are refused before anything is decoded. */
export const maxTokenChars = 8192;

/** A token whose signature and claims are valid. Whether it is revoked is not known yet. */
export interface VerifiedToken {
  readonly caller: Caller;
  /** The scopes as granted, not expanded. */
  readonly scopes: readonly string[];
  readonly issuedAtMs: number;
  readonly expiresAtMs: number;
}

/** 401 `invalid_token`. */
export function invalidToken(message = 'The access token is not valid.'): ServiceError {
  return new ServiceError('invalid_token', message);
}

/** The error to throw for what jose threw: 401 for a bad token; any other error as it is. */
export function tokenError(error: unknown): unknown {
  if (error instanceof errors.JWTExpired) return invalidToken('The access token has expired.');
  return error instanceof errors.JOSEError ? invalidToken() : error;
}
