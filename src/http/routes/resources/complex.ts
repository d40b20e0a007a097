import { arrayTestTypeSchema } from '../../../contract/array-test-type.ts';
import { complexSchema } from '../../../contract/complex.ts';
import { stringifyJson } from '../../../domain/json/parse.ts';
import type { WriteResponse } from '../../../domain/resource/write/commit.ts';
import {
  arrayTestTypeOf,
  type ComplexParameters,
  formOf,
  writeComplex,
} from '../../../domain/resource/write/complex.ts';
import type { Outcome } from '../../../domain/resource/write/decision.ts';
import { etagOf } from '../../../domain/resource/write/preconditions.ts';
import type { ApiRequest, Route } from '../../route.ts';
import { acceptWeight, externalUserHeader, ifMatchHeader, ifNoneMatchHeader } from '../headers.ts';
import { exampleOf, locationOf, type ResourceDeps, resourceTag, toHttpResponse, writeOf } from './resource.ts';

const formType = 'application/x-www-form-urlencoded';
const path = '/:projectKey/resource/artificially-complex/path/uri-parameter-one=:uriParameterOne/:uriParameterTwo';

function parametersOf({ params, query }: ApiRequest): ComplexParameters {
  const { uriParameterOne = '', uriParameterTwo = '' } = params;
  const queryParameterOne = query.get('queryParameterOne') as number | undefined;
  const queryParameterTwo = query.get('queryParameterTwo') as string | undefined;
  return { uriParameterOne, uriParameterTwo, queryParameterOne, queryParameterTwo };
}

/** True where the client would rather have a form than JSON. */
function prefersForm({ headers: { accept } }: ApiRequest): boolean {
  return accept !== undefined && acceptWeight(accept, formType) > acceptWeight(accept, 'application/json');
}

/** Decision 19: 201 created, 200 updated, 203 where a form was asked for; always the seven arrays. */
function responseOf(request: ApiRequest, deps: ResourceDeps): (outcome: Outcome) => WriteResponse {
  return ({ kind, record, documents }) => {
    const arrays = arrayTestTypeOf(documents.current);
    const headers = { etag: etagOf(record.version), location: locationOf(deps, record) };
    if (prefersForm(request))
      return { status: 203, headers: { ...headers, 'content-type': formType }, body: formOf(arrays) };
    return { status: kind === 'created' ? 201 : 200, headers, body: stringifyJson(arrays) };
  };
}

const arrays = { 'application/json': { schema: arrayTestTypeSchema, example: exampleOf(arrayTestTypeSchema) } };
const headers = ['ETag', 'Location'];

/** The update with a complex path: E9. */
export function complexRoutes(deps: ResourceDeps): readonly Route[] {
  return [
    {
      ...{ operationId: 'updateByComplexPath', method: 'POST', path, tag: resourceTag, access: ['manage_test'] },
      summary: 'Create or update a resource by a complex path',
      description:
        'The resource is the one of the body’s `id`, else of its `key`, else of the pair of path parameters. The properties become fields of the resource; the path and query parameters are kept under their names. A `version` that is a decimal integer must be the current one; any other text is kept as `externalVersion`.',
      query: {
        queryParameterOne: { type: 'number', description: 'Stored on the resource.', example: 1.5 },
        queryParameterTwo: { type: 'string', description: 'Stored on the resource.' },
      },
      headers: [
        { name: 'Accept', description: `\`${formType}\` answers 203 with a form instead of JSON.` },
        ...[ifMatchHeader, ifNoneMatchHeader, externalUserHeader],
      ],
      body: {
        ...{ kind: 'json', contentTypes: ['application/json'], required: true },
        ...{ schema: complexSchema, example: exampleOf(complexSchema) },
      },
      responses: {
        200: { description: 'Updated; the arrays of the resource.', content: arrays, headers },
        201: { description: 'Created; the arrays of the resource.', content: arrays, headers },
        203: {
          description: 'Created or updated; the arrays as a form, a pair for each item.',
          content: { [formType]: { schema: { type: 'string' }, example: 'arrayOfIntExample=1&arrayOfIntExample=2' } },
          headers,
        },
      },
      errors: [
        ...(['InvalidInput', 'InvalidJsonInput', 'InvalidOperation', 'DuplicateField'] as const),
        ...(['ResourceSizeLimitExceeded', 'ConcurrentModification', 'PreconditionFailed'] as const),
        ...(['InsufficientStorage', 'OutcomeUnknown'] as const),
      ],
      idempotent: true,
      handler: async (request) => {
        const write = writeOf(request, deps, responseOf(request, deps));
        return toHttpResponse(await writeComplex(write, parametersOf(request), request.json));
      },
    },
  ];
}
