import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { roundsOf } from '../rounds.ts';
import { testSeed } from '../seed.ts';
import { startTestApi } from '../start-test-api.ts';

/** Eight writers at a time, in any order: unique values stay unique, references lead somewhere, and nothing is kept that nobody has. */

const api = await startTestApi();
after(() => api.close());

const skus = ['a', 'b', 'c', 'd'];
const categories = ['x', 'y', 'z'];
const products = ['p1', 'p2', 'p3', 'p4', 'p5'];
const types = {
  category: {},
  product: { unique: ['sku', 'more[*]'], references: { category: { type: 'category' } } },
};

interface Step {
  readonly what: 'save' | 'stage' | 'publish' | 'delete' | 'make' | 'drop' | 'batch';
  readonly product: string;
  readonly sku: string;
  readonly more: readonly string[];
  readonly category: string | undefined;
  readonly byKey: boolean;
}

const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom('save', 'save', 'stage', 'publish', 'delete', 'make', 'drop', 'batch'),
  product: fc.constantFrom(...products),
  sku: fc.constantFrom(...skus),
  more: fc.uniqueArray(fc.constantFrom(...skus), { maxLength: 2 }),
  category: fc.constantFrom(undefined, ...categories),
  byKey: fc.boolean(),
});

function openProject(name: string) {
  const call = (method: string, path: string, body?: unknown) =>
    api.call({ method, path: `/${name}${path}`, ...(body !== undefined && { body }) });
  const fieldsOf = ({ sku, more, category, byKey }: Step) => ({
    ...{ type: 'product', sku, more },
    category: category === undefined ? null : byKey ? { key: `key-${category}` } : { id: category },
  });
  async function run(one: Step): Promise<void> {
    const { what, product, category = 'x' } = one;
    const at = `/resource/${product}`;
    const staged = Object.entries(fieldsOf(one)).map(([path, value]) => ({
      action: 'setField',
      path,
      value,
      staged: true,
    }));
    const current = async () => (await call('GET', at)).json?.version as number | undefined;
    const done = await {
      save: () => call('PUT', '/resource', { id: product, ...fieldsOf(one) }),
      stage: async () => call('POST', at, { version: (await current()) ?? 1, actions: staged }),
      publish: async () => call('POST', at, { version: (await current()) ?? 1, actions: [{ action: 'publish' }] }),
      delete: () => call('DELETE', at),
      make: () => call('PUT', '/resource', { id: category, key: `key-${category}`, type: 'category' }),
      drop: () => call('DELETE', `/resource/${category}`),
      batch: () =>
        call('POST', '/resource/batch', {
          operations: [
            { operation: 'overwrite', draft: { id: category, key: `key-${category}`, type: 'category' } },
            { operation: 'overwrite', draft: { id: product, ...fieldsOf(one) } },
          ],
        }),
    }[what]();
    assert.ok([200, 201, 400, 404, 409].includes(done.status), done.text);
    const codes: readonly string[] =
      done.status === 400 ? done.json.errors.map(({ code }: { code: string }) => code) : [];
    for (const code of codes)
      assert.match(code, /^(DuplicateField|ReferencedResourceNotFound|ReferenceExists)$/, done.text);
  }
  return { call, run };
}

test('types: whatever eight writers do, values are unique, references lead somewhere, and freed values are free', async () => {
  const rounds = roundsOf(40, 8);
  const plans = fc.sample(fc.array(step, { minLength: 64, maxLength: 64 }), { seed: testSeed, numRuns: rounds });
  for (const [round, plan] of plans.entries()) {
    const { call, run } = openProject(`model-${round}`);
    assert.equal((await call('PUT', '/settings/types', { types })).status, 200);
    const left = plan.values();
    const writer = async () => {
      for (const one of left) await run(one);
    };
    await Promise.all(Array.from({ length: 8 }, writer));
    const { json } = await call('GET', '/resource/sorted-query-parameters?limit=100');
    const staged = (await call('GET', '/resource/sorted-query-parameters?limit=100&staged=true')).json;
    const ids = new Set(json.results.map(({ id }: { id: string }) => id));
    const taken = { sku: new Map<string, string>(), more: new Map<string, string>() };
    const referred = new Set<string>();
    for (const { id, type, sku, more, category } of [...json.results, ...staged.results]) {
      if (type !== 'product') continue;
      for (const [path, value] of [['sku', sku], ...more.map((each: string) => ['more', each])] as ['sku', string][]) {
        assert.equal(taken[path].get(value) ?? id, id, `${path} ${value} of round ${round}`);
        taken[path].set(value, id);
      }
      if (!category) continue;
      const target = category.id ?? category.key.slice('key-'.length);
      assert.ok(ids.has(target), `${id} refers to ${target}, round ${round}`);
      referred.add(target);
    }
    for (const sku of skus) {
      const { status } = await call('PUT', '/resource', { id: 'probe', type: 'product', sku, more: [] });
      assert.equal(status === 201 || status === 200, !taken.sku.has(sku), `${sku} of round ${round}`);
    }
    for (const category of categories.filter((each) => ids.has(each))) {
      const { status } = await call('DELETE', `/resource/${category}`);
      assert.equal(status, referred.has(category) ? 400 : 200, `${category} of round ${round}`);
    }
  }
});
