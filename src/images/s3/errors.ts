import { ServiceError } from '../../contract/errors.ts';

/** The storage did not do what it was asked for. */
export class S3Error extends Error {
  /** Of its answer; undefined where there was none. */
  readonly status: number | undefined;
  /** The word of its error, such as `SlowDown`. */
  readonly code: string | undefined;
  /** True where the same request may well succeed soon. */
  readonly isTransient: boolean;

  constructor(
    message: string,
    { status, code, isTransient }: { status?: number; code?: string | undefined; isTransient: boolean },
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'S3Error';
    this.status = status;
    this.code = code;
    this.isTransient = isTransient;
  }
}

/** Refusals that pass: bytes that were damaged or lost on the way, another writer at the same moment, too much at once. */
const transientCodes: readonly string[] = [
  'BadDigest',
  'ConditionalRequestConflict',
  'IncompleteBody',
  'OperationAborted',
  'RequestTimeout',
  'SlowDown',
  'XAmzContentSHA256Mismatch',
];
const transientStatuses: readonly number[] = [408, 429, 500, 502, 503, 504];
const fullCodes: readonly string[] = ['QuotaExceeded', 'XMinioStorageFull'];

/** Longest part of a text of the storage that goes into the log. */
const maxShown = 300;

/** Reads what an answer outside of the expected says. Of its text only code and message: the rest may name credentials. */
export async function readError(response: Response): Promise<S3Error> {
  const text = await response.text();
  const code = elementText(text, 'Code');
  const message = elementText(text, 'Message') ?? '';
  const isTransient = transientStatuses.includes(response.status) || transientCodes.includes(code ?? '');
  return new S3Error(
    `The image store answered ${response.status} ${code ?? ''}: ${message.slice(0, maxShown)}`,
    ...[{ status: response.status, code: code?.slice(0, 64), isTransient }],
  );
}

/** A request that brought no complete answer. */
export function noResponse(cause: unknown): S3Error {
  return new S3Error('The image store gave no complete answer', { isTransient: true }, cause);
}

/** The text of the first XML element of that name; undefined where there is none. */
export function elementText(xml: string, name: string): string | undefined {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
}

/** What a client is told: never what is wrong in detail, which is for the log. */
export function refusalFor({ status, code, isTransient }: S3Error): ServiceError {
  if (status === 507 || fullCodes.includes(code ?? '')) {
    return new ServiceError('InsufficientStorage', 'There is no room for the image.');
  }
  return isTransient ? unreachable() : refused();
}

/** 503 where the storage may answer again soon. */
export function unreachable(): ServiceError {
  const message = 'The image store cannot be reached; try again.';
  return new ServiceError('OverCapacity', message, {}, { 'retry-after': '5' });
}

function refused(): ServiceError {
  const message = 'The image store does not serve this service as it is configured; the log tells its operator why.';
  return new ServiceError('OverCapacity', message, {}, { 'retry-after': '60' });
}
