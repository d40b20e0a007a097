import { ServiceError } from '../../contract/errors.ts';

/** Keys that are counted at once. The one used least lately makes room, and would begin with a full bucket again. */
const maxKeys = 20_000;

interface Bucket {
  tokens: number;
  atMs: number;
}

export interface RateLimitSettings {
  /** Shown in the headers. */
  readonly name: string;
  /** 0 is without limit. */
  readonly perSecond: number;
  readonly burst: number;
  readonly nowMs: () => number;
}

/**
 * A token bucket per key (decision 33): `perSecond` on average, `burst` at once. The function it answers takes one
 * token, or throws `TooManyRequests` with Retry-After and the RateLimit headers. Undefined where there is no limit.
 */
export function createRateLimit(settings: RateLimitSettings): ((key: string) => void) | undefined {
  if (settings.perSecond === 0) return undefined;
  const buckets = new Map<string, Bucket>();
  return (key) => {
    const bucket = refilled(buckets.get(key), settings);
    // Taken out and put back, a key is the newest: the first of the map is then the one to forget.
    buckets.delete(key);
    buckets.set(key, bucket);
    if (buckets.size > maxKeys) buckets.delete(buckets.keys().next().value!);
    if (bucket.tokens < 1) throw tooMany(settings, bucket);
    bucket.tokens -= 1;
  };
}

function refilled(bucket: Bucket | undefined, { perSecond, burst, nowMs }: RateLimitSettings): Bucket {
  const atMs = nowMs();
  if (!bucket) return { tokens: burst, atMs };
  // A clock that jumps back refills nothing and takes nothing away.
  const passedMs = Math.max(0, atMs - bucket.atMs);
  bucket.tokens = Math.min(burst, bucket.tokens + (passedMs * perSecond) / 1000);
  bucket.atMs = atMs;
  return bucket;
}

function tooMany({ name, perSecond, burst }: RateLimitSettings, { tokens }: Bucket): ServiceError {
  const seconds = Math.max(1, Math.ceil((1 - tokens) / perSecond));
  const message = 'You have made too many requests. Please try again later.';
  return new ServiceError(
    'TooManyRequests',
    message,
    {},
    {
      'retry-after': String(seconds),
      ratelimit: `"${name}";r=0;t=${seconds}`,
      'ratelimit-policy': `"${name}";q=${burst};w=${Math.ceil(burst / perSecond)}`,
    },
  );
}
