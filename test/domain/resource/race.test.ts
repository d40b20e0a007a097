import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { JsonObject } from '../../../src/contract/json.ts';
import { runBatch } from '../../../src/domain/bulk/batch.ts';
import { parseJson } from '../../../src/domain/json/parse.ts';
import type { Store } from '../../../src/domain/ports/store.ts';
import { getResource } from '../../../src/domain/resource/target.ts';
import type { Idempotency, Write, WriteResponse } from '../../../src/domain/resource/write/commit.ts';
import { writeComplex } from '../../../src/domain/resource/write/complex.ts';
import { deleteResource } from '../../../src/domain/resource/write/delete.ts';
import { writeDraft } from '../../../src/domain/resource/write/draft.ts';
import { parsePreconditions } from '../../../src/domain/resource/write/preconditions.ts';
import { updateByActions } from '../../../src/domain/resource/write/update.ts';
import { overriding } from '../../storage/overriding.ts';
import { openTestStore, temporaryFolder } from '../../storage/sqlite/open-test-store.ts';
import { actions, contextAt } from './fixtures.ts';

const folder = temporaryFolder();
let store: Store;
before(async () => {
  store = await openTestStore(folder.file);
});
after(async () => {
  await store.close();
  folder.remove();
});

function write(projectKey: string, over: Partial<Write> = {}): Write {
  return {
    store: store.resources,
    projectKey,
    context: contextAt(1, { newId: randomUUID }),
    preconditions: {},
    responseOf: ({ kind, record }) => ({ status: kind === 'created' ? 201 : 200, headers: {}, body: record.current }),
    ...over,
  };
}

const times = <T>(count: number, make: (i: number) => Promise<T>) =>
  Promise.allSettled(Array.from({ length: count }, (_, i) => make(i)));
const bodyOf = ({ body }: WriteResponse) => parseJson(body) as JsonObject;

function responsesOf(results: readonly PromiseSettledResult<WriteResponse>[]): readonly WriteResponse[] {
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}

function refusalsOf(results: readonly PromiseSettledResult<WriteResponse>[]): readonly string[] {
  return results.flatMap((result) =>
    result.status === 'rejected' ? `${result.reason.status} ${result.reason.code}` : [],
  );
}

