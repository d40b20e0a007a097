import { ServiceError } from '../../../contract/errors.ts';
import type { RouteBody } from '../../route.ts';

/** Parameters in the body of a POST, for queries that are too long for a URL (decision 109). */

const formType = 'application/x-www-form-urlencoded';

/** Far longer than a URL may be. */
const maxFormBytes = 262_144;

/** The description of such a body. */
export function formBody(example: Readonly<Record<string, string>>, asQuery: RouteBody['asQuery'] = {}): RouteBody {
  return {
    kind: 'form',
    asQuery,
    contentTypes: [formType],
    required: false,
    schema: {
      type: 'object',
      description: 'Any of the query parameters, each a string, or an array of strings where it is repeated.',
      // Generators refuse a list of types, and make a class of each alternative of `oneOf`.
      additionalProperties: true,
    },
    example,
    maxBytes: maxFormBytes,
  };
}

/** Programs such as curl send a body as a form by default. */
export function refuseJson(bytes: Uint8Array): void {
  if (!/^\s*[{[]/.test(Buffer.from(bytes.subarray(0, 64)).toString())) return;
  const problem = `The body is JSON, but the Content-Type is ${formType}`;
  throw new ServiceError('UnsupportedMediaType', `${problem}: expected application/json in UTF-8.`);
}
