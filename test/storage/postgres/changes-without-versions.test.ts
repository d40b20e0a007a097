import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { Operation } from '../../../src/contract/bulk.ts';
import type { JsonObject } from '../../../src/contract/json.ts';
import { changeByPredicate } from '../../../src/domain/bulk/by-predicate.ts';
import { createPace } from '../../../src/domain/bulk/pace.ts';
import type { Store } from '../../../src/domain/ports/store.ts';
import { parsePredicate } from '../../../src/domain/predicate/parse.ts';
import { createActions } from '../../../src/domain/resource/actions/index.ts';
import { writeDraft } from '../../../src/domain/resource/write/draft.ts';
import { updateByActions } from '../../../src/domain/resource/write/update.ts';
import { overriding } from '../overriding.ts';
import { openTestStore, startTestPostgres, type TestPostgres } from './start-test-postgres.ts';

/** Two stores on one database know as little of each other as two processes do. */
let postgres: TestPostgres;
let stores: readonly Store[];
before(async () => {
  postgres = await startTestPostgres();
  stores = await Promise.all([openTestStore(postgres), openTestStore(postgres)]);
});
after(async () => {
  for (const store of stores) await store.close();
  await postgres.close();
});

const actions = createActions();
const increment = [{ action: 'incrementNumber', path: 'n', by: 1 }];
const contextOf = () => ({
  ...{ nowIso: new Date().toISOString(), clientId: 'c', newId: randomUUID, maxDocumentBytes: 1_000_000 },
});
const writeOf = (store: Store['resources'], projectKey: string) => ({
  ...{ store, projectKey, context: contextOf(), preconditions: {} },
  responseOf: ({ record }: { readonly record: { readonly current: string } }) => ({
    ...{ status: 200, headers: {}, body: record.current },
  }),
});
const numberOf = async (project: string, id: string) =>
  (JSON.parse((await stores[0]!.resources.get(project, id))!.current) as JsonObject).n;

test('increments on two processes are all counted, with few attempts more than there are increments', async () => {
  let commits = 0;
  const counting = stores.map(({ resources }) =>
    overriding(resources, {
      commit(change) {
        commits += 1;
        return resources.commit(change);
      },
    }),
  );
  await writeDraft(writeOf(counting[0]!, 'count'), 'merge', { id: 'r', n: 0 });
  commits = 0;
  const each = 48;
  await Promise.all(
    Array.from({ length: 2 * each }, (_, i) =>
      updateByActions(writeOf(counting[i % 2]!, 'count'), { id: 'r' }, { actions: increment }, actions),
    ),
  );
  assert.equal(await numberOf('count', 'r'), 2 * each);
  // One writer of each process competes at a time.
  assert.ok(commits <= 4 * each, `${commits} commits`);
});

test('one change by predicate with one Idempotency-Key on two processes at once changes each resource once', async () => {
  const ids = Array.from({ length: 230 }, (_, i) => `r${String(i).padStart(3, '0')}`);
  for (const id of ids) await writeDraft(writeOf(stores[0]!.resources, 'all'), 'merge', { id, n: 0 });
  async function run({ resources: store }: Store): Promise<string> {
    let text = '';
    for await (const piece of changeByPredicate({
      ...{ store, projectKey: 'all', actions, contextOf, staged: false, dryRun: false, limit: 1000 },
      where: [parsePredicate('n >= 0', { variables: new Map(), parameter: 'where' })],
      operationOn: (id): Operation => {
        return { kind: 'update', target: { id }, request: { version: undefined, actions: increment } };
      },
      ...{ afterId: undefined, expect: undefined, refusedOnly: false, stopReason: () => undefined },
      ...{ idempotency: { scope: 'one', requestHash: 'a' }, pace: createPace(() => 0) },
    })) {
      text += piece;
    }
    return text;
  }
  const [first, second] = await Promise.all(stores.map(run));
  assert.equal(first, second);
  assert.match(first!, /"complete":true,"resources":230,"updated":230/);
  assert.deepEqual(new Set(await Promise.all(ids.map((id) => numberOf('all', id)))), new Set([1]));
});
