import { type ActionName, actionTable, cartSchema, returnsCart } from '../../../contract/backend-actions.ts';
import { type ErrorCode, malformedParameter, ServiceError } from '../../../contract/errors.ts';
import { checkDraft } from '../../../contract/resource.ts';
import { parseJson } from '../../../domain/json/parse.ts';
import type { ActionResponse } from '../../../domain/ports/backend.ts';
import { parsePreconditions, withoutCodings } from '../../../domain/resource/write/preconditions.ts';
import { sessionForm } from '../../../domain/sessions/sessions.ts';
import type { ApiRequest, HeaderParameter, HttpResponse, ParameterTable, Route } from '../../route.ts';
import type { RouteDeps } from '../all.ts';
import {
  acceptWeight,
  conditional,
  conditionHeaders,
  entityTagsHeader,
  externalUserHeader,
  externalUserOf,
} from '../headers.ts';
import { answer, jsonBody } from '../json.ts';

const anyJson = { description: 'Any JSON value.' };
const example = { lineItems: [{ name: 'Oak chair', count: 2, price: { centAmount: 12_950, currencyCode: 'EUR' } }] };

const documentResponse = {
  200: answer('The response of the backend.', anyJson, example, ['ETag']),
};
const notModified = { 304: { description: 'What the client has is current.', headers: ['ETag'] } };
const cartResponse = {
  200: answer('The cart.', cartSchema, undefined, ['ETag']),
  ...notModified,
};

const writeConditionHeaders: readonly HeaderParameter[] = [
  entityTagsHeader('If-Match', 'Entity tags. Returns 412, and nothing is written, if none of them is current.'),
  entityTagsHeader('If-None-Match', 'With `*`, only the first write. Returns 412 if there was one.'),
];

const backendErrors = ['PreconditionFailed', 'BackendRefused', 'BackendFailed', 'BackendTimedOut'] as const;
const cartErrors: readonly ErrorCode[] = [...backendErrors, 'CartConflict'];

const sessionHeader: HeaderParameter = {
  name: 'X-Session-Id',
  description:
    'An opaque id at random, such as a UUID: whoever knows it can use the session. The embedded backend then keeps the document and the value of this session, apart from those of the project and of all other sessions.',
  example: '0b2d8c1e-6f0a-4f57-9f43-3f1d5c1c7a52',
  pattern: sessionForm.source,
};

/** Headers that are passed on to a backend. Credentials are not among them. */
const forwardedHeaders = ['path-header', 'test-header', 'accept-language', 'x-session-id'] as const;
const conditions = ['if-match', 'if-none-match'] as const;

/** Calls the backend, and compares the tag of a read with the conditions of the request (decision 91). */
async function callBackend(deps: RouteDeps, action: ActionName, request: ApiRequest): Promise<HttpResponse> {
  const { 'if-match': match, 'if-none-match': noneMatch } = request.headers;
  // Malformed ones are refused before anything is called.
  parsePreconditions(match, noneMatch);
  checkSession(request);
  const { status, body, etag } = await forward(deps, action, request);
  if (etag === undefined) return { status, body };
  const isRead = actionTable[action].method === 'GET' && status === 200;
  return isRead ? conditional(request, etag, { status, body }) : { status, headers: { etag }, body };
}

/** Throws 400. */
function checkSession({ headers: { 'x-session-id': session } }: ApiRequest): void {
  if (session === undefined || sessionForm.test(session)) return;
  throw malformedParameter('X-Session-Id', 'expected 16 to 128 letters, digits, - and _, at random, such as a UUID');
}

/** The headers by which a request of a handler is one of its caller. */
function callerHeaders({ headers, correlationId }: ApiRequest): Readonly<Record<string, string>> {
  const { authorization = '', 'x-external-user-id': user } = headers;
  return {
    authorization,
    'x-correlation-id': correlationId,
    ...(user !== undefined && { 'x-external-user-id': user }),
  };
}

function forward(
  { backends, callService }: RouteDeps,
  action: ActionName,
  request: ApiRequest,
): Promise<ActionResponse> {
  const { projectKey, url, json, correlationId, caller, idempotency, headers } = request;
  const forwarded: Record<string, string> = {};
  // A cart is completed here, so no backend knows its tag.
  for (const name of returnsCart(action) ? forwardedHeaders : [...forwardedHeaders, ...conditions]) {
    const value = headers[name];
    // The coding of a response is the service's own: a backend knows its tag without it.
    if (value !== undefined) forwarded[name] = name.startsWith('if-') ? withoutCodings(value) : value;
  }
  const mark = url.indexOf('?');
  const key = headers['idempotency-key'];
  return backends.of(projectKey).call({
    projectKey,
    action,
    json,
    query: mark < 0 ? '' : url.slice(mark + 1),
    headers: forwarded,
    correlationId,
    clientId: caller?.clientId ?? '',
    externalUserId: externalUserOf(request),
    callService: (call) => callService({ ...call, headers: { ...call.headers, ...callerHeaders(request) } }),
    idempotency: idempotency && key !== undefined ? { ...idempotency, key } : undefined,
  });
}

