import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { Eventually } from '../../domain/ports/eventually.ts';
import { parseWeights } from '../request/weights.ts';
import type { HttpResponse } from '../route.ts';

/** A content coding (RFC 9110 §8.4.1) that this service sends. */
export type Coding = 'zstd' | 'gzip';

/** Shorter bodies, in bytes or characters, fit into a packet or two anyway. */
export const minCompressed = 1024;

/** Longer bodies are compressed in the thread pool; for shorter ones, handing them over costs more than compressing. */
const maxInPlace = 32_768;

interface Method {
  readonly inPlace: (body: string | Uint8Array) => Uint8Array;
  readonly inPool: (body: string | Uint8Array) => Promise<Uint8Array>;
}

const zstdOptions = { params: { [zlib.constants.ZSTD_c_compressionLevel]: 1 } };
const gzipOptions = { level: 1 };
const zstdInPool = promisify(zlib.zstdCompress);
const gzipInPool = promisify(zlib.gzip);

/** In the order of preference, at the fastest levels: most responses are compressed for one client. */
const methods: ReadonlyMap<Coding, Method> = new Map<Coding, Method>([
  [
    'zstd',
    {
      inPlace: (body) => zlib.zstdCompressSync(body, zstdOptions),
      inPool: (body) => zstdInPool(body, zstdOptions),
    },
  ],
  ['gzip', { inPlace: (body) => zlib.gzipSync(body, gzipOptions), inPool: (body) => gzipInPool(body, gzipOptions) }],
]);

/** The coding that a client prefers among ours; undefined where it wants none. Of equals, the fastest one. */
export function codingOf(accepted: string): Coding | undefined {
  const weights = parseWeights(accepted);
  let best: Coding | undefined;
  // `identity` is always allowed, but may be preferred.
  let most = weights.get('identity') ?? 0;
  for (const coding of methods.keys()) {
    const weight = weights.get(coding) ?? weights.get(`x-${coding}`) ?? weights.get('*') ?? 0;
    if (weight > most || (weight === most && weight > 0 && best === undefined)) [best, most] = [coding, weight];
  }
  return best;
}

/** The tag of a representation in a coding: that of another coding has other bytes, and so another tag. */
function codedTag(etag: string, coding: Coding): string {
  return `${etag.slice(0, -1)};${coding}"`;
}

/** The tag that a 304 repeats: with the coding of the copy that the client has. */
export function tagOfCopy(etag: string, ifNoneMatch: string): string {
  for (const coding of methods.keys()) {
    const coded = codedTag(etag, coding);
    if (ifNoneMatch.includes(coded)) return coded;
  }
  return etag;
}

function coded(response: HttpResponse, coding: Coding, body: Uint8Array): HttpResponse {
  if (body.length >= response.body.length) return response;
  const { etag } = response.headers ?? {};
  const tag = etag !== undefined && { etag: codedTag(etag, coding) };
  return { ...response, body, headers: { ...response.headers, 'content-encoding': coding, ...tag } };
}

/**
 * The response in a coding of `accepted`, the header Accept-Encoding; the response itself where compression does not help. A
 * promise only for long bodies.
 */
export function compress(accepted: string, response: HttpResponse): Eventually<HttpResponse> {
  const { body } = response;
  const coding = codingOf(accepted);
  const method = coding && methods.get(coding);
  if (!method) return response;
  if (body.length < maxInPlace) return coded(response, coding, method.inPlace(body));
  return method.inPool(body).then((bytes) => coded(response, coding, bytes));
}
