import { ServiceError } from '../../contract/errors.ts';

/** A request to the object storage failed. */
export class S3Error extends Error {
  /** Status of the response; undefined without a response. */
  readonly status: number | undefined;
  /** The storage's error code, such as `SlowDown`. */
  readonly code: string | undefined;
  /** True where the same request may succeed soon. */
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

/** Errors that pass: bytes damaged or lost on the way, a concurrent writer, too many requests. */
const transientCodes: readonly string[] = [
  'BadDigest',
  'IncompleteBody',
  'OperationAborted',
  'RequestTimeout',
  'SlowDown',
  'XAmzContentSHA256Mismatch',
];
const transientStatuses: readonly number[] = [408, 429, 500, 502, 503, 504];
const fullCodes: readonly string[] = ['QuotaExceeded', 'XMinioStorageFull'];

/** Characters of a message of the storage that go into the log. */
const maxMessageChars = 300;

/** Reads an unexpected response: only its code and message, since the rest may contain credentials. */
export async function readError(response: Response): Promise<S3Error> {
  const text = await response.text();
  const code = elementText(text, 'Code');
  const message = elementText(text, 'Message') ?? '';
  const isTransient = transientStatuses.includes(response.status) || transientCodes.includes(code ?? '');
  return new S3Error(
    `The image store answered ${response.status} ${code ?? ''}: ${message.slice(0, maxMessageChars)}`,
    ...[{ status: response.status, code: code?.slice(0, 64), isTransient }],
  );
}

/** A request without a complete response. */
export function noResponse(cause: unknown): S3Error {
  return new S3Error('The image store sent no complete response', { isTransient: true }, cause);
}

/** The text of the first XML element with this name, or undefined. */
export function elementText(xml: string, name: string): string | undefined {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
}

/** The error for the client. Details are for the log only. */
export function refusalFor({ status, code, isTransient }: S3Error): ServiceError {
  if (status === 507 || fullCodes.includes(code ?? '')) {
    return new ServiceError('InsufficientStorage', 'There is no room for the image.');
  }
  if (isTransient) return unreachable();
  const message = 'The image store rejected the request; see the service log.';
  return new ServiceError('OverCapacity', message, {}, { 'retry-after': '60' });
}

/** 503: the storage may be available again soon. */
export function unreachable(): ServiceError {
  const message = 'The image store cannot be reached; try again.';
  return new ServiceError('OverCapacity', message, {}, { 'retry-after': '5' });
}