/** The headers of E17 (decision 27). Throws 406 or 400. */
function checkActionHeaders({ headers }: ApiRequest): void {
  if (acceptWeight(headers.accept, 'application/json') === 0) {
    throw new ServiceError('NotAcceptable', `Accept ${headers.accept}: only application/json is available.`);
  }
  const path = headers['path-header'];
  if (path === undefined)
    throw malformedParameter('Path-Header', 'the header is missing; expected a path such as /cart');
  if (!/^\/.*$/.test(path)) throw malformedParameter('Path-Header', 'expected a path that begins with /');
  if (headers['test-header'] !== undefined) checkTestHeader(headers['test-header']);
}

/** A JSON object with the types of ObjectTestType. A header that was sent twice is not JSON. */
function checkTestHeader(text: string): void {
  try {
    // Node decodes header values as latin1, one character for each byte.
    checkDraft(parseJson(Buffer.from(text, 'latin1').toString('utf8')));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const problem = String(error.details.detailedErrorMessage).replace(/^body: /, '');
    throw malformedParameter('Test-Header', `expected a JSON object in the shape of a resource; ${problem}`);
  }
}

/** Whatever a client sends goes to the backend of the project as it is. */
const passedOn = {
  '*': { type: 'string', repeatable: true, description: 'Query parameters of any name are passed on to the backend.' },
} as const satisfies ParameterTable;

/** The backend actions E14 to E18. They read and write in the backend of the project (decisions 26–28). */
export function actionRoutes(deps: RouteDeps): readonly Route[] {
  const routeOf = (action: ActionName) => {
    const { method, segment } = actionTable[action];
    const handler = (request: ApiRequest) => callBackend(deps, action, request);
    return {
      method,
      path: `/:projectKey/resource/${segment}`,
      tag: 'Backend actions',
      query: passedOn,
      handler,
    } as const;
  };
  const write = {
    access: ['manage_test', 'use_backend'],
    headers: [...writeConditionHeaders, externalUserHeader, sessionHeader],
    errors: [...backendErrors, 'ResourceSizeLimitExceeded', 'QuotaExceeded'],
  } as const;
  const read = {
    access: ['manage_test', 'view_test', 'use_backend'],
    headers: [...conditionHeaders, sessionHeader],
  } as const;
  const withHeaders = routeOf('GET namespace-action-with-headers');
  return [
    {
      ...routeOf('POST namespace-action'),
      ...write,
      operationId: 'runAction',
      summary: 'Write to the backend',
      description:
        'The embedded backend merges a JSON object into the document of the project (RFC 7396) and returns the document. Any other JSON value replaces the document.',
      body: jsonBody(anyJson, example),
      responses: documentResponse,
      idempotent: true,
    },
    {
      ...routeOf('GET namespace-action'),
      ...read,
      operationId: 'readAction',
      summary: 'Read from the backend',
      description: 'The embedded backend returns the document of the project, or `{}` before the first write.',
      responses: { ...documentResponse, ...notModified },
      errors: backendErrors,
    },
    {
      ...routeOf('GET namespace-action-with-example'),
      ...read,
      operationId: 'readActionWithExample',
      summary: 'Read the cart',
      description:
        'Returns the document of the project as a cart. Missing ids are generated, images are added by SKU, and the sum is computed in whole cents.',
      responses: cartResponse,
      errors: cartErrors,
    },
    {
      ...withHeaders,
      ...read,
      operationId: 'readActionWithHeaders',
      summary: 'Read the cart for a page',
      description: 'Returns the same cart. The headers say which page it is for.',
      headers: [
        ...read.headers,
        {
          name: 'Accept',
          description: 'Must allow `application/json`; otherwise 406.',
          example: 'application/json',
          pattern: 'application/json|application/\\*|\\*/\\*|^$',
        },
        {
          name: 'Path-Header',
          description: 'The path of the page.',
          required: true,
          example: '/cart',
          pattern: '^/.*$',
        },
        {
          name: 'Test-Header',
          description: 'A JSON object in the shape of a resource (ObjectTestType).',
          example: '{"version":1}',
        },
      ],
      responses: cartResponse,
      errors: [...cartErrors, 'NotAcceptable'],
      handler(request) {
        checkActionHeaders(request);
        return withHeaders.handler(request);
      },
    },
    {
      ...routeOf('PUT json-serializable-primitive-type'),
      ...write,
      operationId: 'writeJsonValue',
      summary: 'Write any JSON value',
      description: 'The embedded backend stores the value and returns it: an object, an array, a string, `null`.',
      body: jsonBody(anyJson, 'any JSON'),
      responses: {
        200: answer('The response of the backend.', anyJson, 'any JSON', ['ETag']),
      },
    },
  ];
}
