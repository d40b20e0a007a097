import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { openResources } from '../open-resources.ts';

const { api, send } = await openResources();

/** What the service should have: resources by the name that is their id, with key, version and own fields. */
interface Modelled {
  readonly key: string | undefined;
  readonly version: number;
  readonly fields: Readonly<Record<string, number>>;
}
type Model = ReadonlyMap<string, Modelled>;

const ids = fc.constantFrom('i1', 'i2', 'i3');
const keys = fc.constantFrom('k1', 'k2', 'k3');
const fields = fc.dictionary(fc.constantFrom('a', 'b'), fc.integer({ min: 0, max: 2 }));
const operations = fc.oneof(
  fc.record({
    operation: fc.constantFrom('create', 'merge', 'replace', 'overwrite'),
    id: ids,
    key: fc.option(keys),
    fields,
  }),
  fc.record({
    operation: fc.constant('update'),
    id: ids,
    key: fc.option(keys),
    version: fc.integer({ min: 1, max: 4 }),
  }),
  fc.record({ operation: fc.constant('delete'), id: ids, version: fc.option(fc.integer({ min: 1, max: 4 })) }),
);
type Given = typeof operations extends fc.Arbitrary<infer T> ? T : never;

function sent(given: Given): unknown {
  const { operation, id } = given;
  if ('fields' in given) return { operation, draft: { id, ...(given.key && { key: given.key }), ...given.fields } };
  if (operation === 'update' && 'key' in given) {
    const setKey = { action: 'setKey', ...(given.key && { key: given.key }) };
    return { operation, id, version: given.version, actions: [setKey] };
  }
  return { operation, id, ...(given.version && { version: given.version }) };
}

/** The model after an operation; undefined where it is refused. */
function applied(model: Model, given: Given): Model | undefined {
  const { id } = given;
  const before = model.get(id);
  const isTaken = (key: string | undefined) =>
    key !== undefined && [...model].some(([other, resource]) => other !== id && resource.key === key);
  const next = (resource: Modelled) => new Map(model).set(id, resource);
  if ('fields' in given) {
    const { operation } = given;
    const key = given.key ?? before?.key;
    if (isTaken(given.key ?? undefined) || (operation === 'create' && before)) return undefined;
    if (!before) return next({ key, version: 1, fields: given.fields });
    const merged = operation === 'overwrite' ? given.fields : { ...before.fields, ...given.fields };
    const same = key === before.key && JSON.stringify(sorted(merged)) === JSON.stringify(sorted(before.fields));
    return same ? model : next({ key, version: before.version + 1, fields: merged });
  }
  if (!before || (given.version && given.version !== before.version)) return undefined;
  if ('key' in given) {
    const key = given.key ?? undefined;
    return isTaken(key) ? undefined : next({ ...before, key, version: before.version + 1 });
  }
  const rest = new Map(model);
  rest.delete(id);
  return rest;
}

const sorted = (own: Modelled['fields']) => Object.entries(own).sort(([a], [b]) => (a < b ? -1 : 1));

async function stored(project: string): Promise<readonly unknown[]> {
  const { text } = await api.call({ path: `/${project}/resource/export` });
  const lines = text.split('\n').slice(0, -1);
  return lines.map((line) => {
    const { id, key, version, a, b } = JSON.parse(line);
    return { id, key, version, a, b };
  });
}

const modelled = (model: Model) =>
  [...model]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([
        id,
        {
          key,
          version,
          fields: { a, b },
        },
      ]) => ({ id, key, version, a, b }),
    );

for (const isAtomic of [true, false]) {
  test(`random batches do what a model says, with atomic=${isAtomic}`, async () => {
    let projects = 0;
    const batches = fc.array(fc.array(operations, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 5 });
    const property = fc.asyncProperty(batches, async (all) => {
      projects += 1;
      const project = `model-${isAtomic}-${projects}`;
      let model: Model = new Map();
      for (const batch of all) {
        let next = model;
        let refused = -1;
        for (const [at, given] of batch.entries()) {
          const after = applied(next, given);
          if (after) next = after;
          else if (refused < 0) refused = at;
        }
        const path = `/${project}/resource/batch?atomic=${isAtomic}`;
        const response = await send('POST', path, { operations: batch.map(sent) });
        if (isAtomic && refused >= 0) assert.equal(response.json.errors[0].operation, refused, response.text);
        else {
          assert.equal(response.status, 200, response.text);
          model = next;
        }
        assert.deepEqual(await stored(project), modelled(model));
      }
    });
    await fc.assert(property, { numRuns: 25 });
  });
}
