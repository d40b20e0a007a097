import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { Operation } from '../../../src/contract/bulk.ts';
import { ServiceError } from '../../../src/contract/errors.ts';
import type { JsonObject } from '../../../src/contract/json.ts';
import { runBatch } from '../../../src/domain/bulk/batch.ts';
import { type ByPredicate, changeByPredicate, checkExpected } from '../../../src/domain/bulk/by-predicate.ts';
import { createPace } from '../../../src/domain/bulk/pace.ts';
import { parseJson } from '../../../src/domain/json/parse.ts';
import type { Store } from '../../../src/domain/ports/store.ts';
import { parsePredicate } from '../../../src/domain/predicate/parse.ts';
import { createActions } from '../../../src/domain/resource/actions/index.ts';
import { deleteResource } from '../../../src/domain/resource/write/delete.ts';
import { writeDraft } from '../../../src/domain/resource/write/draft.ts';
import { overriding } from '../../storage/overriding.ts';
import { openTestStore, temporaryFolder } from '../../storage/sqlite/open-test-store.ts';
import { contextAt } from '../resource/fixtures.ts';

const folder = temporaryFolder();
let store: Store;
before(async () => {
  store = await openTestStore(folder.file);
});
after(async () => {
  await store.close();
  folder.remove();
});

const actions = createActions();
const contextOf = () => contextAt(1, { newId: randomUUID });
const increment = [{ action: 'incrementNumber', path: 'n', by: 1 }];
const operationOn = (id: string): Operation => {
  return { kind: 'update', target: { id }, request: { version: undefined, actions: increment } };
};
const idOf = (i: number) => `r${String(i).padStart(3, '0')}`;
const writeOf = (projectKey: string) => ({
  ...{ store: store.resources, projectKey, context: contextOf(), preconditions: {} },
  responseOf: () => ({ status: 200, headers: {}, body: '' }),
});

function changeOf(projectKey: string, over: Partial<ByPredicate> = {}): ByPredicate {
  return {
    ...{ store: store.resources, projectKey, operationOn, actions, contextOf },
    where: [parsePredicate('n >= 0', { variables: new Map(), parameter: 'where' })],
    ...{ staged: false, dryRun: false, limit: 1000, afterId: undefined, expect: undefined, refusedOnly: false },
    ...{ idempotency: undefined, stopReason: () => undefined, pace: createPace(() => 0) },
    ...over,
  };
}

async function fill(projectKey: string, count: number): Promise<void> {
  const operations = Array.from({ length: count }, (_, i) => ({ operation: 'create', draft: { id: idOf(i), n: 0 } }));
  const batch = { store: store.resources, projectKey, context: contextOf(), actions, maxSize: 1e9 };
  await runBatch({ ...batch, isAtomic: true, withResources: false }, operations);
}

async function run(change: ByPredicate): Promise<readonly JsonObject[]> {
  let text = '';
  for await (const piece of changeByPredicate(change)) text += piece;
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => parseJson(line) as JsonObject);
}

/** The numbers of all resources, by id. */
async function numbersOf(projectKey: string): Promise<readonly unknown[]> {
  const { results } = await store.resources.list({
    ...{ projectKey, where: [], staged: false, sort: [{ path: ['id'], direction: 'asc' }] },
    ...{ limit: 500, offset: 0, withTotal: false },
  });
  return results.map((text) => (parseJson(text) as JsonObject).n);
}

