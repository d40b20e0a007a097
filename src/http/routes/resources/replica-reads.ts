import { ServiceError } from '../../../contract/errors.ts';
import type { Eventually } from '../../../domain/ports/eventually.ts';
import type { Store } from '../../../domain/ports/store.ts';
import type { ApiRequest, HeaderParameter, HttpResponse, ParameterTable, QueryValues } from '../../route.ts';

/** Reads that may be behind (decision 56): how a client asks for them, and who answers. */

export type ResourceReads = NonNullable<Store['eventual']>;

interface ReadDeps {
  readonly store: ResourceReads;
  readonly eventual?: Store['eventual'];
}

/** The query parameter of all reads that a replica may answer. */
export const consistency: ParameterTable = {
  consistency: {
    type: 'string',
    pattern: /^eventual$/,
    description:
      '`eventual`: the answer may be some moments old, so that a replica may give it, where there is one. Without it every acknowledged write is seen.',
    example: 'eventual',
  },
};

/** The same wish as a header (RFC 7240). */
export const preferHeader: HeaderParameter = {
  name: 'Prefer',
  description: '`eventual` asks for the same as `consistency=eventual`. Other preferences are ignored.',
};

/** What the answer then has. */
export const eventualHeaders = ['Preference-Applied'] as const;

function prefersEventual(prefer: string | undefined): boolean {
  return prefer !== undefined && /(?:^|,)\s*eventual\s*(?:[,;]|$)/i.test(prefer);
}

/** A client that names a version compares it with what is true now: it never gets an older state. */
function allowsReplica({ headers }: ApiRequest, query: QueryValues): boolean {
  if (headers['if-match'] !== undefined || headers['if-none-match'] !== undefined) return false;
  return query.get('consistency') === 'eventual' || prefersEventual(headers.prefer);
}

/**
 * Reads from the replica where the request allows it and one answers, else from the store. A resource that the replica
 * lacks may be too new for it, so that the store is asked as well. `query`: that of a form, where it is not the address's.
 */
export function readWhere(
  { store, eventual }: ReadDeps,
  request: ApiRequest,
  read: (store: ResourceReads) => Eventually<HttpResponse>,
  query: QueryValues = request.query,
): Eventually<HttpResponse> {
  if (eventual === undefined || !allowsReplica(request, query)) return read(store);
  return readReplica(() => read(eventual)).then((answer) => answer ?? read(store));
}

/** The answer of the replica; undefined where it has none. What is wrong with the request is wrong for both. */
async function readReplica(read: () => Eventually<HttpResponse>): Promise<HttpResponse | undefined> {
  try {
    const answer = await read();
    return { ...answer, headers: { ...answer.headers, 'preference-applied': 'eventual' } };
  } catch (error) {
    const isRefusal = error instanceof ServiceError && error.status < 500 && error.code !== 'ResourceNotFound';
    if (isRefusal) throw error;
    return undefined;
  }
}
