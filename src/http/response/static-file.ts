import { hash } from 'node:crypto';
import { withoutCoding } from '../../domain/resource/write/preconditions.ts';
import type { ApiRequest, HttpResponse } from '../route.ts';

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

/** The response with a file: 304 for who has it already, in whichever coding. What is no list of tags means nothing here. */
export function sendStaticFile({ headers }: Pick<ApiRequest, 'headers'>, file: StaticFile): HttpResponse {
  const { body, etag } = file;
  const tags = headers['if-none-match']?.split(',') ?? [];
  const isKnown = tags.some((tag) => withoutCoding(tag.trim().replace(/^W\//, '')) === etag);
  if (!isKnown) return { status: 200, body, headers: { ...file.headers, etag } };
  // Without it, the copy would take on the Cache-Control of other responses.
  const caching = file.headers['cache-control'];
  return { status: 304, body: '', headers: caching === undefined ? { etag } : { etag, 'cache-control': caching } };
}
