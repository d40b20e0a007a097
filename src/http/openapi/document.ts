import { scopeTable } from '../../contract/scopes.ts';
import type { Route, Schema } from '../route.ts';
import { errorExamples, errorsOf } from './errors.ts';
import { operationOf, pathOf, responseHeaders } from './operation.ts';

export interface OpenApiInfo {
  readonly version: string;
  readonly servers: readonly OpenApiServer[];
}

export interface OpenApiServer {
  readonly url: string;
  readonly description?: string;
  readonly variables?: Readonly<Record<string, { readonly default: string; readonly description?: string }>>;
}

const about = `Keeps JSON resources: versioned, isolated by project, readable by id, by key, by predicate and by search.

Every request inside a project carries \`Authorization: Bearer <token>\`; tokens come from the token endpoint. Every answer
with a body is JSON unless it says otherwise, errors included. Every GET can also be asked with HEAD.`;

/** The OpenAPI 3.1 document of the routes: made from the very data that serves them. */
export function openApiDocument(routes: readonly Route[], { version, servers }: OpenApiInfo): Schema {
  const schemas = new Map<string, Schema>();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = pathOf(route);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: shareSchemas(operationOf(route), schemas) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Generic Resource Service',
      version,
      description: about,
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers,
    tags: tagsOf(routes),
    security: [{ bearer: [] }],
    paths,
    components: componentsOf(routes, servers, schemas, JSON.stringify(paths)),
  };
}

function tagsOf(routes: readonly Route[]): readonly Schema[] {
  const summaries = Map.groupBy(routes, ({ tag }) => tag);
  return [...summaries].map(([name, members]) => ({
    name,
    description: members.map(({ summary }) => summary.replace(/\.?$/, '.')).join(' '),
  }));
}

/**
 * Takes schemas that have a title out to the components, so that generators make one type for each.
 * Two different schemas of one title are a mistake in the routes: it throws.
 */
function shareSchemas(value: unknown, schemas: Map<string, Schema>): unknown {
  if (Array.isArray(value)) return value.map((item) => shareSchemas(item, schemas));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [
    name,
    // Examples are data: a title in them names nothing.
    name === 'example' || name === 'examples' ? member : shareSchemas(member, schemas),
  ]);
  const shared: Schema = Object.fromEntries(members);
  const { title } = shared;
  if (typeof title !== 'string' || !/^[A-Z]\w*$/.test(title)) return shared;
  const known = schemas.get(title);
  if (known && JSON.stringify(known) !== JSON.stringify(shared)) throw new Error(`Two different schemas: ${title}`);
  schemas.set(title, shared);
  return { $ref: `#/components/schemas/${title}` };
}

function componentsOf(
  routes: readonly Route[],
  servers: readonly OpenApiServer[],
  schemas: ReadonlyMap<string, Schema>,
  paths: string,
): Schema {
  const isUsed = (kind: string) => (name: string) => paths.includes(`"#/components/${kind}/${name}"`);
  return {
    securitySchemes: securitySchemes(servers[0]?.url ?? ''),
    parameters: pick(parameters, isUsed('parameters')),
    headers: pick(headers, isUsed('headers')),
    examples: errorExamples(routes.filter(({ method }) => method !== 'HEAD').flatMap(errorsOf)),
    schemas: Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function pick(all: Readonly<Record<string, Schema>>, isUsed: (name: string) => boolean): Schema {
  return Object.fromEntries(Object.entries(all).filter(([name]) => isUsed(name)));
}

const headers: Readonly<Record<string, Schema>> = Object.fromEntries(
  Object.entries(responseHeaders).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
);

const parameters: Readonly<Record<string, Schema>> = {
  'X-Correlation-ID': {
    name: 'X-Correlation-ID',
    in: 'header',
    required: false,
    description: 'Is in the answer and in every line of the log about the request. Made by the service if absent.',
    schema: { type: 'string', pattern: '^[ -~]{1,256}$' },
  },
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'A repeat with the same key and the same request within 24 hours gets the first answer again.',
    schema: { type: 'string', pattern: '^[ -~]{1,255}$' },
  },
};

function securitySchemes(serverUrl: string): Schema {
  const scopes = Object.entries(scopeTable).map(([name, { meaning }]) => [`${name}:{projectKey}`, meaning]);
  return {
    oauth2: {
      type: 'oauth2',
      description: 'Client credentials. A scope is its name, a colon and the project key.',
      flows: { clientCredentials: { tokenUrl: `${serverUrl}/oauth/token`, scopes: Object.fromEntries(scopes) } },
    },
    bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'An access token.' },
    client: { type: 'http', scheme: 'basic', description: 'Client id and client secret, at the token endpoint.' },
  };
}
