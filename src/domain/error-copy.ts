import { type ErrorCode, ServiceError } from '../contract/errors.ts';

/** An error as plain data, for another thread: what a clone keeps of a `ServiceError` is its text. */
export type ErrorCopy =
  | {
      readonly code: ErrorCode;
      readonly message: string;
      readonly details: Readonly<Record<string, unknown>>;
      readonly headers: Readonly<Record<string, string>>;
      readonly status: number;
    }
  | { readonly code: undefined; readonly message: string };

/** Copies an error for another thread. */
export function copyError(error: unknown): ErrorCopy {
  if (!(error instanceof ServiceError)) {
    return { code: undefined, message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  const { code, message, details, headers, status } = error;
  return { code, message, details, headers, status };
}

/** The error that was copied. Of one of our own faults the message is its stack. */
export function errorOfCopy(copy: ErrorCopy): Error {
  if (copy.code === undefined) return new Error(copy.message);
  return new ServiceError(copy.code, copy.message, copy.details, copy.headers, copy.status);
}
