import { ServiceError } from '../../../contract/errors.ts';
import { tlsAdvice } from './tls.ts';

/** SQLSTATE codes, or classes of them, that the service knows (postgresql.org/docs/current/errcodes-appendix.html). */
export const sqlState = {
  uniqueViolation: '23505',
  serializationFailure: '40001',
  deadlock: '40P01',
  transactionAborted: '25P02',
  cancelled: '57014',
  readOnly: '25006',
  lockNotAvailable: '55P03',
  diskFull: '53100',
  notAllowed: '42501',
  noSchema: '3F000',
} as const;

/** Errors that values of a request cause. */
const refusedValues: ReadonlyMap<string, string> = new Map([
  ['22021', 'The text holds U+0000, which no stored text has.'],
  ['22P05', 'The text holds a character that cannot be stored.'],
  ['22003', 'A number is out of range.'],
  ['54000', 'The request holds more than one statement of the database can.'],
  ['54001', 'The conditions are nested too deeply.'],
]);

/** The SQLSTATE of an error of PostgreSQL, or the code of one of the socket. */
export function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

/** True where the server rolled a statement back, and its session goes on. */
export function isRefusal(error: unknown): boolean {
  return ((error ?? {}) as { severity?: unknown }).severity === 'ERROR';
}

/** True if the whole transaction may succeed when it runs again. */
export function isConflict(error: unknown): boolean {
  return codeOf(error) === sqlState.serializationFailure || codeOf(error) === sqlState.deadlock;
}

/** True if the server did not do the work: it is unreachable, starting, out of resources, or a standby. */
export function isUnavailable(error: unknown): boolean {
  const code = codeOf(error);
  // A certificate that has expired, or was replaced by one that is not trusted: another server may have a good one.
  if (tlsAdvice(error) !== undefined) return true;
  // Without a code: the errors of pg for sockets that ended. 08: connections; 57P: shutdown, start; 53: no resources.
  if (code === '') return /connection|timeout|not queryable/i.test(error instanceof Error ? error.message : '');
  if (/^(?:08|57P|53)/.test(code)) return code !== sqlState.diskFull;
  return code === sqlState.readOnly || code === sqlState.lockNotAvailable || /^E[A-Z_]+$/.test(code);
}

/** An attempt that failed later than this is not repeated: a server that does not respond would be waited for twice. */
const repeatWithinMs = 1000;

/** True if the server did not do the work, and said so at once. `begunMs` is of `performance.now`. */
export function isWorthRepeating(error: unknown, begunMs: number): boolean {
  return isUnavailable(error) && performance.now() - begunMs < repeatWithinMs;
}

/**
 * True for errors after which a connection is unusable. That does not include an unavailable lock, nor what a node of a
 * cluster says of its connection to another one: its session with us goes on.
 */
export function isBroken(error: unknown): boolean {
  const { severity } = (error ?? {}) as { severity?: unknown };
  if (severity === 'ERROR' && codeOf(error).startsWith('08')) return false;
  return isUnavailable(error) && codeOf(error) !== sqlState.lockNotAvailable;
}

/** 503 for a database that cannot be reached now. */
export function unavailable(message = 'The database cannot be reached. Try again.'): ServiceError {
  return new ServiceError('OverCapacity', message, {}, { 'retry-after': '1' });
}

/** Of a database that serves reads and refuses writes, until its operator or a failover makes it writable again. */
export const readOnlyText = 'The database is read-only at present, so nothing can be written; reads still work.';

/** 503 for a write whose outcome was lost. */
export function outcomeUnknown(): ServiceError {
  return new ServiceError(
    'OutcomeUnknown',
    'The connection to the database was lost while the write was being made durable, so it may or may not have been stored. Repeat it with the same Idempotency-Key, or read the resource, to find out.',
    {},
    { 'retry-after': '1' },
  );
}

/** The `ServiceError` for an error of the database; any other error is returned as it is. */
export function refusalOf(error: unknown): unknown {
  if (error instanceof ServiceError) return error;
  const code = codeOf(error);
  if (code === sqlState.diskFull) {
    const message =
      'The disk of the database is full. Nothing was stored. Reads still work; try again when there is room.';
    return new ServiceError('InsufficientStorage', message, {}, { 'retry-after': '30' });
  }
  if (code === sqlState.readOnly) {
    const message = `${readOnlyText} Try again later.`;
    return new ServiceError('OverCapacity', message, {}, { 'retry-after': '5' });
  }
  if (code === sqlState.cancelled) return unavailable('The database took too long. Try again.');
  const refused = refusedValues.get(code);
  if (refused !== undefined) return new ServiceError('InvalidInput', refused);
  if (isConflict(error)) return unavailable('Other writes were in the way. Try again.');
  return isUnavailable(error) ? unavailable() : error;
}
