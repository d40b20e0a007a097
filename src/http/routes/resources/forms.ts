import { malformedParameter, ServiceError } from '../../../contract/errors.ts';
import { parseQuery, type QueryParameters } from '../../request/query.ts';
import type { ApiRequest, QueryValues, RouteBody } from '../../route.ts';

/** Parameters in the body of a POST, for queries that are too long for a URL (decision 109). */

export const formType = 'application/x-www-form-urlencoded';

/** Far longer than a URL may be. */
const maxFormBytes = 262_144;

/** The most items of a list as the values of a variable, and some more. */
const maxFormParameters = 1000;

/** The description of such a body. */
export function formBody(example: Readonly<Record<string, string>>): RouteBody {
  return {
    kind: 'form',
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

/** The parameters of the URL and of the form together. One that is not repeatable may be in only one of the two. */
export function formValues({ url, bytes }: ApiRequest, parameters: QueryParameters): QueryValues {
  const question = url.indexOf('?');
  const pieces = [question < 0 ? '' : url.slice(question + 1), textOf(bytes)].filter((piece) => piece !== '');
  return parseQuery(pieces.join('&'), parameters, maxFormParameters);
}

/** Programs such as curl send a body as a form by default. */
export function refuseJson({ bytes }: ApiRequest): void {
  if (!/^\s*[{[]/.test(textOf(bytes.subarray(0, 64), false))) return;
  const problem = `The body is JSON, but the Content-Type is ${formType}`;
  throw new ServiceError('UnsupportedMediaType', `${problem}: expected application/json in UTF-8.`);
}

function textOf(bytes: Uint8Array, fatal = true): string {
  try {
    return new TextDecoder('utf-8', { fatal }).decode(bytes);
  } catch {
    throw malformedParameter('form', 'expected UTF-8');
  }
}
