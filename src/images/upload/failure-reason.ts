import { ServiceError } from '../../contract/errors.ts';

/** Explanations of messages and codes of the decoder, the disk and the object storage. The first match counts. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [
    /premature end|truncated|unexpected end|end of (?:file|stream|input)|has \d+ bytes, not \d+/i,
    'The file ends too early.',
  ],
  [/\bENOSPC\b|\bEDQUOT\b|XMinioStorageFull/, 'There was no space left for the files.'],
  [/timeout:|timed out/i, 'It took too long.'],
  [/out of memory|unable to allocate|\bENOMEM\b/i, 'There was not enough memory.'],
  [/\b(?:EACCES|EPERM|EROFS)\b/, 'The service may not write the files.'],
  [/\b(?:EIO|EMFILE|ENFILE|EBADF)\b/, 'The files could not be read or written.'],
  [/image store/i, 'The object storage could not be reached.'],
  [/image thread ended/i, 'The thread that works on images ended.'],
  [/unsupported image|corrupt|invalid|bad |damaged|\bVips|lzw|inflate|zlib/i, 'The file is damaged.'],
];

/**
 * Why renditions could not be made, as one sentence for people. Nothing of the error itself is in it: errors name folders
 * and hosts of the operator; the log has those (`rendition-failed`).
 */
export function failureReason(error: unknown): string {
  if (error instanceof ServiceError && error.status < 500) return error.message;
  const { message = '', code = '' } = (typeof error === 'object' && error !== null ? error : {}) as {
    readonly message?: unknown;
    readonly code?: unknown;
  };
  const text = `${code} ${message}`;
  const [, reason] = reasons.find(([form]) => form.test(text)) ?? [];
  return reason ?? 'An error that the service does not know; its log has it (rendition-failed).';
}
