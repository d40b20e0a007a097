import { Cache } from '../../../cache/cache.ts';
import type { ResourceReads } from '../../../domain/ports/store.ts';
import { reportCache } from '../../../telemetry/cache-metrics.ts';
import type { Metrics } from '../../../telemetry/metrics.ts';
import type { ApiRequest, HttpResponse } from '../../route.ts';

export interface RepeatedListsParts<List> {
  /** Memory for the lists and their responses. */
  readonly maxBytes: number;
  readonly metrics: Metrics;
  parse(request: ApiRequest): List;
  read(store: ResourceReads, list: List, request: ApiRequest): Promise<HttpResponse>;
  /** False for a response that depends on other projects as well. */
  dependsOnProject(list: List): boolean;
  /** Identifies the secret of the cursors in a response: with another one the response is made anew. */
  sealedWith(): object;
}

interface Sent {
  readonly response: HttpResponse;
  readonly generation: number;
  readonly sealedWith: object;
}

interface Known<List> {
  readonly list: List;
  readonly sent?: Sent | undefined;
}

/** Few requests have a longer URL, and hardly any has it twice. */
const maxUrlChars = 1024;

/** Longer responses are made anew each time. */
const maxResponseBytes = 524_288;

/** About the memory of a parsed list. */
const listBytes = 2000;

/**
 * Answers lists by their URL, which clients repeat: it is parsed once, and from the second time on its response is kept as bytes, to be sent again
 * while nothing is written to the project. A response is never older than a write that was acknowledged before the request: see `ResourceStore.generation`.
 */
export function repeatedLists<List>(
  parts: RepeatedListsParts<List>,
): (store: ResourceReads, request: ApiRequest) => Promise<HttpResponse> {
  const cache = new Cache<string, Known<List>>({
    maxBytes: Math.max(1, Math.floor(parts.maxBytes)),
    bytesOf: ({ sent }) => listBytes + (sent?.response.body.length ?? 0),
  });
  reportCache(parts.metrics, 'lists', cache);

  return async (store, request) => {
    const { url, projectKey } = request;
    const known = cache.get(url);
    const generation = store.generation?.(projectKey);
    const sent = known?.sent;
    if (sent && sent.generation === generation && sent.sealedWith === parts.sealedWith()) return sent.response;
    const list = known?.list ?? parts.parse(request);
    // Most lists are sent once: their responses are not worth the memory.
    if (!known && url.length <= maxUrlChars) cache.set(url, { list });
    const response = await parts.read(store, list, request);
    if (!known || generation === undefined || !parts.dependsOnProject(list)) return response;
    const bytes = typeof response.body === 'string' ? Buffer.from(response.body) : response.body;
    if (store.generation?.(projectKey) === generation && bytes.length <= maxResponseBytes) {
      const kept = { ...response, body: bytes };
      cache.set(url, { list, sent: { response: kept, generation, sealedWith: parts.sealedWith() } });
    }
    return response;
  };
}
