import { hash } from 'node:crypto';
import type { ApiRequest, HttpResponse } from '../route.ts';
import { notModified } from '../routes/headers.ts';

/** A file that is the same for everybody as long as the process lives. */
export interface StaticFile {
  readonly body: string | Uint8Array;
  /** A strong tag, made of the content. */
  readonly etag: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Makes a file to send. `headers`: by lower-case name, such as `content-type`; without one it is JSON. */
export function staticFile(body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}): StaticFile {
  return { body, etag: `"${hash('sha256', body, 'base64url').slice(0, 22)}"`, headers };
}

/** The response with a file: 304 for who has it already. */
export function sendStaticFile(request: Pick<ApiRequest, 'headers'>, file: StaticFile): HttpResponse {
  const { body, etag, headers } = file;
  // Without it, the copy would take on the Cache-Control of other responses.
  const caching = headers['cache-control'];
  const kept = caching === undefined ? { etag } : { etag, 'cache-control': caching };
  return notModified(request, kept) ?? { status: 200, body, headers: { ...headers, etag } };
}
