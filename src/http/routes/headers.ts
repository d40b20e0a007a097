import { malformedParameter } from '../../contract/errors.ts';
import type { ApiRequest, HeaderParameter } from '../route.ts';

/** Request headers that routes of several areas take: how they are described, and how they are read. */

export const ifMatchHeader: HeaderParameter = {
  name: 'If-Match',
  description: 'The entity tag of the version that the write is meant for, such as "3"; another is 412.',
};

export const ifNoneMatchHeader: HeaderParameter = {
  name: 'If-None-Match',
  description: '`*`: only create; 412 where the resource exists.',
};

export const externalUserHeader: HeaderParameter = {
  name: 'X-External-User-ID',
  description: 'Who writes, in the words of the calling system; kept in createdBy and lastModifiedBy.',
};

/** The caller's `X-External-User-ID`, if it was sent. */
export function externalUserOf({ headers }: ApiRequest): string | undefined {
  const user = headers['x-external-user-id'];
  if (user === undefined || /^[\x20-\x7e]{1,256}$/.test(user)) return user;
  throw malformedParameter('X-External-User-ID', '1 to 256 printable ASCII characters expected');
}

/** The weight that an Accept header gives to a media type (RFC 9110 §12.5.1): the most specific range counts. */
export function acceptWeight(accept: string | undefined, mediaType: string): number {
  if (accept === undefined || accept.trim() === '') return 1;
  const [type] = mediaType.split('/', 1);
  let weight = 0;
  let best = -1;
  for (const range of accept.split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const precision = name === mediaType ? 2 : name === `${type}/*` ? 1 : name === '*/*' ? 0 : -1;
    if (precision < 0 || precision < best) continue;
    const quality = qualityOf(parameters);
    // Of the same range given twice, as with different parameters, the better one counts.
    weight = precision > best ? quality : Math.max(weight, quality);
    best = precision;
  }
  return weight;
}

/** Between 0 and 1; what is no number is 0: not acceptable rather than preferred. */
function qualityOf(parameters: readonly string[]): number {
  const quality = parameters.find((parameter) => /^q\s*=/.test(parameter))?.split('=', 2)[1];
  return quality === undefined ? 1 : Math.min(1, Math.max(0, Number(quality) || 0));
}
