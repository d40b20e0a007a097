import { allArraysSchema } from '../../../contract/array-test-type.ts';
import { complexSchema } from '../../../contract/complex.ts';
import { stringifyJson } from '../../../domain/json/parse.ts';
import {
  arrayTestTypeOf,
  type ComplexParameters,
  formOf,
  writeComplex,
} from '../../../domain/resource/write/complex.ts';
import type { Outcome } from '../../../domain/resource/write/decision.ts';
import { etagOf } from '../../../domain/resource/write/preconditions.ts';
import type { ApiRequest, Route } from '../../route.ts';
import type { RouteDeps } from '../all.ts';
import { acceptWeight, externalUserHeader, ifMatchHeader, ifNoneMatchHeader } from '../headers.ts';
import { jsonBody, jsonContent } from '../json.ts';
import { refusedOnWrites, versionParameter } from '../version-parameter.ts';
import { locationOf, resourceTag, writeErrors, writeOf } from './resource.ts';

const formType = 'application/x-www-form-urlencoded';

function parametersOf({ params, query }: ApiRequest): ComplexParameters {
  const { uriParameterOne = '', uriParameterTwo = '' } = params;
  const queryParameterOne = query.get('queryParameterOne') as number | undefined;
  const queryParameterTwo = query.get('queryParameterTwo') as string | undefined;
  return { uriParameterOne, uriParameterTwo, queryParameterOne, queryParameterTwo };
}

function prefersForm({ headers: { accept } }: ApiRequest): boolean {
  return accept !== undefined && acceptWeight(accept, formType) > acceptWeight(accept, 'application/json');
}

/** Decision 19: 201 created, 200 updated, 203 as a form; always the seven arrays. */
function arraysResponse(request: ApiRequest, deps: RouteDeps, { kind, record, documents }: Outcome) {
  const arrays = arrayTestTypeOf(documents.current);
  const headers = { etag: etagOf(record), location: locationOf(deps, record) };
  if (!prefersForm(request)) {
    return { status: kind === 'created' ? 201 : 200, headers, body: stringifyJson(arrays) };
  }
  return { status: 203, headers: { ...headers, 'content-type': formType }, body: formOf(arrays) };
}

const content = jsonContent(allArraysSchema);
const headers = ['ETag', 'Location'];

/** The update with a complex path: E9. */
export function complexRoutes(deps: RouteDeps): readonly Route[] {
  return [
    {
      operationId: 'updateByComplexPath',
      method: 'POST',
      path: '/:projectKey/resource/artificially-complex/path/uri-parameter-one=:uriParameterOne/:uriParameterTwo',
      tag: resourceTag,
      access: ['manage_test'],
      summary: 'Create or update a resource by a complex path',
      description:
        'The `id` in the body names the resource, or else its `key`, or else the pair of path parameters. The properties become fields of the resource, and so do the path and query parameters, under their names. A `version` that is a decimal integer must be the current version; any other string is stored as `externalVersion`.',
      query: {
        queryParameterOne: { type: 'number', description: 'Stored as a field of the resource.', example: 1.5 },
        queryParameterTwo: { type: 'string', description: 'Stored as a field of the resource.' },
        ...versionParameter,
        ...refusedOnWrites(
          'this write changes both projections; to stage a change, send update actions with `"staged": true` to POST /{projectKey}/resource/{id}',
        ),
      },
      headers: [
        { name: 'Accept', description: `If it prefers \`${formType}\`, the response is 203 with a form.` },
        ifMatchHeader,
        ifNoneMatchHeader,
        externalUserHeader,
      ],
      body: jsonBody(complexSchema),
      responses: {
        200: { description: 'Updated. The arrays of the resource.', content, headers },
        201: { description: 'Created. The arrays of the resource.', content, headers },
        203: {
          description: 'Created or updated. The arrays of the resource as a form, one pair for each item.',
          content: { [formType]: { schema: { type: 'string' }, example: 'arrayOfIntExample=1&arrayOfIntExample=2' } },
          headers,
        },
      },
      errors: [...writeErrors, 'InvalidOperation', 'DuplicateField'],
      idempotent: true,
      handler(request) {
        const responseOf = (outcome: Outcome) => arraysResponse(request, deps, outcome);
        return writeComplex({ ...writeOf(request, deps), responseOf }, parametersOf(request), request.json);
      },
    },
  ];
}