describe('concurrent writes', () => {
  test('40 upserts of one new key make one resource and 40 versions', async () => {
    const results = responsesOf(await times(40, (i) => writeDraft(write('keys'), 'merge', { key: 'k', [`f${i}`]: i })));
    assert.equal(results.filter(({ status }) => status === 201).length, 1);
    assert.equal(new Set(results.map((response) => bodyOf(response).id)).size, 1);
    assert.deepEqual(
      results.map((response) => Number(bodyOf(response).version)).sort((a, b) => a - b),
      Array.from({ length: 40 }, (_, i) => i + 1),
    );
    const { current } = await getResource(store.resources, 'keys', { key: 'k' });
    const document = parseJson(current) as JsonObject;
    assert.ok(Array.from({ length: 40 }, (_, i) => document[`f${i}`] === i).every(Boolean), current);
  });

  test('200 writers of one resource without a version all get through', async () => {
    await writeDraft(write('hot'), 'merge', { id: 'r' });
    const results = responsesOf(await times(200, (i) => writeDraft(write('hot'), 'merge', { id: 'r', [`f${i}`]: i })));
    assert.equal(new Set(results.map((response) => bodyOf(response).version)).size, 200);
    const { current, version } = await getResource(store.resources, 'hot', { id: 'r' });
    assert.equal(version, 201);
    const document = parseJson(current) as JsonObject;
    assert.ok(Array.from({ length: 200 }, (_, i) => document[`f${i}`] === i).every(Boolean), current);
  });

  test('n writers of one resource without a version take two attempts each, not one for every other writer', async () => {
    const writers = 60;
    let commits = 0;
    const resources = store.resources;
    const counting = new Proxy(resources, {
      get(target, name) {
        if (name === 'commit') commits += 1;
        const member: unknown = Reflect.get(target, name);
        return typeof member === 'function' ? member.bind(target) : member;
      },
    });
    await writeDraft(write('queue'), 'merge', { id: 'r' });
    await times(writers, (i) => writeDraft(write('queue', { store: counting }), 'merge', { id: 'r', [`f${i}`]: i }));
    assert.ok(commits <= 2 * writers, `${commits} commits`);
    assert.equal((await getResource(resources, 'queue', { id: 'r' })).version, writers + 1);
  });

  test('n writers that add to one number take an attempt each', async () => {
    const writers = 64;
    let commits = 0;
    const counting = overriding(store.resources, {
      commit(change) {
        commits += 1;
        return store.resources.commit(change);
      },
    });
    await writeDraft(write('counter'), 'merge', { id: 'r', n: 0 });
    const body = { actions: [{ action: 'incrementNumber', path: 'n', by: 1 }] };
    responsesOf(
      await times(writers, () => updateByActions(write('counter', { store: counting }), { id: 'r' }, body, actions)),
    );
    assert.equal(commits, writers);
    const { current } = await getResource(store.resources, 'counter', { id: 'r' });
    assert.equal((parseJson(current) as JsonObject).n, writers);
  });

  test('of 20 updates of one version one wins, the others are told the current version', async () => {
    const { id } = bodyOf(await writeDraft(write('versions'), 'merge', { key: 'k' }));
    const body = (i: number) => ({ version: 1, actions: [{ action: 'changeSomeProperty', someProperty: `${i}` }] });
    const results = await times(20, (i) => updateByActions(write('versions'), { id: String(id) }, body(i), actions));
    const winners = results.flatMap((result) =>
      result.status === 'fulfilled' ? bodyOf(result.value).someProperty : [],
    );
    assert.equal(winners.length, 1);
    assert.deepEqual(new Set(refusalsOf(results)), new Set(['409 ConcurrentModification']));
    const { current, version } = await getResource(store.resources, 'versions', { key: 'k' });
    assert.equal(version, 2);
    assert.equal((parseJson(current) as JsonObject).someProperty, winners[0]);
  });

  test('of 10 creations with If-None-Match: * one wins, the others are 412', async () => {
    const preconditions = parsePreconditions(undefined, '*');
    const results = await times(10, () =>
      writeDraft(write('creations', { preconditions }), 'overwrite', { id: 'mine' }),
    );
    assert.equal(refusalsOf(results).length, 9);
    assert.deepEqual(new Set(refusalsOf(results)), new Set(['412 PreconditionFailed']));
  });

  test('10 requests of E9 for one pair of path parameters meet on one resource', async () => {
    const parameters = { uriParameterOne: 'a/b', uriParameterTwo: 'ü' };
    const results = responsesOf(await times(10, (i) => writeComplex(write('pairs'), parameters, { custom: `${i}` })));
    assert.equal(new Set(results.map((response) => bodyOf(response).id)).size, 1);
    assert.equal(results.filter(({ status }) => status === 201).length, 1);
  });

  test('of 10 resources that set one key one gets it, the others are refused with its owner', async () => {
    const ids = responsesOf(await times(10, () => writeDraft(write('owners'), 'merge', {}))).map((response) =>
      String(bodyOf(response).id),
    );
    const body = { version: 1, actions: [{ action: 'setKey', key: 'wanted' }] };
    const results = await times(10, (i) => updateByActions(write('owners'), { id: ids[i]! }, body, actions));
    assert.deepEqual(refusalsOf(results), Array(9).fill('400 DuplicateField'));
    const owner = await getResource(store.resources, 'owners', { key: 'wanted' });
    for (const result of results) {
      if (result.status === 'rejected')
        assert.deepEqual(result.reason.details.conflictingResource, { typeId: 'resource', id: owner.id });
    }
  });

  test('a draft whose id and key name two resources is refused, and changes neither', async () => {
    await writeDraft(write('two'), 'merge', { id: 'a', key: 'ka' });
    await writeDraft(write('two'), 'merge', { id: 'b', key: 'kb' });
    for (const id of ['a', 'new']) {
      await assert.rejects(writeDraft(write('two'), 'merge', { id, key: 'kb' }), {
        code: 'DuplicateField',
        status: 400,
      });
    }
    assert.equal((await getResource(store.resources, 'two', { key: 'kb' })).id, 'b');
    assert.equal((await getResource(store.resources, 'two', { id: 'a' })).version, 1);
    await assert.rejects(getResource(store.resources, 'two', { id: 'new' }), {
      message: "The Resource with ID 'new' was not found.",
    });
  });

  test('a deletion beside updates leaves either nothing or a 409, and never brings the resource back', async () => {
    await writeDraft(write('deletions'), 'merge', { id: 'r', key: 'k' });
    const update = { version: 1, actions: [{ action: 'doSomeThing' }] };
    const results = await Promise.allSettled([
      deleteResource(write('deletions'), { key: 'k' }),
      ...Array.from({ length: 5 }, () => updateByActions(write('deletions'), { id: 'r' }, update, actions)),
    ]);
    assert.equal(results[0].status, 'fulfilled');
    for (const refusal of refusalsOf(results))
      assert.match(refusal, /^(404 ResourceNotFound|409 ConcurrentModification)$/);
    await assert.rejects(getResource(store.resources, 'deletions', { key: 'k' }), {
      message: "The Resource with key 'k' was not found.",
    });
  });

  test('a deletion of a stale version is refused, and the resource is still there', async () => {
    await writeDraft(write('stale'), 'merge', { id: 'r' });
    await assert.rejects(deleteResource(write('stale', { preconditions: { version: 2n } }), { id: 'r' }), {
      code: 'ConcurrentModification',
      status: 409,
    });
    assert.equal(
      bodyOf(await deleteResource(write('stale', { preconditions: { version: 1n } }), { id: 'r' })).version,
      1,
    );
  });
});

