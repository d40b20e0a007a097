import { ServiceError } from '../../../contract/errors.ts';
import type { Eventually } from '../../../domain/ports/eventually.ts';
import type { Store } from '../../../domain/ports/store.ts';
import type { ApiRequest, HeaderParameter, HttpResponse, ParameterTable, QueryValues } from '../../route.ts';

/** Eventually consistent reads (decision 56): how a client allows them, and when the replica serves them. */

export type ResourceReads = NonNullable<Store['eventual']>;

interface ReadDeps {
  readonly store: ResourceReads;
  /** The replica, if there is one. */
  readonly eventual?: Store['eventual'];
}

type Read<Deps> = (store: ResourceReads, deps: Deps, request: ApiRequest) => Eventually<HttpResponse>;

/** The query parameter of all reads that a replica may serve. */
export const consistency: ParameterTable = {
  consistency: {
    type: 'string',
    pattern: /^eventual$/,
    description:
      '`eventual` allows a response that is slightly out of date, from a replica if there is one. By default a read sees every acknowledged write.',
    example: 'eventual',
  },
};

/** The same as a header (RFC 7240). */
export const preferHeader: HeaderParameter = {
  name: 'Prefer',
  description: '`eventual` has the same effect as `consistency=eventual`. Other preferences are ignored.',
};

/** The header of responses from a replica. */
export const eventualHeaders = ['Preference-Applied'] as const;

/** A client that names a version compares it with the current one, so it never gets an older state. */
function allowsReplica({ headers }: ApiRequest, query: QueryValues): boolean {
  if (headers['if-match'] !== undefined || headers['if-none-match'] !== undefined) return false;
  return query.get('consistency') === 'eventual' || /(?:^|,)\s*eventual\s*(?:[,;]|$)/i.test(headers.prefer ?? '');
}

/**
 * Reads from the replica if the request allows it, else from the store. `query` holds the parameters of a form, if they
 * are not those of the URL.
 */
export function readWhere<Deps extends ReadDeps>(
  deps: Deps,
  request: ApiRequest,
  read: Read<Deps>,
  query: QueryValues = request.query,
): Eventually<HttpResponse> {
  const { store, eventual } = deps;
  if (eventual === undefined || !allowsReplica(request, query)) return read(store, deps, request);
  return readReplica(eventual, deps, request, read);
}

/** Falls back to the store if the replica fails, or lacks the resource: it may be too new. */
async function readReplica<Deps extends ReadDeps>(
  replica: ResourceReads,
  deps: Deps,
  request: ApiRequest,
  read: Read<Deps>,
): Promise<HttpResponse> {
  try {
    const response = await read(replica, deps, request);
    return { ...response, headers: { ...response.headers, 'preference-applied': 'eventual' } };
  } catch (error) {
    // An invalid request is just as invalid for the store.
    const isInvalid = error instanceof ServiceError && error.status < 500 && error.code !== 'ResourceNotFound';
    if (isInvalid || request.signal().aborted) throw error;
    return read(deps.store, deps, request);
  }
}
