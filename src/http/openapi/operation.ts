import { list } from '../../contract/json.ts';
import { shortTextSchema } from '../../contract/resource.ts';
import { type ScopeName, serviceScope } from '../../contract/scopes.ts';
import { hasEffect } from '../request/query.ts';
import type { HeaderParameter, Parameter, ResponseDescription, Route, Schema } from '../route.ts';
import { errorResponses } from './errors.ts';

/** The path parameters. Routes have only their names. */
const unencoded = 'Percent-encode all characters except letters, digits, `-`, `.`, `_` and `~`.';

const pathParameters: Readonly<Record<string, Schema>> = {
  projectKey: {
    description: 'The key of the project. Projects are isolated from each other.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' },
    example: 'my-project',
  },
  id: {
    description: `The id of the resource. ${unencoded}`,
    schema: shortTextSchema,
    example: '01935f6e-8f2a-7c31-9d5e-0a4f6b7c8d9e',
  },
  key: {
    description: 'The key of the resource, percent-encoded like an id.',
    schema: shortTextSchema,
    example: 'chair-1',
  },
};

const anyPathParameter: Schema = {
  description: 'A percent-encoded string.',
  schema: { type: 'string', minLength: 1, pattern: shortTextSchema.pattern },
  example: 'value',
};

/** The response headers. */
export const responseHeaders: Readonly<Record<string, string>> = {
  'X-Correlation-ID': 'The correlation id of the request, or a generated one.',
  ETag: 'The entity tag, opaque, for `If-Match` and `If-None-Match`.',
  Link: 'With `rel="next"`, the address of the page that follows. Absent on the last page, and where it would be too long.',
  Location: 'The URL of the resource.',
  'Retry-After': 'The number of seconds to wait before trying again.',
  'WWW-Authenticate': 'How to authenticate.',
  'Preference-Applied': '`eventual` if the response did not wait for the database, and may be slightly out of date.',
  'X-Export-Count': 'A trailer, after the body: the number of resources. Absent where the download was cut.',
  'X-Events-After':
    'Where the log of changes was before the first resource was read: `after` for the events from there on.',
  'Cache-Control': 'How long the response may be cached.',
};

/** The path of a route in OpenAPI syntax. */
export function pathOf({ path }: Route): string {
  return path.replace(/:(\w+)/g, '{$1}');
}

/** The operation object of a route. */
export function operationOf(route: Route): Schema {
  const { operationId, tag, summary, description, body } = route;
  return {
    operationId,
    tags: [tag],
    summary,
    description: `${description ?? `${summary}.`}${anyParametersNote(route)}${scopesNote(route)}`,
    security: securityOf(route),
    parameters: parametersOf(route),
    ...(body && { requestBody: requestBodyOf(body) }),
    responses: responsesOf(route),
  };
}

/** Generators send an object of free names as `[object Object]`, or as one parameter: that there are such is said in words. */
function anyParametersNote({ query = {} }: Route): string {
  const parameter = query['*'];
  return parameter && hasEffect(parameter) ? ` ${parameter.description}` : '';
}

function scopesNote({ access, published }: Route): string {
  if (access === 'service') return `\n\nScope: \`${serviceScope}\`, without a project.`;
  if (typeof access === 'string') return '';
  return `\n\nScopes: ${scopesOf(access, published)
    .map((name) => `\`${name}:{projectKey}\``)
    .join(' or ')}.`;
}

function scopesOf(access: readonly ScopeName[], published?: true): readonly ScopeName[] {
  return published ? [...access, 'view_published'] : access;
}

function securityOf({ access, published }: Route): readonly Schema[] {
  if (access === 'public') return [];
  // The client may also authenticate in the form, which OpenAPI cannot express.
  if (access === 'client') return [{ client: [] }, {}];
  if (access === 'service') return [{ oauth2: [serviceScope] }, { bearer: [] }];
  return [...scopesOf(access, published).map((name) => ({ oauth2: [`${name}:{projectKey}`] })), { bearer: [] }];
}

function parametersOf({ path, query = {}, headers = [], idempotent }: Route): readonly Schema[] {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    ...(pathParameters[name!] ?? anyPathParameter),
  }));
  // Ignored parameters are undocumented: they are accepted for clients that send the same parameters everywhere.
  const described = Object.entries(query).filter(([, parameter]) => hasEffect(parameter));
  const inQuery = described.flatMap(([name, parameter]) => queryParameters(name, parameter));
  const inHeaders = headers.map(headerParameter);
  const shared = idempotent ? ['Idempotency-Key', 'X-Correlation-ID'] : ['X-Correlation-ID'];
  return [...inPath, ...inQuery, ...inHeaders, ...shared.map((name) => ({ $ref: `#/components/parameters/${name}` }))];
}

function headerParameter({ name, description, example, required = false, ...constraints }: HeaderParameter): Schema {
  const schema = { type: 'string', ...constraints };
  return { name, in: 'header', required, description, schema, ...(example !== undefined && { example }) };
}

/**
 * Generators know no families of names, and send an object in brackets as `[object Object]`: a family is in the document by
 * the names that it is known to have. One of free names, such as `var.*`, is described with the parameter that needs it.
 */
function queryParameters(name: string, parameter: Parameter): readonly Schema[] {
  if (!name.endsWith('*')) return [queryParameter(name, parameter)];
  // One value for each name is all that callers need, and a plain text in every client.
  const { documented = [], pattern: _pattern, repeatable: _repeatable, ...each } = parameter;
  return documented.map((one) => queryParameter(one, each));
}

function queryParameter(name: string, parameter: Parameter): Schema {
  const { description, example } = parameter;
  const common = { in: 'query', required: false, description, ...(example !== undefined && { example }) };
  // JSON, because generators disagree about objects with bracketed members.
  if (parameter.type === 'object') return { ...common, name, schema: { type: 'string' } };
  const item = scalarSchema(parameter);
  if (!parameter.repeatable) return { ...common, name, schema: item };
  return { ...common, name, style: 'form', explode: true, schema: list(item) };
}

function scalarSchema({ type, format, minimum, maximum, words, pattern, default: value }: Parameter): Schema {
  return {
    type,
    ...(format !== undefined && { format }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(words !== undefined && { enum: words }),
    ...(pattern !== undefined && { pattern: pattern.source }),
    ...(value !== undefined && { default: value }),
  };
}

function requestBodyOf({ contentTypes, required, schema, example }: NonNullable<Route['body']>): Schema {
  const media = { schema, ...(example !== undefined && { example }) };
  return { required, content: Object.fromEntries(contentTypes.map((type) => [type, media])) };
}

const correlation = { 'X-Correlation-ID': { $ref: '#/components/headers/X-Correlation-ID' } };

function responsesOf(route: Route): Schema {
  const own = Object.entries(route.responses).map(([status, response]) => [status, responseOf(response)]);
  return { ...errorResponses(route, correlation), ...Object.fromEntries(own) };
}

function responseOf({ description, content, headers = [] }: ResponseDescription): Schema {
  const references = headers.map((name) => [name, { $ref: `#/components/headers/${name}` }]);
  return {
    description,
    headers: { ...correlation, ...Object.fromEntries(references) },
    ...(content && { content }),
  };
}
