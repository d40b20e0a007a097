import { Cache } from '../../cache/cache.ts';
import { ServiceError } from '../../contract/errors.ts';
import { reportCache } from '../../telemetry/cache-metrics.ts';
import type { Metrics } from '../../telemetry/metrics.ts';

/** Buckets of keys used least recently are dropped: such a key starts again with a full bucket. */
const maxKeys = 20_000;

interface Bucket {
  tokens: number;
  refilledAtMs: number;
}

export interface RateLimitSettings {
  /** The name in the headers: `api` or `token`. */
  readonly name: string;
  /** 0 means no limit. */
  readonly perSecond: number;
  readonly burst: number;
  readonly nowMs: () => number;
  readonly metrics: Metrics;
}

/** A token bucket per key (decision 33): `perSecond` on average, `burst` at once. Undefined where there is no limit. */
export function createRateLimit(settings: RateLimitSettings) {
  if (settings.perSecond === 0) return undefined;
  const bucketOf = openBuckets(settings);
  /** Throws `TooManyRequests` with Retry-After and the RateLimit headers where the bucket of the key is empty. */
  const check = (key: string) => {
    const bucket = bucketOf(key);
    if (bucket.tokens < 1) throw tooMany(settings, bucket);
    return bucket;
  };
  return {
    check,
    /** Takes a token: an attempt that failed does so after its check. */
    count(key: string): void {
      const bucket = bucketOf(key);
      bucket.tokens = Math.max(0, bucket.tokens - 1);
    },
    /** Checks, and takes a token. */
    take(key: string): void {
      check(key).tokens -= 1;
    },
  };
}

/** The bucket of each key, refilled for the time that has passed. */
function openBuckets(settings: RateLimitSettings): (key: string) => Bucket {
  const { perSecond, burst } = settings;
  const buckets = new Cache<string, Bucket>({ maxEntries: maxKeys });
  reportCache(settings.metrics, `rate_limit_${settings.name}`, buckets);
  return (key) => {
    const nowMs = settings.nowMs();
    const bucket = buckets.getOrMake(key, () => ({ tokens: burst, refilledAtMs: nowMs }));
    // A clock that jumps back refills nothing and takes nothing away.
    const passedMs = Math.max(0, nowMs - bucket.refilledAtMs);
    bucket.tokens = Math.min(burst, bucket.tokens + (passedMs * perSecond) / 1000);
    bucket.refilledAtMs = nowMs;
    return bucket;
  };
}

function tooMany({ name, perSecond, burst }: RateLimitSettings, { tokens }: Bucket): ServiceError {
  const seconds = Math.max(1, Math.ceil((1 - tokens) / perSecond));
  const message = 'You have made too many requests. Please try again later.';
  const headers = {
    'retry-after': String(seconds),
    ratelimit: `"${name}";r=0;t=${seconds}`,
    'ratelimit-policy': `"${name}";q=${burst};w=${Math.ceil(burst / perSecond)}`,
  };
  return new ServiceError('TooManyRequests', message, {}, headers);
}
