import { ServiceError } from '../../contract/errors.ts';

/** A row of a page is not what was written. */
export function damagedPage(): ServiceError {
  return new ServiceError('DataCorruption', 'A stored resource of this page is damaged; the page is not served.');
}

/** A page has more bytes than an answer may have; the first `fitting` of its resources would do. */
export function pageTooLarge(maxPageBytes: number, fitting: number): ServiceError {
  return new ServiceError(
    'InvalidInput',
    `Malformed parameter: limit: The page would have more than ${maxPageBytes} bytes; ask for a smaller limit, ${Math.max(1, fitting)} or less.`,
  );
}
