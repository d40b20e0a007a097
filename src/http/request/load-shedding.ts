import { ServiceError } from '../../contract/errors.ts';

/**
 * Refuses work while the event loop is late (decision 33): answering everybody too late would help nobody.
 * Throws `OverCapacity` with a Retry-After that spreads the repeats over a few seconds. 0 switches it off.
 */
export function checkLoad(shedDelayMs: number, delayMs: number): void {
  if (shedDelayMs === 0 || delayMs <= shedDelayMs) return;
  const seconds = 1 + Math.floor(Math.random() * 5);
  const message = 'The service has more load than it can answer in time. Please try again later.';
  throw new ServiceError('OverCapacity', message, {}, { 'retry-after': String(seconds) });
}
