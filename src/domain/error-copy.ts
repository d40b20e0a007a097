import { type ErrorCode, ServiceError } from '../contract/errors.ts';
import { DamagedData, type DamagePlace } from './damaged-data.ts';

/** An error as plain data, for another thread: what a clone keeps of a `ServiceError` is its text. */
export type ErrorCopy =
  | {
      readonly code: ErrorCode;
      readonly message: string;
      readonly details: Readonly<Record<string, unknown>>;
      readonly headers: Readonly<Record<string, string>>;
      readonly status: number;
      /** The stack of what caused it, for the log. */
      readonly cause?: string | undefined;
      readonly place?: DamagePlace | undefined;
    }
  | { readonly code: undefined; readonly message: string };

/** Copies an error for another thread. */
export function copyError(error: unknown): ErrorCopy {
  if (!(error instanceof ServiceError)) return { code: undefined, message: stackOf(error) };
  const { code, message, details, headers, status, cause } = error;
  const place = error instanceof DamagedData ? error.place : undefined;
  return { code, message, details, headers, status, place, cause: cause === undefined ? undefined : stackOf(cause) };
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** The error that was copied. Of one of our own faults the message is its stack. */
export function errorOfCopy(copy: ErrorCopy): Error {
  if (copy.code === undefined) return new Error(copy.message);
  if (copy.place) return new DamagedData(copy.message, copy.place);
  const error = new ServiceError(copy.code, copy.message, copy.details, copy.headers, copy.status);
  return copy.cause === undefined ? error : Object.assign(error, { cause: new Error(copy.cause) });
}
