import { servicePath } from '../../config/base-path.ts';
import type { Config } from '../../config/settings.ts';
import { scopeTable, serviceScope, serviceScopeMeaning } from '../../contract/scopes.ts';
import type { Route, Schema } from '../route.ts';
import { errorExamples, errorsOf } from './errors.ts';
import { operationOf, pathOf, responseHeaders } from './operation.ts';

export interface OpenApiInfo {
  readonly version: string;
  readonly servers: readonly (Schema & { readonly url: string })[];
}

const about = `Stores JSON resources: versioned, isolated by project, and readable by id, by key, by predicate and by search.

Requests inside a project carry \`Authorization: Bearer <token>\`; the token endpoint issues tokens. Response bodies are
JSON unless documented otherwise, errors included. Every GET endpoint also supports HEAD.`;

/** The URLs of the API: this node, and the public address of decision 31. */
export function serversOf(config: Config): OpenApiInfo['servers'] {
  const { region, cloudProvider, domain } = config;
  const path = servicePath(config);
  return [
    { url: path || '/', description: 'The node that serves this document.' },
    {
      url: `https://api.{region}.{cloudProvider}.${domain ?? 'example.com'}${path}`,
      description: 'The public address.',
      variables: {
        region: { default: region ?? 'eu-central-1', description: 'The region of the node.' },
        cloudProvider: { default: cloudProvider ?? 'aws', description: 'The cloud provider of the node.' },
      },
    },
  ];
}

/** The OpenAPI 3.1 document of the routes, made from the same data that serves them. */
export function openApiDocument(all: readonly Route[], { version, servers }: OpenApiInfo): Schema {
  const routes = all.filter(({ undocumented }) => !undocumented);
  const schemas = new Map<string, Schema>();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = pathOf(route);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: shareSchemas(operationOf(route), schemas) };
  }
  const used = JSON.stringify(paths);
  const usedOf = (kind: string, known: Readonly<Record<string, Schema>>) =>
    Object.fromEntries(Object.entries(known).filter(([name]) => used.includes(`"#/components/${kind}/${name}"`)));
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
    components: {
      securitySchemes: securitySchemes(servers[0]?.url.replace(/\/$/, '') ?? ''),
      parameters: usedOf('parameters', parameters),
      headers: usedOf('headers', headers),
      examples: errorExamples(routes.filter(({ method }) => method !== 'HEAD').flatMap(errorsOf)),
      schemas: Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

function tagsOf(routes: readonly Route[]): readonly Schema[] {
  const byTag = Map.groupBy(routes, ({ tag }) => tag);
  return [...byTag].map(([name, members]) => ({
    name,
    description: members.map(({ summary }) => `${summary}.`).join(' '),
  }));
}

/**
 * Moves schemas that have a title to the components, so that generators make one type for each. Throws if two different
 * schemas have the same title.
 */
function shareSchemas(value: unknown, schemas: Map<string, Schema>): unknown {
  if (Array.isArray(value)) return value.map((item) => shareSchemas(item, schemas));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [
    name,
    // Examples are data: a title in them is no name of a schema.
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

const headers: Readonly<Record<string, Schema>> = Object.fromEntries(
  Object.entries(responseHeaders).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
);

const parameters: Readonly<Record<string, Schema>> = {
  'X-Correlation-ID': {
    name: 'X-Correlation-ID',
    in: 'header',
    required: false,
    description:
      'An id for the request, returned in the response and written to every log line about the request. The service generates one where it is absent, or not 1 to 256 printable ASCII characters.',
    schema: { type: 'string' },
  },
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'A unique key for the request. If the same request is repeated with the same key within 24 hours, it is not executed again: the first response is returned.',
    schema: { type: 'string', pattern: '^[ -~]{1,255}$' },
  },
};

const scopes: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(scopeTable).map(([name, { meaning }]) => [`${name}:{projectKey}`, meaning])),
  [serviceScope]: serviceScopeMeaning,
};

function securitySchemes(serverUrl: string): Schema {
  // The server may be `/`, and two slashes would begin the name of a host. Without any, some clients add it to the host.
  const tokenUrl = `${serverUrl.replace(/\/+$/, '')}/oauth/token`;
  return {
    oauth2: {
      type: 'oauth2',
      description: 'Client credentials. A scope is a name, a colon and a project key.',
      flows: { clientCredentials: { tokenUrl, scopes } },
    },
    bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'An access token.' },
    client: { type: 'http', scheme: 'basic', description: 'Client id and client secret, for the token endpoint.' },
  };
}
