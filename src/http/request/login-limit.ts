import type { LoginLimit } from '../../auth/credentials.ts';
import { Cache } from '../../cache/cache.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { createRateLimit } from './rate-limit.ts';

export interface LoginLimitSettings {
  /** False: nothing is limited. */
  readonly isLimited: boolean;
  readonly nowMs: () => number;
  readonly metrics: Metrics;
}

/** Slow enough for guesses to be hopeless. It does not depend on how many tokens a client may have. */
const failuresPerSecond = 0.2;

/** How many clients that authenticated lately are known. One that is forgotten counts as any other. */
const maxProven = 20_000;

/** Longer client ids belong to no client, so what follows need not be told apart. */
const maxIdChars = 300;

/**
 * Limits failed authentications (decision 33), which are guesses at worst: a few for each client at an address, and twice
 * as many for all clients at the address together, as one may guess for many clients. A client that has authenticated
 * from the address is not held up by the failures of its neighbours. Successes take nothing away.
 */
export function createLoginLimit({ isLimited, ...others }: LoginLimitSettings): (address: string) => LoginLimit {
  const failures = { ...others, perSecond: isLimited ? failuresPerSecond : 0 };
  const ofClients = createRateLimit({ ...failures, name: 'login', burst: 10 });
  const ofAddresses = createRateLimit({ ...failures, name: 'login_address', burst: 20 });
  const proven = new Cache<string, true>({ maxEntries: maxProven });
  if (ofClients === undefined || ofAddresses === undefined) return () => unlimited;
  return (address) => {
    const keyOf = (clientId: string) => `${clientId.slice(0, maxIdChars)}\n${address}`;
    return {
      check(clientId) {
        const key = keyOf(clientId);
        ofClients.check(key);
        if (proven.get(key) === undefined) ofAddresses.check(address);
      },
      failed(clientId) {
        ofClients.count(keyOf(clientId));
        ofAddresses.count(address);
      },
      succeeded(clientId) {
        proven.set(keyOf(clientId), true);
      },
    };
  };
}

const unlimited: LoginLimit = { check() {}, failed() {}, succeeded() {} };
