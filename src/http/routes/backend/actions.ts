import { type ActionName, actionTable } from '../../../contract/backend-actions.ts';
import { cartSchema } from '../../../contract/cart.ts';
import { type ErrorCode, malformedParameter, ServiceError } from '../../../contract/errors.ts';
import { checkDraft } from '../../../contract/resource.ts';
import { parseJson } from '../../../domain/json/parse.ts';
import type { Backends } from '../../../domain/ports/backend.ts';
import type { ApiRequest, HeaderParameter, ResponseDescription, Route, RouteBody, Schema } from '../../route.ts';
import { acceptWeight, externalUserHeader, externalUserOf } from '../headers.ts';
import { exampleOf } from '../resources/resource.ts';

export interface ActionDeps {
  readonly backends: Backends;
}

const anyJson: Schema = { description: 'Any JSON value.' };
const example = { lineItems: [{ name: 'Oak chair', count: 2, price: { centAmount: 12_950, currencyCode: 'EUR' } }] };

const documentContent = { 'application/json': { schema: anyJson, example } } as const;
const cartContent = { 'application/json': { schema: cartSchema, example: exampleOf(cartSchema) } } as const;
const answers = (description: string, content: ResponseDescription['content']): Route['responses'] => ({
  200: { description, ...(content && { content }) },
});

const backendErrors: readonly ErrorCode[] = ['BackendRefused', 'BackendFailed', 'BackendTimedOut', 'DataCorruption'];
const cartErrors: readonly ErrorCode[] = [...backendErrors, 'CartConflict'];
const writeErrors: readonly ErrorCode[] = [
  ...backendErrors,
  ...(['ResourceSizeLimitExceeded', 'InsufficientStorage', 'OutcomeUnknown'] as const),
];

const anyBody: RouteBody = { kind: 'json', contentTypes: ['application/json'], required: true, schema: anyJson };

const actionHeaders: readonly HeaderParameter[] = [
  { name: 'Accept', description: 'Must allow `application/json`; else 406.', pattern: 'application/json' },
  { name: 'Path-Header', description: 'The path of the page that asks.', required: true, pattern: '^/.*$' },
  { name: 'Test-Header', description: 'A JSON object in the shape of a resource (ObjectTestType).' },
];

/** Headers that go along to a backend elsewhere. Credentials are not among them. */
const passedOn = ['path-header', 'test-header', 'accept-language'] as const;

function headersOf({ headers }: ApiRequest): Readonly<Record<string, string>> {
  const passed: Record<string, string> = {};
  for (const name of passedOn) {
    const value = headers[name];
    if (value !== undefined) passed[name] = value;
  }
  return passed;
}

type Handler = Route['handler'];

function callBackend({ backends }: ActionDeps, action: ActionName): Handler {
  return (request) => {
    const { projectKey, url, json, correlationId, caller, idempotency, headers } = request;
    const mark = url.indexOf('?');
    const key = headers['idempotency-key'];
    return backends.of(projectKey).call({
      ...{ projectKey, action, json, correlationId, headers: headersOf(request) },
      query: mark < 0 ? '' : url.slice(mark + 1),
      clientId: caller?.clientId ?? '',
      externalUserId: externalUserOf(request),
      idempotency: idempotency && key !== undefined ? { ...idempotency, key } : undefined,
    });
  };
}

function checkedFirst(handler: Handler): Handler {
  return (request) => {
    checkActionHeaders(request);
    return handler(request);
  };
}

/** The headers of E17 (decision 27). Throws 406 or 400. */
function checkActionHeaders({ headers }: ApiRequest): void {
  if (acceptWeight(headers.accept, 'application/json') === 0) {
    throw new ServiceError('NotAcceptable', `Accept ${headers.accept}: application/json is what is answered here.`);
  }
  const path = headers['path-header'];
  if (path === undefined)
    throw malformedParameter('Path-Header', 'the header is missing, a path such as /cart expected');
  if (!/^\/.*$/.test(path)) throw malformedParameter('Path-Header', 'a path that begins with / expected');
  if (headers['test-header'] !== undefined) checkTestHeader(headers['test-header']);
}

/** A resource as a header: a JSON object with the types of ObjectTestType. A header sent twice is no JSON. */
function checkTestHeader(text: string): void {
  try {
    // Header values reach us as bytes, one character each.
    checkDraft(parseJson(Buffer.from(text, 'latin1').toString('utf8')));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const problem = String(error.details.detailedErrorMessage).replace(/^body: /, '');
    throw malformedParameter('Test-Header', `a JSON object in the shape of a resource expected; ${problem}`);
  }
}

function routeOf(deps: ActionDeps, action: ActionName) {
  const { method, segment } = actionTable[action];
  const path = `/:projectKey/resource/${segment}`;
  return { method, path, tag: 'Actions', handler: callBackend(deps, action) } as const;
}

/** The actions E14 to E18: they read and write in the backend of the project (decisions 26–28). */
export function actionRoutes(deps: ActionDeps): readonly Route[] {
  const toHeaders = routeOf(deps, 'GET namespace-action-with-headers');
  const reading = { access: ['manage_test', 'view_test'] } as const;
  return [
    {
      ...{ ...routeOf(deps, 'POST namespace-action'), operationId: 'runAction', access: ['manage_test'] },
      summary: 'Write to the backend',
      description:
        'The embedded backend merges an object into the document of the project (RFC 7396) and answers the document; any other JSON replaces it.',
      headers: [externalUserHeader],
      body: { ...anyBody, example },
      responses: answers('What the backend answers.', documentContent),
      errors: writeErrors,
      idempotent: true,
    },
    {
      ...{ ...routeOf(deps, 'GET namespace-action'), operationId: 'readAction', ...reading },
      summary: 'Read from the backend',
      description: 'The embedded backend answers the document of the project, `{}` before the first write.',
      responses: answers('What the backend answers.', documentContent),
      errors: backendErrors,
    },
    {
      ...{ ...routeOf(deps, 'GET namespace-action-with-example'), operationId: 'readActionWithExample', ...reading },
      summary: 'Read the cart',
      description:
        'The document of the project as a cart: ids that are missing are made, images filled in by sku, the sum added up in whole cents.',
      responses: answers('The cart.', cartContent),
      errors: cartErrors,
    },
    {
      ...{ ...toHeaders, operationId: 'readActionWithHeaders', ...reading },
      summary: 'Read the cart, with headers',
      description: 'The same cart, for a page that says where it is.',
      headers: actionHeaders,
      responses: answers('The cart.', cartContent),
      errors: [...cartErrors, 'NotAcceptable'],
      handler: checkedFirst(toHeaders.handler),
    },
    {
      ...routeOf(deps, 'PUT json-serializable-primitive-type'),
      ...{ operationId: 'writeJsonValue', access: ['manage_test'] },
      summary: 'Write any JSON value',
      description: 'The embedded backend keeps the value and answers it: an object, an array, a bare string, `null`.',
      headers: [externalUserHeader],
      body: { ...anyBody, example: 'any JSON' },
      responses: answers('What the backend answers.', {
        'application/json': { schema: anyJson, example: 'any JSON' },
      }),
      errors: writeErrors,
    },
  ];
}
