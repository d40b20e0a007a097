import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import type { JsonObject } from '../../src/contract/json.ts';
import { parseStoredJson } from '../../src/domain/json/parse.ts';
import { parseTypes } from '../../src/domain/types/settings.ts';
import { typeScriptOf } from '../../src/domain/types/typescript.ts';
import { compileSchema } from '../../src/schema/compile.ts';
import { startTestApi } from '../start-test-api.ts';
import { openProject } from './generate.ts';

/** Types of a project for generators, editors and compilers: judged by tools that nobody here wrote. */

const require = createRequire(import.meta.url);
const api = await startTestApi();
const projects: ReturnType<typeof openProject>[] = [];
after(async () => {
  for (const project of projects) project.remove();
  await api.close();
});

const types = {
  category: {
    name: 'Category',
    schema: {
      type: 'object',
      required: ['name'],
      properties: { name: { $ref: '#/$defs/localised' }, parent: { $ref: '#/$defs/reference' } },
      $defs: {
        localised: { type: 'object', additionalProperties: { type: 'string' } },
        reference: { type: 'object', required: ['key'], properties: { key: { type: 'string' } } },
      },
    },
  },
  'product-line': {
    schema: {
      type: 'object',
      description: 'What is */ sold.',
      required: ['name', 'price'],
      additionalProperties: false,
      properties: {
        type: {},
        name: { $ref: '#/$defs/text' },
        price: { type: 'integer', minimum: 0, description: 'In cents.' },
        color: { enum: ['red', 'blue', null] },
        tags: { type: 'array', items: { type: ['string', 'null'] } },
        size: {
          anyOf: [{ type: 'string' }, { type: 'object', properties: { w: { type: 'number' } }, required: ['w'] }],
        },
        parts: { type: 'array', items: { $ref: '#/$defs/part' } },
        'odd name': { type: 'boolean' },
        pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false },
      },
      $defs: {
        text: { type: 'object', additionalProperties: { type: 'string' } },
        part: { type: 'object', properties: { name: { type: 'string' }, parts: { items: { $ref: '#/$defs/part' } } } },
      },
    },
  },
  // Their names are those of schemas of the service, or of one another.
  resource: { schema: {} },
  'product-line-fields': { schema: { type: 'object', properties: { a: { type: 'string' } } } },
  ProductLine: { schema: { type: 'object' } },
  '1st': { schema: { type: 'object' } },
  // Definitions by any name, one of which is that of another type.
  shelf: {
    schema: {
      properties: {
        label: { $ref: '#/$defs/a~1b%20*~1' },
        board: { $ref: '#/$defs/board' },
        boards: { type: 'array', items: { $ref: '#/properties/board' } },
        default: { $ref: '#board' },
        enum: { $dynamicRef: '#label' },
      },
      $defs: {
        'a/b */': { $dynamicAnchor: 'label', type: 'string' },
        board: { $anchor: 'board', type: 'object', properties: { w: { type: 'number' } } },
      },
    },
  },
  'shelf-board': { schema: { type: 'object', properties: { h: { type: 'string' } } } },
  'shelf-fields-board': { schema: { type: 'object' } },
};

const put = await api.call({ method: 'PUT', path: '/as-code/settings/types', body: { types } });
assert.equal(put.status, 200, put.text);

test('the TypeScript of types compiles as strictly as can be, and tells right uses from wrong ones', async () => {
  const project = openProject();
  projects.push(project);
  writeFileSync(join(project.folder, 'shop.d.ts'), typeScriptOf('as-code', parseTypes({ types } as never)));
  const use = `
    import type { Category, ProductLine, Resource, Shelf, ShelfBoard, Type1st, Types } from './shop.d.ts';
    export const shelf: Shelf = { type: 'shelf', label: 'a', board: { w: 1 }, boards: [{ w: 2 }], default: { w: 3 }, enum: 'x' };
    // @ts-expect-error
    export const wrongAnchor: Shelf['default'] = 5;
    export const board: ShelfBoard = { type: 'shelf-board', h: 'x' };
    export const category: Category = { type: 'category', name: { en: 'Sofas' }, parent: { key: 'x' } };
    export const line: ProductLine = {
      type: 'product-line', name: { en: 'a' }, price: 5, color: null, tags: ['a', null], size: { w: 1 },
      parts: [{ name: 'a', parts: [] }], 'odd name': true, pair: ['a', 1],
    };
    export const others: [Resource, Type1st] = [{ type: 'resource' }, { type: '1st' }];
    export const one = (any: Types[keyof Types]) => (any.type === 'category' ? any.name.en : any.type);
    // @ts-expect-error
    export const wrongType: Category = { type: 'product-line', name: {} };
    // @ts-expect-error
    export const missing: ProductLine = { type: 'product-line', name: {} };
    // @ts-expect-error
    export const wrongEnum: ProductLine['color'] = 'green';
    // @ts-expect-error
    export const wrongItem: ProductLine['tags'] = [5];
    // @ts-expect-error
    export const wrongPair: ProductLine['pair'] = [1, 'a'];
  `;
  writeFileSync(join(project.folder, 'use.ts'), use);
  assert.equal(await project.check(), '');
});

