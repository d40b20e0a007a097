import { hash } from 'node:crypto';
import { withoutCoding } from '../../domain/resource/write/preconditions.ts';
import type { ApiRequest, HttpResponse } from '../route.ts';

export type StaticFile = ReturnType<typeof staticFile>;

/**
 * Makes a file that is the same for everybody as long as the process lives, with a strong tag of its content. `headers`: by
 * lower-case name, such as `content-type`; without one it is JSON.
 */
export function staticFile(body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}) {
  return { body, etag: `"${hash('sha256', body, 'base64url').slice(0, 22)}"`, headers };
}

/** The response with a file; 304 if `If-None-Match` has its tag, in any content coding. A malformed `If-None-Match` is ignored. */
export function sendStaticFile({ headers }: Pick<ApiRequest, 'headers'>, file: StaticFile): HttpResponse {
  const { body, etag } = file;
  const tags = headers['if-none-match']?.split(',') ?? [];
  const isKnown = tags.some((tag) => withoutCoding(tag.trim().replace(/^W\//, '')) === etag);
  if (!isKnown) return { status: 200, body, headers: { ...file.headers, etag } };
  // Without it, the copy would take on the Cache-Control of other responses.
  const caching = file.headers['cache-control'];
  return { status: 304, body: '', headers: caching === undefined ? { etag } : { etag, 'cache-control': caching } };
}
