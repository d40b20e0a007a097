import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

/** What docs/openapi.json says of single parameters and members. `npm run judges` has Schemathesis compare all of it. */

interface JsonSchema {
  readonly type?: unknown;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly items?: JsonSchema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
}

interface PublishedParameter {
  readonly name?: string;
  readonly in?: string;
  readonly schema?: JsonSchema;
}

interface Operation {
  readonly operationId: string;
  readonly description: string;
  readonly parameters: readonly PublishedParameter[];
  readonly requestBody?: { readonly required?: boolean };
  readonly responses: Readonly<Record<string, unknown>>;
}

const published: {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly parameters: Readonly<Record<string, PublishedParameter>>;
  };
} = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'));

test('parameters are promised as the service takes them', () => {
  const operations = Object.values(published.paths).flatMap((path) => Object.values(path));
  const parameters = operations.flatMap(({ operationId, parameters: all }) =>
    all.map((one) => ({ operationId, ...one })),
  );
  const schemasOf = (wanted: string) => parameters.filter(({ name }) => name === wanted).map(({ schema }) => schema!);
  // A correlation id that is not printable is replaced, not refused.
  assert.equal(published.components.parameters['X-Correlation-ID']?.schema?.pattern, undefined);
  const cases: readonly (readonly [name: string, least: number, good: readonly string[], bad: readonly string[]])[] = [
    ['file', 1, ['a.png'], ['a\u0001.png', '\u009f', '']],
    ['deadLetterId', 6, ['1'], ['\u007f']],
    ['If-Match', 15, ['*', '"3-1"', 'W/"3"', '"a", W/"b"', '""'], ['', '0', '3', '"a b"', '"a" "b"']],
    ['If-None-Match', 9, ['*', '"3-1"'], ['0']],
    ['sku', 2, ['shoe 1', 'x'.repeat(256)], ['', '\t', 'x'.repeat(257)]],
    ['status', 2, ['404', '4xx'], ['4', '404,405', '600']],
    ['Accept', 1, ['application/json', '*/*', 'text/html, application/*;q=0.5', ''], ['text/html']],
  ];
  for (const [name, least, good, bad] of cases) {
    const schemas = schemasOf(name).filter(({ pattern, items }) => pattern ?? items);
    assert.ok(schemas.length >= least, `${name}: ${schemas.length}`);
    for (const { pattern, items } of schemas) {
      const form = new RegExp(pattern ?? items!.pattern!, 'u');
      for (const text of good) assert.match(text, form, name);
      for (const text of bad) assert.doesNotMatch(text, form, name);
    }
  }
  for (const { enum: words } of schemasOf('match')) assert.deepEqual(words, ['auto', 'all', 'most', 'any']);
  // Generators send an object of free names as one parameter, or as `[object Object]`.
  const action = operations.find(({ operationId }) => operationId === 'readAction')!;
  assert.equal(
    action.parameters.some(({ name }) => name === 'parameters'),
    false,
  );
  assert.match(action.description, /Query parameters of any name are passed on to the backend\./);
  // What is in the form and in the address is refused, and a token in an address gets into logs.
  for (const { operationId, parameters: sent, requestBody } of operations.filter(({ operationId: id }) =>
    /Token$/.test(id),
  )) {
    assert.deepEqual([operationId, requestBody?.required], [operationId, true]);
    assert.deepEqual(
      sent.filter((one) => one.in === 'query'),
      [],
    );
  }
});

test('`null` is promised where it says something, or is returned', () => {
  const { ResourceDraft, ResourceRestore, ArrayElement } = published.components.schemas;
  assert.deepEqual(ResourceDraft?.properties?.key?.type, ['string', 'null']);
  assert.deepEqual(ResourceRestore?.properties?.key?.type, ['string', 'null']);
  assert.deepEqual(ArrayElement?.properties?.integerExample?.type, ['integer', 'null']);
  assert.deepEqual(ArrayElement?.properties?.integerExampleInt32?.type, ['integer', 'null']);
});
