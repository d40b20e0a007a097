import { malformedParameter } from '../../contract/errors.ts';
import { checkReadMatch, isNotModified, parsePreconditions } from '../../domain/resource/write/preconditions.ts';
import { parseWeights } from '../request/weights.ts';
import type { ApiRequest, HeaderParameter, HttpResponse } from '../route.ts';

/** Request headers that several routes accept: their descriptions, and how they are read. */

const entityTag = '(W/)?"[!#-~\\u0080-\\uffff]*"';

/** A header with a list of entity tags, or `*` (RFC 9110 §13.1). */
export function entityTagsHeader(name: 'If-Match' | 'If-None-Match', description: string): HeaderParameter {
  return { name, description, example: '"3-0123456789"', pattern: `^(\\*|${entityTag}( ?, ?${entityTag})*)$` };
}

export const ifMatchHeader = entityTagsHeader(
  'If-Match',
  'The entity tag of the version that must be current, such as `"3-0123456789"`. Otherwise returns 412.',
);

export const ifNoneMatchHeader = entityTagsHeader(
  'If-None-Match',
  'With `*`, the resource is only created. Returns 412 if it exists.',
);

/** The conditions of a read of something that has one entity tag. */
export const conditionHeaders: readonly HeaderParameter[] = [
  entityTagsHeader('If-Match', 'Entity tags. Returns 412 if none of them is the current one.'),
  entityTagsHeader('If-None-Match', 'Entity tags. Returns 304 if one of them is the current one.'),
];

/** 304 with these headers for a client that has what their entity tag names, in whichever coding; undefined for others. */
export function notModified(
  request: Pick<ApiRequest, 'headers'>,
  headers: { readonly etag: string },
): HttpResponse | undefined {
  const { ifNoneMatch } = parsePreconditions(undefined, request.headers['if-none-match']);
  return isNotModified(ifNoneMatch, headers.etag) ? { status: 304, headers: { ...headers }, body: '' } : undefined;
}

/** The response to a read with its entity tag; 304 where the client has it already. Throws 412. */
export function conditional(request: ApiRequest, etag: string, response: HttpResponse): HttpResponse {
  checkReadMatch(parsePreconditions(request.headers['if-match'], undefined).ifMatch, etag);
  return notModified(request, { etag }) ?? { ...response, headers: { ...response.headers, etag } };
}

export const externalUserHeader: HeaderParameter = {
  name: 'X-External-User-ID',
  description: 'The user of the calling system who makes the change. Stored in `createdBy` and `lastModifiedBy`.',
  pattern: '^[ -~]*$',
  minLength: 1,
  maxLength: 256,
};

/** Reads X-External-User-ID. */
export function externalUserOf({ headers }: ApiRequest): string | undefined {
  const user = headers['x-external-user-id'];
  if (user === undefined || /^[\x20-\x7e]{1,256}$/.test(user)) return user;
  throw malformedParameter('X-External-User-ID', 'expected 1 to 256 printable ASCII characters');
}

/** The weight of a media type in an Accept header (RFC 9110 §12.5.1): that of the most specific range. */
export function acceptWeight(accept: string | undefined, mediaType: string): number {
  if (accept === undefined || accept.trim() === '') return 1;
  const weights = parseWeights(accept);
  return weights.get(mediaType) ?? weights.get(`${mediaType.split('/', 1)[0]}/*`) ?? weights.get('*/*') ?? 0;
}
