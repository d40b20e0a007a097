import type { Cursors } from '../../../auth/cursors.ts';
import { Cache, Offers } from '../../../cache/cache.ts';
import type { PrivatePaths } from '../../../domain/access/private-paths.ts';
import type { ResourceReads } from '../../../domain/ports/store.ts';
import { reportCache } from '../../../telemetry/cache-metrics.ts';
import type { Metrics } from '../../../telemetry/metrics.ts';
import type { ApiRequest, HttpResponse } from '../../route.ts';

export interface RepeatedReadsParts<Parsed, Settings> {
  /** Of the cache in the metrics. */
  readonly name: 'lists' | 'searches' | 'suggestions';
  /** Memory for parsed requests and their responses. Default: 8 MiB. */
  readonly maxBytes?: number;
  /** `hidden`: of a caller that sees only what is published. */
  parse(request: ApiRequest, settings: Settings, hidden?: PrivatePaths): Parsed;
  read(store: ResourceReads, parsed: Parsed, request: ApiRequest): Promise<HttpResponse>;
  /** False for a response that depends on other projects as well. */
  dependsOnProject(parsed: Parsed): boolean;
}

interface Sent {
  readonly response: HttpResponse;
  readonly generation: number | string;
  /** The secret of the cursors in the response: with another one the response is made anew. */
  readonly sealedWith: object;
}

interface Known<Parsed, Settings> {
  readonly parsed: Parsed;
  readonly settings: Settings;
  readonly hidden: PrivatePaths | undefined;
  readonly sent?: Sent | undefined;
}

const defaultBytes = 8_388_608;

/** Few requests have a longer URL, and hardly any has it twice. */
const maxUrlChars = 1024;

/** Longer responses are made anew each time. */
const maxResponseBytes = 524_288;

/** About the memory of a parsed request. */
const parsedBytes = 2000;

/**
 * Answers lists, searches or suggestions by their URL, which clients repeat: from the second time on what is parsed of it is kept, and its response as bytes, to
 * be sent again while nothing is written to the project. Forms are read each time. A response is never older than a write that was acknowledged before the request: see
 * `ResourceStore.generation`. `settings`: another object where they have changed.
 */
export function repeatedReads<Parsed, Settings = undefined>(
  { metrics, cursors: { sealedWith } }: { readonly metrics: Metrics; readonly cursors: Pick<Cursors, 'sealedWith'> },
  parts: RepeatedReadsParts<Parsed, Settings>,
): (store: ResourceReads, request: ApiRequest, settings: Settings, hidden?: PrivatePaths) => Promise<HttpResponse> {
  const cache = new Cache<string, Known<Parsed, Settings>>({
    maxBytes: parts.maxBytes ?? defaultBytes,
    bytesOf: ({ sent }) => parsedBytes + (sent?.response.body.length ?? 0),
  });
  const offers = new Offers();
  reportCache(metrics, parts.name, cache);

  return async (store, request, settings, hidden) => {
    const { projectKey, method } = request;
    if (method === 'POST') return parts.read(store, parts.parse(request, settings, hidden), request);
    // No URL begins with a blank.
    const url = hidden ? ` ${request.url}` : request.url;
    const cached = cache.get(url);
    const known = cached && cached.settings === settings && cached.hidden === hidden ? cached : undefined;
    const parsed = known?.parsed ?? parts.parse(request, settings, hidden);
    // Most are sent once: nothing is asked or kept for them.
    if (!known && (url.length > maxUrlChars || !offers.isRepeated(url))) return parts.read(store, parsed, request);
    const generation = parts.dependsOnProject(parsed) ? await store.generation?.(projectKey) : undefined;
    const sent = known?.sent;
    if (sent && sent.generation === generation && sent.sealedWith === sealedWith()) return sent.response;
    if (!known) cache.set(url, { parsed, settings, hidden });
    const response = await parts.read(store, parsed, request);
    if (generation === undefined) return response;
    const bytes = typeof response.body === 'string' ? Buffer.from(response.body) : response.body;
    if (bytes.length <= maxResponseBytes && (await store.generation?.(projectKey)) === generation) {
      const kept = { ...response, body: bytes };
      cache.set(url, { parsed, settings, hidden, sent: { response: kept, generation, sealedWith: sealedWith() } });
    }
    return response;
  };
}
