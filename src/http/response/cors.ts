import type { IncomingMessage } from 'node:http';
import { responseHeaders } from '../openapi/operation.ts';

/** Response headers that scripts of another origin may read: those that routes describe, and those of limits and methods. */
const exposed = [
  ...Object.keys(responseHeaders),
  ...['RateLimit', 'RateLimit-Policy', 'Allow', 'Content-Disposition', 'Content-Encoding'],
].join(', ');

/** Request headers that scripts may send to any route. */
const sendable = [
  'Authorization',
  'Content-Type',
  'Content-Encoding',
  'Prefer',
  'Last-Event-ID',
  'If-Match',
  'If-None-Match',
  'Idempotency-Key',
  'X-Correlation-ID',
  'X-External-User-ID',
] as const;

export type Cors = ReturnType<typeof createCors>;

/**
 * Allows the configured origins, and to responses for a publishable key those of the key, compared exactly. Credentials
 * (cookies) are never allowed.
 */
export function createCors(origins: readonly string[]) {
  const allowed = new Set(origins);
  const isAllowed = (origin: string | undefined) => origin !== undefined && allowed.has(origin);
  return {
    /** True where the settings name origins. */
    isConfigured: allowed.size > 0,
    isAllowed,
    /** Names and values of headers for a request from an allowed origin; empty for any other. */
    headersFor({ headers: { origin } }: IncomingMessage, ofKey?: ReadonlySet<string>): readonly string[] {
      if (origin === undefined || !(allowed.has(origin) || ofKey?.has(origin))) return [];
      return ['access-control-allow-origin', origin, 'access-control-expose-headers', exposed];
    },
    /** True for a preflight of a page, which has no token. */
    isPreflight: ({ method, headers }: IncomingMessage) =>
      method === 'OPTIONS' && headers['access-control-request-method'] !== undefined && headers.origin !== undefined,
    preflightHeaders: (methods: readonly string[], headers: readonly string[]) => ({
      'access-control-allow-methods': methods.join(', '),
      'access-control-allow-headers': [...new Set([...sendable, ...headers])].join(', '),
      'access-control-max-age': '600',
      'cache-control': 'no-store',
    }),
  };
}