test('the OpenAPI document of a project is valid, and its types are in what is read and written', async () => {
  const { status, text, headers } = await api.call({ path: '/as-code/openapi.json' });
  assert.equal(status, 200);
  const project = openProject();
  projects.push(project);
  const file = join(project.folder, 'openapi.json');
  writeFileSync(file, text);
  const redocly = join(dirname(require.resolve('@redocly/cli/package.json')), 'bin/cli.js');
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const linted = spawnSync(process.execPath, [redocly, 'lint', file, '--extends', 'spec'], { encoding: 'utf8', env });
  assert.equal(linted.status, 0, linted.stdout + linted.stderr);
  const { astToString, default: openapiTypescript } = await import('openapi-typescript');
  writeFileSync(join(project.folder, 'api.ts'), astToString(await openapiTypescript(JSON.parse(text))));
  const use = `
    import type { components, paths } from './api.ts';
    type Read = paths['/as-code/resource/{id}']['get']['responses'][200]['content']['application/json'];
    type Line = components['schemas']['ProductLine'];
    type Written = paths['/as-code/resource']['post']['requestBody']['content']['application/json'];
    export const price = (line: Line): number => line.price + line.version;
    export const isIn = (line: Line): Read => line;
    export const draft = (): Written => ({ type: 'category', name: { en: 'Sofas' }, key: 'sofas' });
    // @ts-expect-error
    export const wrong = (line: Line): string => line.price;
  `;
  writeFileSync(join(project.folder, 'use.ts'), use);
  assert.equal(await project.check(), '');
  const again = await api.call({ path: '/as-code/openapi.json', headers: { 'if-none-match': headers.etag! } });
  assert.equal(again.status, 304);
  rmSync(file);
});

test('the JSON Schema of a project decides as the service does', async () => {
  const { json, text } = await api.call({ path: '/as-code/schema.json' });
  assert.equal(json.$schema, 'https://json-schema.org/draft/2020-12/schema');
  const union = await compileSchema(parseStoredJson(text) as JsonObject, 'union');
  for (const [document, fits] of [
    [{ type: 'category', name: { en: 'a' } }, true],
    [{ type: 'category', name: { en: 5 } }, false],
    [{ type: 'category' }, false],
    [{ type: 'product-line', name: {}, price: 5, parts: [{ parts: [{ name: 'b' }] }] }, true],
    [{ type: 'product-line', name: {}, price: 5, parts: [{ parts: [{ name: 5 }] }] }, false],
    [{ type: 'product-line', name: {}, price: 5, more: 1 }, false],
    [{ type: 'shelf', default: { w: 1 }, enum: 'x' }, true],
    [{ type: 'shelf', default: { w: 'x' } }, false],
    [{ type: 'shelf', enum: 5 }, false],
    [{ type: 'of-nobody', price: 'x' }, true],
    [{}, true],
  ] as const) {
    assert.equal(union.violations(document as never, false).length === 0, fits, JSON.stringify(document));
    const { status } = await api.call({ method: 'POST', path: '/as-code/resource', body: document });
    assert.equal(status === 201, fits, JSON.stringify(document));
  }
});

test('a project without types has the documents as well', async () => {
  const { json } = await api.call({ path: '/plain/openapi.json' });
  assert.ok(json.paths['/plain/resource/{id}'].get.responses[200]);
  assert.ok(!JSON.stringify(json).includes('AnyResource'));
  assert.equal((await api.call({ path: '/plain/schema.json' })).status, 200);
  assert.equal((await api.call({ path: '/plain/openapi.json', scope: 'none' })).status, 401);
});