describe('an Idempotency-Key', () => {
  const idempotency: Idempotency = { scope: 'client\nPOST\n/p/resource\nkey', requestHash: 'a'.repeat(64) };

  test('returns the first response again, also after later writes, and has one effect', async () => {
    const first = await writeDraft(write('repeats', { idempotency }), 'merge', { key: 'k', n: 1 });
    await writeDraft(write('repeats'), 'merge', { key: 'k', n: 2 });
    const again = await writeDraft(write('repeats', { idempotency }), 'merge', { key: 'k', n: 1 });
    assert.deepEqual(again, first);
    assert.equal((await getResource(store.resources, 'repeats', { key: 'k' })).version, 2);
  });

  test('at the same time from 10 requests has one effect, and one response for all', async () => {
    const same = { ...idempotency, scope: 'at the same time' };
    const results = responsesOf(
      await times(10, () => writeDraft(write('together', { idempotency: same }), 'merge', { key: 'k' })),
    );
    assert.equal(new Set(results.map(({ body }) => body)).size, 1);
    assert.equal((await getResource(store.resources, 'together', { key: 'k' })).version, 1);
  });

  /** A store where the same request, in another process, is carried out between the look for its response and the decision. */
  function overtakenBy(request: () => Promise<WriteResponse>) {
    let first: Promise<WriteResponse> | undefined;
    const overtaken: Write['store'] = overriding(store.resources, {
      async getIdempotentResponse(scope, nowMs) {
        const found = await store.resources.getIdempotentResponse(scope, nowMs);
        first ??= request();
        await first;
        return found;
      },
    });
    return { store: overtaken, first: () => first };
  }

  test('an update that another process carries out first is not refused for what that did', async () => {
    const { body } = await writeDraft(write('updated twice'), 'merge', { key: 'k' });
    const { id, version } = parseJson(body) as JsonObject;
    const request = (over: Partial<Write>) =>
      updateByActions(
        write('updated twice', { idempotency: { ...idempotency, scope: 'updated twice' }, ...over }),
        { id: String(id) },
        { version: version!, actions: [{ action: 'doSomeThing' }] },
        actions,
      );
    const { store: overtaken, first } = overtakenBy(() => request({}));
    const second = await request({ store: overtaken });
    assert.deepEqual(second, await first());
    assert.equal((await getResource(store.resources, 'updated twice', { key: 'k' })).version, 2);
  });

  test('a batch that another process carries out first is not refused for what that did', async () => {
    const operations = [{ operation: 'create', draft: { key: 'k' } }];
    const request = (over: Partial<Write>) =>
      runBatch(
        {
          ...write('batched twice', { idempotency: { ...idempotency, scope: 'batched twice' }, ...over }),
          ...{ actions, isAtomic: true, withResources: true, maxSize: 1_000_000 },
        },
        operations,
      );
    const { store: overtaken, first } = overtakenBy(() => request({}));
    const second = await request({ store: overtaken });
    assert.deepEqual(second, await first());
    assert.equal((await getResource(store.resources, 'batched twice', { key: 'k' })).version, 1);
  });

  test('with another request is refused', async () => {
    const other = { ...idempotency, requestHash: 'b'.repeat(64) };
    await assert.rejects(writeDraft(write('repeats', { idempotency: other }), 'merge', {}), {
      code: 'IdempotencyKeyReused',
      status: 422,
    });
  });

  test('of a refused request keeps nothing, so that the corrected one goes through', async () => {
    const key = { ...idempotency, scope: 'refused' };
    await assert.rejects(writeDraft(write('refused', { idempotency: key }), 'merge', { version: 3 }), {
      code: 'InvalidOperation',
    });
    const other = { ...key, requestHash: 'c'.repeat(64) };
    assert.equal((await writeDraft(write('refused', { idempotency: other }), 'merge', {})).status, 201);
  });
});
