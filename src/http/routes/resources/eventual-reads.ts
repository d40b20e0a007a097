import { ServiceError } from '../../../contract/errors.ts';
import type { Eventually } from '../../../domain/ports/eventually.ts';
import type { ResourceReads } from '../../../domain/ports/store.ts';
import type { ApiRequest, HeaderParameter, HttpResponse, ParameterTable } from '../../route.ts';
import type { RouteDeps } from '../all.ts';
import { publishedParts, type ReadDeps } from './published.ts';

/** Eventual reads: how a client allows a response that is slightly out of date, and when it gets one. */

type Read = (store: ResourceReads, deps: ReadDeps, request: ApiRequest) => Eventually<HttpResponse>;

/** The query parameter of all reads that may be eventual. */
export const consistency: ParameterTable = {
  consistency: {
    type: 'string',
    words: ['eventual'],
    description:
      '`eventual` allows a response that is slightly out of date: it does not wait for the database. By default a read sees every acknowledged write.',
    example: 'eventual',
  },
};

/** The preference as a header (RFC 7240). */
export const preferHeader: HeaderParameter = {
  name: 'Prefer',
  description: '`eventual` has the same effect as `consistency=eventual`. Other preferences are ignored.',
};

/** The header of responses that may be out of date. */
export const eventualHeaders = ['Preference-Applied'] as const;

/** A client that names a version compares it with the current one, so it never gets an older state. */
function isEventual({ headers, query }: ApiRequest): boolean {
  if (headers['if-match'] !== undefined || headers['if-none-match'] !== undefined) return false;
  return query.get('consistency') === 'eventual' || /(?:^|,)\s*eventual\s*(?:[,;]|$)/i.test(headers.prefer ?? '');
}

/** Reads eventually if the request allows it, else what was committed last. */
export function readWhere(deps: RouteDeps, request: ApiRequest, read: Read): Eventually<HttpResponse> {
  if (!request.isPublished) return readIn(deps, request, read);
  return publishedParts(deps, request).then((own) => readIn(own, request, read));
}

function readIn(deps: ReadDeps, request: ApiRequest, read: Read): Eventually<HttpResponse> {
  const { store, eventual } = deps;
  if (eventual === undefined || !isEventual(request)) return read(store, deps, request);
  return readEventually(eventual, deps, request, read);
}

/** Falls back to the store if that fails, or the resource is not found: it may be too new. */
async function readEventually(
  eventual: ResourceReads,
  deps: ReadDeps,
  request: ApiRequest,
  read: Read,
): Promise<HttpResponse> {
  try {
    const response = await read(eventual, deps, request);
    return { ...response, headers: { ...response.headers, 'preference-applied': 'eventual' } };
  } catch (error) {
    // An invalid request is just as invalid for the store.
    const isInvalid = error instanceof ServiceError && error.status < 500 && error.code !== 'ResourceNotFound';
    if (isInvalid || request.signal().aborted) throw error;
    return read(deps.store, deps, request);
  }
}
