import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { type ErrorRow, errorTable } from '../../src/contract/errors.ts';
import { openApiDocument } from '../../src/http/openapi/document.ts';
import type { Schema } from '../../src/http/route.ts';
import { healthRoutes } from '../../src/http/routes/operations/health.ts';
import { route, routes } from './fixture.ts';

const info = { version: '1.2.3', servers: [{ url: 'https://api.example.org' }] };
// biome-ignore lint/suspicious/noExplicitAny: the document is looked at by path, as its readers do.
const documentOf = (all = routes): any => openApiDocument(all, info);

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name?: string }[];
  readonly responses: Readonly<Record<string, unknown>>;
}

const published: {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, { readonly required?: readonly string[] }>> };
} = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'));

/** Whether a part of the published document refers to a schema, directly or through others. */
function reaches(part: unknown, wanted: string, seen = new Set<string>()): boolean {
  for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (name === wanted) return true;
    if (seen.has(name)) continue;
    seen.add(name);
    if (reaches(published.components.schemas[name], wanted, seen)) return true;
  }
  return false;
}

describe('OpenAPI document', () => {
  test('has every route under its path and method, with a unique operationId', () => {
    const { paths, openapi } = documentOf();
    assert.equal(openapi, '3.1.0');
    for (const { method, path, operationId } of routes) {
      const operation = paths[path.replace(/:(\w+)/g, '{$1}')][method.toLowerCase()];
      assert.equal(operation.operationId, operationId);
      assert.ok(operation.summary && operation.description && operation.tags.length === 1);
    }
  });

  test('says for every operation what it is called with: scopes, bearer, client or nothing', () => {
    const { paths, components } = documentOf();
    assert.deepEqual(paths['/{projectKey}/things'].get.security, [
      { oauth2: ['manage_test:{projectKey}'] },
      { oauth2: ['view_test:{projectKey}'] },
      { bearer: [] },
    ]);
    assert.deepEqual(paths['/health/live'].get.security, []);
    assert.deepEqual(paths['/oauth/token'].post.security, [{ client: [] }, {}]);
    const { tokenUrl, scopes } = components.securitySchemes.oauth2.flows.clientCredentials;
    assert.equal(tokenUrl, 'https://api.example.org/oauth/token');
    assert.ok('view_test:{projectKey}' in scopes);
  });

  test('has the address of tokens at the server, also under a path', () => {
    for (const [url, expected] of [
      ['/', '/oauth/token'],
      ['/api', '/api/oauth/token'],
      ['/api/', '/api/oauth/token'],
      ['https://example.org/api/', 'https://example.org/api/oauth/token'],
    ] as const) {
      const { components } = openApiDocument(routes, { version: '1.2.3', servers: [{ url }] }) as {
        components: { securitySchemes: { oauth2: { flows: { clientCredentials: { tokenUrl: string } } } } };
      };
      assert.equal(components.securitySchemes.oauth2.flows.clientCredentials.tokenUrl, expected, url);
    }
  });

  test('says for every operation which errors it returns, by status, with an example for each code', () => {
    const { paths, components } = documentOf();
    const post = paths['/{projectKey}/things'].post;
    const statuses = Object.keys(post.responses);
    for (const status of [
      '200',
      '400',
      '401',
      '403',
      '404',
      '409',
      '413',
      '414',
      '415',
      '421',
      '422',
      '429',
      '500',
      '503',
    ]) {
      assert.ok(statuses.includes(status), status);
    }
    const { examples } = post.responses['400'].content['application/json'];
    assert.deepEqual(Object.keys(examples), ['InvalidInput', 'InvalidJsonInput']);
    assert.equal(components.examples.InvalidJsonInput.value.errors[0].code, 'InvalidJsonInput');
    assert.ok(components.examples.InvalidJsonInput.value.errors[0].detailedErrorMessage);
    assert.equal(paths['/{projectKey}/things'].head.responses['400'].content, undefined);
  });

  test('every reference leads somewhere, and every component is used', () => {
    const document = documentOf([
      ...routes.slice(0, 6),
      ...healthRoutes({
        status: async () => ({ writable: true, isWarm: true, sizeBytes: 0, logBytes: 0, damagedRows: 0 }),
        renderMetrics: () => '',
      }),
    ]);
    const text = JSON.stringify(document);
    const references = new Set([...text.matchAll(/"\$ref":"#\/components\/([^"]+)"/g)].map(([, name]) => name!));
    for (const name of references) {
      const [kind, member] = name.split('/') as [string, string];
      assert.ok(document.components[kind]?.[member], name);
    }
    for (const kind of ['schemas', 'parameters', 'headers', 'examples']) {
      for (const member of Object.keys(document.components[kind]))
        assert.ok(references.has(`${kind}/${member}`), member);
    }
  });

  test('parameters: a family has its known names, an object is JSON, a repeatable one an array, numbers have their bounds', () => {
    const query = {
      limit: { type: 'integer', description: 'How many.', minimum: 0, maximum: 500, default: 20 },
      many: { type: 'string', description: 'Many.', repeatable: true },
      'var.*': { type: 'string', description: 'Variables.', repeatable: true, pattern: /^var[.]\w+$/ },
      'text.*': {
        type: 'string',
        repeatable: true,
        description: 'Texts.',
        pattern: /^text[.]\w+$/,
        documented: ['text.de', 'text.en'],
      },
      object: { type: 'object', description: 'An object.' },
    } as const;
    const { parameters } = documentOf([route({ operationId: 'a', path: '/:projectKey/a', query })]).paths[
      '/{projectKey}/a'
    ].get;
    const of = (name: string) => parameters.find((parameter: { name?: string }) => parameter.name === name);
    assert.deepEqual(of('limit').schema, { type: 'integer', minimum: 0, maximum: 500, default: 20 });
    assert.deepEqual(of('many').schema, { type: 'array', items: { type: 'string' } });
    assert.deepEqual(of('text.de').schema, { type: 'string' });
    assert.deepEqual(of('text.en').schema, { type: 'string' });
    assert.deepEqual(of('object').schema, { type: 'string' });
    assert.equal(JSON.stringify(parameters).includes('deepObject'), false);
    assert.equal(of('var'), undefined, 'its names are free');
    assert.equal(of('projectKey').required, true);
  });

  test('the schema of errors has every extra field of the table of errors', () => {
    const { ErrorEntry } = documentOf().components.schemas;
    const table: readonly ErrorRow[] = Object.values(errorTable);
    for (const field of table.flatMap(({ fields = [] }) => fields)) assert.ok(ErrorEntry.properties[field], field);
    assert.deepEqual(ErrorEntry.required, ['code', 'message']);
  });

  test('no schema of the service has a list of types where one would do, or an array without items', () => {
    const listed: string[] = [];
    const look = (value: unknown, path: string): void => {
      if (typeof value !== 'object' || value === null) return;
      const { type, items } = value as { type?: unknown; items?: unknown };
      // `null` beside one type is what OpenAPI 3.1 has for nullable.
      if (Array.isArray(type) && type.filter((one) => one !== 'null').length > 1) listed.push(path);
      if (type === 'array' && items === undefined) listed.push(path);
      for (const [name, member] of Object.entries(value)) {
        if (name !== 'example' && name !== 'examples') look(member, `${path}/${name}`);
      }
    };
    look(published, '');
    assert.deepEqual(listed, []);
  });

  test('reads that take `fields` promise only what they return whatever is asked for', () => {
    const reads = Object.values(published.paths).flatMap((path) =>
      Object.values(path).filter(
        ({ parameters, operationId }) =>
          operationId !== 'exportResources' && parameters.some(({ name }) => name === 'fields'),
      ),
    );
    assert.ok(reads.length >= 5, String(reads.length));
    for (const read of reads) {
      assert.equal(reaches(read.responses['200'], 'SelectedResource'), true, read.operationId);
      assert.equal(reaches(read.responses['200'], 'Resource'), false, read.operationId);
    }
    assert.deepEqual(published.components.schemas.SelectedResource?.required, ['id', 'version']);
  });

  test('leaves out routes that are no operations, and parameters that are ignored or refused', () => {
    const query = {
      used: { type: 'string', description: 'Used.' },
      unused: { type: 'string', description: 'Of another endpoint.', ignored: true },
      refused: { type: 'string', description: 'Of another endpoint.', elsewhere: 'a parameter of GET /b' },
    } as const;
    const { paths } = documentOf([
      route({ operationId: 'a', path: '/:projectKey/a', query }),
      route({ operationId: 'b', path: '/style.css', access: 'public', undocumented: true }),
    ]);
    assert.deepEqual(Object.keys(paths), ['/{projectKey}/a']);
    const names = paths['/{projectKey}/a'].get.parameters.map(({ name }: { name?: string }) => name);
    assert.ok(names.includes('used') && !names.includes('unused') && !names.includes('refused'), names.join());
  });

  test('headers have their constraints', () => {
    const headers = [{ name: 'User', description: 'Who.', pattern: '^[a-z]*$', minLength: 1, maxLength: 9 }];
    const { parameters } = documentOf([route({ operationId: 'a', path: '/:projectKey/a', headers })]).paths[
      '/{projectKey}/a'
    ].get;
    const { schema } = parameters.find((parameter: { name?: string }) => parameter.name === 'User');
    assert.deepEqual(schema, { type: 'string', pattern: '^[a-z]*$', minLength: 1, maxLength: 9 });
  });

  test('no schema has the name of a class that generated clients bring themselves', () => {
    const { components, tags } = JSON.parse(
      readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'),
    ) as { components: { schemas: object }; tags: { name: string }[] };
    // OpenAPI Generator for Python exports all of them from one module, where the last of a name wins.
    const brought = [
      'ApiClient',
      'ApiException',
      'ApiResponse',
      'ApiAttributeError',
      'Configuration',
      'OpenApiException',
    ];
    const apis = tags.map(({ name }) => `${name.replaceAll(' ', '')}Api`);
    assert.ok(apis.includes('ResourcesApi'));
    const names = Object.keys(components.schemas);
    assert.deepEqual(
      names.filter((name) => [...brought, ...apis].includes(name)),
      [],
    );
  });

  test('a schema with a title is written once; two different ones of a title are refused', () => {
    const withBody = (operationId: string, schema: Schema) =>
      route({
        operationId,
        method: 'PUT',
        path: `/:projectKey/${operationId}`,
        body: { kind: 'json', contentTypes: ['application/json'], required: true, schema },
      });
    const one = { title: 'Thing', type: 'object' };
    const { components, paths } = documentOf([withBody('a', one), withBody('b', { ...one })]);
    assert.deepEqual(components.schemas.Thing, one);
    const media = paths['/{projectKey}/b'].put.requestBody.content['application/json'];
    assert.deepEqual(media.schema, { $ref: '#/components/schemas/Thing' });
    assert.throws(() => documentOf([withBody('a', one), withBody('b', { title: 'Thing', type: 'array' })]), /Thing/);
  });
});