describe('a change by predicate', () => {
  test('that is cut after a group goes on behind it where it is repeated with its Idempotency-Key', async () => {
    await fill('cut', 250);
    const idempotency = { scope: 'caller\nPOST\n/cut\nkey', requestHash: 'a' };
    const change = changeOf('cut', { idempotency, expect: 250 });
    await checkExpected(change, new AbortController().signal);
    for await (const text of changeByPredicate(change)) {
      assert.equal(text.split('\n').length - 1, 100);
      break;
    }
    assert.equal((await numbersOf('cut')).filter((n) => n === 1).length, 100);
    // What matches since is one more than expected, and is left alone.
    await writeDraft(writeOf('cut'), 'merge', { id: 'z', n: 0 });
    await checkExpected(change, new AbortController().signal);
    const lines = await run(change);
    assert.deepEqual([lines.length, lines.at(-1)?.updated, lines.at(-1)?.complete], [251, 250, false]);
    assert.deepEqual(new Set((await numbersOf('cut')).slice(0, 250)), new Set([1]));
    assert.deepEqual(await run(change), lines);
    assert.deepEqual(new Set((await numbersOf('cut')).slice(0, 250)), new Set([1]));
  });

  test('at the same time from several with one Idempotency-Key has one effect, and the same lines for all', async () => {
    await fill('together', 220);
    const idempotency = { scope: 'caller\nPOST\n/together\nkey', requestHash: 'a' };
    const runs = await Promise.all(Array.from({ length: 4 }, () => run(changeOf('together', { idempotency }))));
    for (const lines of runs) assert.deepEqual(lines, runs[0]);
    assert.deepEqual(new Set(await numbersOf('together')), new Set([1]));
  });

  test('skips what is gone or no longer matches when its turn comes', async () => {
    await fill('skip', 4);
    const racing = overriding(store.resources, {
      async list(query, signal) {
        const page = await store.resources.list(query, signal);
        await writeDraft(writeOf('skip'), 'merge', { id: idOf(1), n: -1 });
        await deleteResource(writeOf('skip'), { id: idOf(2) });
        return page;
      },
    });
    const lines = await run(changeOf('skip', { store: racing }));
    assert.deepEqual(
      lines.slice(0, -1).map(({ id, status }) => [id, status]),
      [
        [idOf(0), 'updated'],
        [idOf(1), 'skipped'],
        [idOf(2), 'skipped'],
        [idOf(3), 'updated'],
      ],
    );
    assert.deepEqual([lines.at(-1)?.complete, lines.at(-1)?.skipped, lines.at(-1)?.resources], [true, 2, 4]);
    assert.deepEqual(await numbersOf('skip'), [1, -1, 1]);
  });

  test('decides a group again where others commit first, and halves it where they always do', async () => {
    await fill('contested', 8);
    let commits = 0;
    const contested = overriding(store.resources, {
      async commitAll(changes) {
        commits += 1;
        const isOfFirst = changes.some((each) => each.kind === 'update' && each.next.id === idOf(0));
        if (isOfFirst) await writeDraft(writeOf('contested'), 'merge', { id: idOf(0), n: 10 * commits });
        return store.resources.commitAll(changes);
      },
    });
    const lines = await run(changeOf('contested', { store: contested }));
    assert.equal(lines.length, 9);
    assert.deepEqual(lines.at(-1), {
      ...{ complete: true, resources: 8, updated: 8, deleted: 0, unchanged: 0, skipped: 0, refused: 0 },
    });
    const [first, ...others] = await numbersOf('contested');
    assert.equal(Number(first) % 10, 1);
    assert.deepEqual(new Set(others), new Set([1]));
  });

  test('that has to stop says why and where to continue', async () => {
    await fill('stop', 150);
    let isStopped = false;
    const stopReason = () => (isStopped ? new ServiceError('OverCapacity', 'Stopped.') : undefined);
    let text = '';
    for await (const piece of changeByPredicate(changeOf('stop', { stopReason }))) {
      text += piece;
      isStopped = true;
    }
    const summary = parseJson(text.trim().split('\n').at(-1)!) as JsonObject;
    assert.deepEqual([summary.complete, summary.updated, summary.resumeAfter], [false, 100, idOf(99)]);
    assert.equal((summary.error as JsonObject).message, 'Stopped.');
    isStopped = false;
    await run(changeOf('stop', { afterId: String(summary.resumeAfter), stopReason }));
    assert.deepEqual(new Set(await numbersOf('stop')), new Set([1]));
  });
});
