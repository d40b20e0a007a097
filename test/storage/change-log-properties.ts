import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import type { JsonObject } from '../../src/contract/json.ts';
import { parseStoredJson } from '../../src/domain/json/parse.ts';
import type { Documents } from '../../src/domain/ports/resource-store.ts';
import type { Store } from '../../src/domain/ports/store.ts';
import { testSeed } from '../seed.ts';
import { assertRebuilds, changesBy, originBy } from './logged-changes.ts';

interface Step {
  readonly id: string;
  readonly what: 'write' | 'delete' | 'restore' | 'forget';
  readonly fields: JsonObject;
  readonly staged: JsonObject | undefined;
  readonly key: boolean;
}

const anyName = fc.constantFrom('a', 'b', 'c', '10', '2', '__proto__', 'constructor', 'ü');
const anyText = fc.constantFrom('1', '9007199254740993', '1.50', 'null', '"x"', '"é\\n"', '{"b":1,"a":2}', '[]');
const anyFields: fc.Arbitrary<JsonObject> = fc.array(fc.tuple(anyName, anyText), { maxLength: 6 }).map((members) => {
  const texts = [...new Map(members)].map(([name, text]) => `${JSON.stringify(name)}:${text}`);
  return parseStoredJson(`{${texts.join(',')}}`) as JsonObject;
});
const anyStep: fc.Arbitrary<Step> = fc.record({
  id: fc.constantFrom('r1', 'r2', 'Ünïcode "3"'),
  what: fc.constantFrom('write', 'write', 'write', 'write', 'delete', 'restore', 'forget'),
  fields: anyFields,
  staged: fc.option(anyFields, { nil: undefined, freq: 2 }),
  key: fc.boolean(),
});

/** What the log should give of a resource. */
class Expected {
  /** The documents after each change. */
  states: (Documents | undefined)[] = [];
  types: string[] = [];
  /** Changes whose content is gone. */
  forgotten = 0;

  add(type: string, documents: Documents | undefined): void {
    this.states.push(documents);
    this.types.push(type);
  }
}

/** The model of a project and the project itself, changed alike. */
function modelled(store: Store, projectKey: string) {
  const { create, update, remove, documents } = changesBy(store, projectKey);
  const expected = new Map<string, Expected>();

  async function apply({ id, what, fields, staged, key }: Step): Promise<void> {
    const of = expected.get(id) ?? new Expected();
    const now = documents(id);
    if (what === 'write') {
      if (now) await update(id, fields, { staged, key: key ? id : undefined });
      else await create(id, fields, { staged, key: key ? id : undefined });
      of.add(now ? 'updated' : 'created', documents(id));
    } else if (what === 'delete' && now) {
      await remove(id);
      of.add('deleted', undefined);
    } else if (what === 'restore' && !now && of.states.length > 0) {
      await create(id, fields, { version: 9, origin: originBy('restored') });
      of.add('restored', documents(id));
    } else if (what === 'forget' && !now) {
      const isKnown = of.states.length > 0;
      const isDone = of.types.at(-1) === 'forgotten';
      assert.equal(await store.changes.forget(projectKey, id, originBy('forgotten')), isKnown);
      if (isKnown && !isDone) of.add('forgotten', undefined);
      of.forgotten = of.states.length;
    }
    if (of.states.length > 0) expected.set(id, of);
  }

  async function verify(): Promise<void> {
    let total = 0;
    const gone: string[] = [];
    for (const [id, { states, types, forgotten }] of expected) {
      const changes = await store.changes.changesOf(projectKey, id, undefined, 500);
      assert.deepEqual(changes.map(({ origin }) => origin.type).reverse(), types);
      total += changes.length;
      if (types.at(-1) === 'deleted') gone.push(id);
      const known = changes.slice(0, changes.length - forgotten);
      assertRebuilds(known, states.slice(forgotten));
      assert.ok(changes.slice(known.length).every(({ before, key }) => before === null && key === undefined));
    }
    const { last } = await store.changes.bounds(projectKey);
    let fed = 0;
    // On a slow machine a page has fewer changes than there are.
    for (let upTo = 0; upTo < last; ) {
      const page = await store.changes.changesAfter(projectKey, upTo, 500);
      assert.ok(page.upTo > upTo && page.upTo <= last);
      fed += page.changes.length;
      upTo = page.upTo;
    }
    assert.equal(fed, total);
    const deleted = await store.changes.deletions(projectKey, undefined, 500);
    assert.deepEqual(deleted.map(({ id }) => id).sort(), gone.sort());
    for (const { id, key, sequence } of deleted) {
      if (key !== undefined) assert.equal((await store.changes.deletionByKey(projectKey, id))?.sequence, sequence);
    }
  }
  return { apply, verify };
}

/** Random writes, deletions, restorations and what is forgotten. */
export function changeLogProperties(open: () => Store): void {
  it('whatever was written: the changes lead back through all versions of each resource, byte for byte', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 40 }), async (steps) => {
        run += 1;
        const { apply, verify } = modelled(open(), `model-${run}`);
        for (const step of steps) await apply(step);
        await verify();
      }),
      { seed: testSeed, numRuns: 40, endOnFailure: true },
    );
  });
}
