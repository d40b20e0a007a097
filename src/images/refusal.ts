import { ServiceError } from '../contract/errors.ts';

/** The refusal of bytes that are no usable image: 400 (decision 25). */
export function badImage(problem: string): ServiceError {
  return new ServiceError('InvalidInput', `The image cannot be used: ${problem}.`);
}

/** A full disk in our words; any other error as it is. */
export function storageError(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== 'ENOSPC' && code !== 'EDQUOT' && code !== 'EFBIG') return error;
  return new ServiceError('InsufficientStorage', 'There is no room for the image.');
}
