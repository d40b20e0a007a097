import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject } from '../../src/contract/json.ts';
import type { ListQuery } from '../../src/domain/ports/list-query.ts';
import type { IdempotentResponse, ResourceRecord } from '../../src/domain/ports/resource-store.ts';
import type { Store } from '../../src/domain/ports/store.ts';
import { parsePredicate } from '../../src/domain/predicate/parse.ts';
import { historyOf } from '../../src/domain/resource/resource.ts';
import { parseSearch } from '../../src/domain/search/query/parse-search.ts';
import type { Engine } from '../../src/record/engine.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { createStoreMetrics, type QueryKind, type StoreMetrics } from '../../src/telemetry/store-metrics.ts';
import { creation, deletion, document, record, replacement } from './records.ts';

/** An engine under test: opens an empty store of its own. */
export interface EngineUnderTest {
  readonly name: string;
  readonly engine: Pick<Engine, 'queues'>;
  open(metrics: StoreMetrics): Promise<Store>;
}

const response: IdempotentResponse = {
  scope: 'client\nPOST\n/p/resource\nkey-1',
  requestHash: 'ab12',
  status: 201,
  headers: { etag: '"1"' },
  body: '{"id":"i"}',
  expiresAtMs: 4_000_000_000_000,
};

function query(projectKey: string, where: string, more: Partial<ListQuery> = {}): ListQuery {
  const predicate = parsePredicate(where, { variables: new Map() });
  return {
    ...{ projectKey, where: [predicate], sort: [{ path: ['id'], direction: 'asc' }], limit: 20, offset: 0 },
    ...{ withTotal: true, staged: false, ...more },
  };
}

/** Asks again while the engine is overloaded, as it may well be on a slow machine. */
async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'OverCapacity') throw error;
      await pause(50);
    }
  }
}

/** The contract of the ResourceStore port (domain/ports/resource-store.ts). Every engine runs it. */
export function resourceStoreSuite({ name, engine, open }: EngineUnderTest): void {
  describe(`ResourceStore on ${name}`, () => {
    const metrics = createMetrics();
    let store: Store;
    before(async () => {
      store = await open(createStoreMetrics(metrics, engine.queues));
    });
    after(() => store.close());

    /** All that a scan in portions of `limit` meets, as plain data. */
    async function scanned(projectKey: string, limit: number): Promise<readonly ResourceRecord[]> {
      const all: ResourceRecord[] = [];
      for (;;) {
        const portion = await store.resources.scan(projectKey, all.at(-1)?.id, limit);
        assert.ok(portion.length <= limit);
        if (portion.length === 0) return all;
        all.push(...portion.map((each) => ({ ...each })));
      }
    }

    it('a created resource is read back by id and by key, text for text', async () => {
      const current = document('read-1', 1, { name: 'Zoë 🦜', big: 1 }, 'read key/1');
      assert.equal(await store.resources.commit(creation('p1', current)), 'committed');
      const byId = await store.resources.get('p1', 'read-1');
      assert.equal(byId?.current, JSON.stringify(current));
      assert.deepEqual(byId?.history, record('p1', current).history);
      assert.equal(byId?.incarnation, undefined);
      assert.equal((await store.resources.getByKey('p1', 'read key/1'))?.id, 'read-1');
    });

    it('the projects are those with a resource or a client, in order, without their companions', async () => {
      for (const project of ['z-b', 'z-a', 'z-a-1', 'z-c', 'z-a~companion', '~z']) {
        assert.equal(await store.resources.commit(creation(project, document('of-a-project', 1))), 'committed');
      }
      const client = { id: 'z-d.1', projectKey: 'z-d', name: 'n', scopes: [], secretHash: 'h', createdAtMs: 1 };
      assert.equal(await store.clients.createClient(client), true);
      const ofTest = (keys: readonly string[]) => keys.filter((key) => key.startsWith('z-'));
      assert.deepEqual(ofTest(await store.projects(500)), ['z-a', 'z-a-1', 'z-b', 'z-c', 'z-d']);
      assert.deepEqual(await store.projects(2, 'z-a'), ['z-a-1', 'z-b']);
      assert.deepEqual(await store.projects(2, 'z-c'), ['z-d']);
      assert.deepEqual(await store.projects(2, 'z-d'), []);
      assert.ok((await store.projects(500)).every((key) => key !== '' && !key.includes('~')));
    });

    it('a client is replaced if it is still what was read', async () => {
      const first = { id: 'p1.1', projectKey: 'p1', name: 'n', scopes: ['a'], secretHash: 'h1', createdAtMs: 1 };
      const second = { ...first, secretHash: 'h2', previous: { secretHash: 'h1', untilMs: 1_800_000_000_000 } };
      const third = { ...first, secretHash: 'h3' };
      assert.equal(await store.clients.createClient(first), true);
      assert.equal(await store.clients.replaceClient(first, second), true);
      assert.deepEqual(await store.clients.getClient(first.id), second);
      assert.equal(await store.clients.replaceClient(first, third), false);
      assert.deepEqual(await store.clients.getClient(first.id), second);
      assert.equal(await store.clients.replaceClient(second, third), true);
      assert.deepEqual(await store.clients.getClient(first.id), third);
      assert.equal(await store.clients.replaceClient({ ...third, id: 'p1.2' }, { ...third, id: 'p1.2' }), false);
    });

    it('a response alone is stored and read back, once for its scope until it expires', async () => {
      const alone = { ...response, scope: 'client\nPOST\n/p1/resource\nalone', body: '"alone"' };
      assert.equal(await store.resources.storeResponse('p1', alone), 'committed');
      assert.deepEqual(await store.resources.getIdempotentResponse(alone.scope, 0), alone);
      const both = await Promise.all([1, 2].map(() => store.resources.storeResponse('p1', { ...alone, body: '"b"' })));
      assert.deepEqual(both, ['responseExists', 'responseExists']);
      const change = creation('p1', document('with-scope', 1), { ...alone, body: '"c"' });
      assert.equal(await store.resources.commit(change), 'responseExists');
      assert.equal(await store.resources.get('p1', 'with-scope'), undefined);
      assert.deepEqual(await store.resources.getIdempotentResponse(alone.scope, 0), alone);
      const old = { ...alone, scope: `${alone.scope}-old`, expiresAtMs: 1 };
      assert.equal(await store.resources.storeResponse('p1', old), 'committed');
      const renewed = { ...old, expiresAtMs: alone.expiresAtMs };
      const together = [
        store.resources.storeResponse('p1', renewed),
        store.resources.commit(creation('p1', document('beside', 1))),
      ];
      assert.deepEqual(await Promise.all(together), ['committed', 'committed']);
      assert.deepEqual(await store.resources.getIdempotentResponse(old.scope, 2), renewed);
    });

    it('incarnation and history of a resource are read back, with and without each other', async () => {
      // The names look like an incarnation in the stored form.
      for (const fields of [[], ['a', '[0,["b"]]'], ['[0,['], ['c', 'd[0,[', '']]) {
        for (const incarnation of ['f00d', undefined]) {
          const current = document(`inc-${fields.length}-${fields[0]}-${incarnation}`, 1);
          const history = historyOf([{ version: 2, fields }]);
          const next = { ...record('p1', current), history, incarnation };
          assert.equal(await store.resources.commit({ kind: 'create', next, after: { current } }), 'committed');
          const found = await store.resources.get('p1', next.id);
          assert.deepEqual([found?.incarnation, found?.history], [incarnation, history]);
          const after = { current: { ...current, version: 2 } };
          const change = { kind: 'update', expectedVersion: 1, before: { current }, after } as const;
          const written = { ...record('p1', after.current), history, incarnation };
          const update = (expectedIncarnation: string | undefined) =>
            store.resources.commit({ ...change, next: written, expectedIncarnation });
          assert.equal(await update('of another'), 'versionMoved');
          assert.equal(await update(incarnation), 'committed');
        }
      }
      const bare = { ...record('p1', document('bare', 1)), history: '', incarnation: 'f00d' };
      await store.resources.commit({ kind: 'create', next: bare, after: { current: document('bare', 1) } });
      const found = await store.resources.get('p1', 'bare');
      assert.deepEqual([found?.incarnation, found?.history], ['f00d', '']);
    });

    it('a resource of one project does not exist in another', async () => {
      await store.resources.commit(creation('p2', document('own', 1, { colour: 'red' }, 'own-key')));
      assert.equal(await store.resources.get('p1', 'own'), undefined);
      assert.equal(await store.resources.getByKey('p1', 'own-key'), undefined);
      assert.equal((await store.resources.list(query('p1', 'colour = "red"'))).total, 0);
      assert.equal((await store.resources.list(query('p2', 'colour = "red"'))).total, 1);
    });

    it('a create of a taken id gives idTaken, of a taken key keyTaken, and stores nothing', async () => {
      await store.resources.commit(creation('p3', document('a', 1, {}, 'k')));
      assert.equal(await store.resources.commit(creation('p3', document('a', 1, { other: true }))), 'idTaken');
      assert.equal(await store.resources.commit(creation('p3', document('b', 1, {}, 'k'))), 'keyTaken');
      assert.equal(await store.resources.get('p3', 'b'), undefined);
      assert.equal((await store.resources.list(query('p3', 'other = true'))).total, 0);
    });

    it('an update applies only to the version it was decided on', async () => {
      const first = document('u', 1, { colour: 'red' });
      const second = document('u', 2, { colour: 'blue' });
      await store.resources.commit(creation('p4', first));
      assert.equal(await store.resources.commit(replacement('p4', first, second)), 'committed');
      assert.equal(await store.resources.commit(replacement('p4', first, document('u', 2))), 'versionMoved');
      assert.equal((await store.resources.get('p4', 'u'))?.current, JSON.stringify(second));
      assert.equal((await store.resources.list(query('p4', 'colour = "red"'))).total, 0);
      assert.equal((await store.resources.list(query('p4', 'colour = "blue"'))).total, 1);
    });

    it('an update to a key that another resource has gives keyTaken and changes nothing', async () => {
      await store.resources.commit(creation('p5', document('a', 1, {}, 'k-a')));
      const b = document('b', 1, {}, 'k-b');
      await store.resources.commit(creation('p5', b));
      assert.equal(await store.resources.commit(replacement('p5', b, document('b', 2, {}, 'k-a'))), 'keyTaken');
      assert.equal((await store.resources.get('p5', 'b'))?.version, 1);
      assert.equal(await store.resources.commit(replacement('p5', b, document('b', 2, {}, 'k-c'))), 'committed');
      assert.equal(await store.resources.getByKey('p5', 'k-b'), undefined);
      assert.equal((await store.resources.getByKey('p5', 'k-c'))?.version, 2);
    });

    it('an update of a record whose createdAt is stored in another form is read back', async () => {
      const forms = ['2026-01-01T00:00:00Z', '2026-01-01T01:00:00.000+01:00', '2026-01-01'];
      for (const [n, createdAt] of forms.entries()) {
        const first = { ...document(`form-${n}`, 1, { n }), createdAt };
        const stored = { ...record('p15', first), createdAt };
        assert.equal(
          await store.resources.commit({ kind: 'create', next: stored, after: { current: first } }),
          'committed',
        );
        const second = { ...document(`form-${n}`, 2, { n: n + 10 }), createdAt };
        const next = { ...record('p15', second), createdAt: '2026-01-01T00:00:00' };
        const change = { kind: 'update', expectedVersion: 1, next, before: { current: first } } as const;
        assert.equal(await store.resources.commit({ ...change, after: { current: second } }), 'committed');
        assert.deepEqual(await scanned('p15', 500), [next]);
        const third = { ...document(`form-${n}`, 3), createdAt };
        assert.equal(await store.resources.commit(replacement('p15', second, third)), 'committed');
        assert.equal(await store.resources.commit(deletion('p15', third)), 'committed');
      }
    });

    it('an update of a deleted resource gives versionMoved', async () => {
      const gone = document('gone', 1);
      assert.equal(await store.resources.commit(replacement('p5', gone, document('gone', 2))), 'versionMoved');
    });

    it('a change decided on a resource that was deleted and created again gives versionMoved, whatever its version', async () => {
      const [first, second] = [document('again', 1, { n: 1 }), document('again', 1, { n: 2 })];
      const stored = (document: JsonObject, incarnation: string | undefined) => ({
        ...record('p20', document),
        incarnation,
      });
      const next = document('again', 2, { n: 3 });
      let earlier: string | undefined = 'aaaa';
      for (const now of ['bbbb', undefined, 'aaaa']) {
        const created = { kind: 'create', next: stored(second, now), after: { current: second } } as const;
        assert.equal(await store.resources.commit(created), 'committed');
        const before = { current: first };
        const updated = (incarnation: string | undefined) =>
          store.resources.commit({
            ...{ kind: 'update', expectedVersion: 1, expectedIncarnation: incarnation },
            ...{ next: stored(next, now), before, after: { current: next } },
          });
        const deleted = (version: number, incarnation: string | undefined) =>
          store.resources.commit({
            ...{ kind: 'delete', projectKey: 'p20', id: 'again' },
            ...{ expectedVersion: version, expectedIncarnation: incarnation, before: { current: next } },
          });
        assert.equal(await updated(earlier), 'versionMoved');
        assert.equal(await deleted(1, earlier), 'versionMoved');
        assert.deepEqual(await scanned('p20', 10), [stored(second, now)]);
        assert.equal(await updated(now), 'committed');
        assert.equal(await deleted(2, earlier), 'versionMoved');
        assert.equal(await deleted(2, now), 'committed');
        earlier = now;
      }
    });

    it('a deleted resource is gone from reads and lists; its key is free again', async () => {
      const first = document('d', 1, { colour: 'red' }, 'd-key');
      await store.resources.commit(creation('p6', first));
      assert.equal(await store.resources.commit(deletion('p6', { ...first, version: 7 })), 'versionMoved');
      assert.equal(await store.resources.commit(deletion('p6', first)), 'committed');
      assert.equal(await store.resources.get('p6', 'd'), undefined);
      assert.equal((await store.resources.list(query('p6', 'colour = "red"'))).total, 0);
      assert.equal(await store.resources.commit(creation('p6', document('d2', 1, {}, 'd-key'))), 'committed');
    });

    it('of 64 concurrent updates decided on one version exactly one is committed', async () => {
      const first = document('race', 1);
      await store.resources.commit(creation('p7', first));
      const changes = Array.from({ length: 64 }, (_, n) => replacement('p7', first, document('race', 2, { n })));
      const outcomes = await Promise.all(changes.map((change) => store.resources.commit(change)));
      assert.equal(outcomes.filter((outcome) => outcome === 'committed').length, 1);
      assert.equal(outcomes.filter((outcome) => outcome === 'versionMoved').length, 63);
      const winner = outcomes.indexOf('committed');
      assert.equal((await store.resources.list(query('p7', `n = ${winner}`))).total, 1);
    });

    it('of 100 concurrent creates of one key exactly one is committed', async () => {
      const changes = Array.from({ length: 100 }, (_, n) => creation('p8', document(`c-${n}`, 1, {}, 'same')));
      const outcomes = await Promise.all(changes.map((change) => store.resources.commit(change)));
      assert.equal(outcomes.filter((outcome) => outcome === 'committed').length, 1);
      assert.equal(outcomes.filter((outcome) => outcome === 'keyTaken').length, 99);
    });

    it('a response is stored with its write, once, and gone after its time', async () => {
      assert.equal(await store.resources.commit(creation('p9', document('i', 1), response)), 'committed');
      assert.deepEqual(await store.resources.getIdempotentResponse(response.scope, 0), response);
      assert.equal(await store.resources.commit(creation('p9', document('i2', 1), response)), 'responseExists');
      assert.equal(await store.resources.get('p9', 'i2'), undefined);
      assert.equal(await store.resources.getIdempotentResponse(response.scope, response.expiresAtMs + 1), undefined);
      assert.equal(await store.resources.getIdempotentResponse('another scope', 0), undefined);
    });

    it('responses are deleted when they have expired, however many, and not before', async () => {
      const scopes = Array.from({ length: 1500 }, (_, n) => `expiring ${n}`);
      const stored = (scope: string, n: number) => ({ ...response, scope, expiresAtMs: n < 1200 ? 1000 : 2000 });
      const changes = scopes.map((scope, n) => creation('p12', document(`e-${n}`, 1), stored(scope, n)));
      await Promise.all(changes.map((change) => store.resources.commit(change)));
      assert.equal(await store.resources.deleteExpiredResponses(1000), 0);
      assert.equal(await store.resources.deleteExpiredResponses(1001), 1200);
      assert.equal(await store.resources.getIdempotentResponse('expiring 0', 0), undefined);
      assert.equal((await store.resources.getIdempotentResponse('expiring 1499', 0))?.status, 201);
    });

    it('a response is not stored if its write was refused', async () => {
      const refused = { ...response, scope: 'refused' };
      await store.resources.commit(creation('p9', document('i', 1), refused));
      assert.equal(await store.resources.getIdempotentResponse('refused', 0), undefined);
    });

    it('a staged projection is returned and matched with staged, the current one without', async () => {
      const first = document('s', 1, { colour: 'red' });
      const current = document('s', 2, { colour: 'red', hasStagedChanges: true });
      const staged = document('s', 2, { colour: 'green', hasStagedChanges: true });
      await store.resources.commit(creation('p10', first));
      const next = record('p10', current, staged);
      const change = { kind: 'update', expectedVersion: 1, next, before: { current: first } } as const;
      assert.equal(await store.resources.commit({ ...change, after: { current, staged } }), 'committed');
      const green = await store.resources.list(query('p10', 'colour = "green"', { staged: true }));
      assert.deepEqual(green.results, [JSON.stringify(staged)]);
      assert.equal((await store.resources.list(query('p10', 'colour = "red"', { staged: true }))).total, 0);
      assert.deepEqual((await store.resources.list(query('p10', 'colour = "red"'))).results, [JSON.stringify(current)]);
    });

    it('the next list and existence check after a commit see it, under 200 writes at once', async () => {
      await Promise.all(
        Array.from({ length: 200 }, async (_, n) => {
          const write = creation('p11', document(`n-${n}`, 1, { n, even: n % 2 === 0 }));
          assert.equal(await patiently(() => store.resources.commit(write)), 'committed');
          const where = [parsePredicate(`n = ${n}`, { variables: new Map() })];
          assert.equal(await patiently(() => store.resources.exists('p11', where, false)), true);
        }),
      );
      const page = await store.resources.list(query('p11', 'even = true', { limit: 5, offset: 10 }));
      assert.equal(page.total, 100);
      assert.equal(page.count, 5);
    });

    it('a list counts up to where it is asked to, and says if there are more', async () => {
      const fields = (n: number) => ({ n, even: n % 2 === 0, tags: n < 12 ? ['a', `t-${n}`] : [] });
      await Promise.all(
        Array.from({ length: 30 }, (_, n) => store.resources.commit(creation('p16', document(`n-${n}`, 1, fields(n))))),
      );
      const matches = [
        ['even = true', 15],
        ['tags contains any ("a", "t-3")', 12],
        ['n > 3 and even = true', 13],
        ['not (n = 1)', 29],
        ['id > "n-2" and n >= 0', 17],
        ['n(x = 1) or n matches ignore case "x" or even = false', 15],
        [undefined, 30],
      ] as const;
      const orders = [[], ['id'], ['createdAt'], ['n']].map((path) =>
        path.length === 0 ? [] : [{ path, direction: 'desc' as const }],
      );
      const pagesOf = (count: number) => [
        { limit: 3, offset: 0 },
        { limit: 3, offset: count - 1 },
        { limit: 500, offset: 0 },
        { limit: 500, offset: 99 },
        { limit: 0, offset: 0 },
      ];
      // Side by side: on PostgreSQL each list waits to learn how far the log is.
      for (const [where, count] of matches) {
        const asked = orders.flatMap((sort) => pagesOf(count).map((page) => ({ ...page, sort })));
        await Promise.all(
          asked.map(async ({ sort, limit, offset }) => {
            const totalsOf = async (countUpTo: number | undefined) => {
              const asked = query('p16', where ?? 'id = "x"', { sort, limit, offset, countUpTo });
              const { total, totalRelation } = await store.resources.list(where ? asked : { ...asked, where: [] });
              return [total, totalRelation];
            };
            const message = `${where} ${JSON.stringify(sort)} limit ${limit} offset ${offset}`;
            assert.deepEqual(await totalsOf(count - 1), [count - 1, 'gte'], message);
            assert.deepEqual(await totalsOf(count), [count, undefined], message);
            assert.deepEqual(await totalsOf(undefined), [count, undefined], message);
          }),
        );
      }
    });

    it('a scan returns every record of the project once, whole, by the bytes of its id', async () => {
      // UTF-16 would have the parrot, a surrogate pair, before U+FF5E.
      const ids = ['A', 'a', 'a b', 'ä', '～', '🦜', ...Array.from({ length: 40 }, (_, n) => `n-${n}`)];
      const fields = { text: 'Zoë 🦜 \\ "x"' };
      for (const id of ids) await store.resources.commit(creation('p13', document(id, 1, fields, `key of ${id}`)));
      const first = document('staged', 1);
      const [current, staged] = [document('staged', 2), document('staged', 2, { colour: 'green' })];
      await store.resources.commit(creation('p13', first));
      const next = record('p13', current, staged);
      const change = { kind: 'update', expectedVersion: 1, next, before: { current: first } } as const;
      await store.resources.commit({ ...change, after: { current, staged } });
      await store.resources.commit(creation('p13~images', document('b', 1)));
      const expected = [...ids.map((id) => record('p13', document(id, 1, fields, `key of ${id}`))), next];
      expected.sort((a, b) => Buffer.compare(Buffer.from(a.id), Buffer.from(b.id)));
      assert.deepEqual(await scanned('p13', 7), expected);
      assert.deepEqual(await scanned('p13~images', 500), [record('p13~images', document('b', 1))]);
      assert.deepEqual(await store.resources.scan('p13', '🦜', 500), []);
    });

    it('a scan past large records returns them in portions and misses none', async () => {
      const large = (id: string) => document(id, 1, { text: 'é'.repeat(1_000_000) });
      const ids = Array.from({ length: 9 }, (_, n) => `large-${n}`);
      for (const id of ids) await store.resources.commit(creation('p14', large(id)));
      assert.deepEqual(
        await scanned('p14', 500),
        ids.map((id) => record('p14', large(id))),
      );
    });

    /** How many queries of each kind were counted, over all queues. */
    function countedQueries(): Readonly<Record<QueryKind, number>> {
      const counts = { list: 0, exists: 0, search: 0, changes: 0 };
      const form = /^grs_query_seconds_count\{queue="(\w+)",query="(\w+)"\} (\d+)$/gm;
      for (const [, queue = '', query, count] of metrics.render().matchAll(form)) {
        assert.ok(engine.queues[queue]?.includes(query as QueryKind), `${query} in ${queue}`);
        counts[query as QueryKind] += Number(count);
      }
      return counts;
    }

    for (const [kind, run] of Object.entries({
      list: () => store.resources.list(query('p15', 'version >= 1')),
      exists: () => store.resources.exists('p15', query('p15', 'version >= 1').where, false),
      search: () => store.resources.search(parseSearch(new Map([['text.en', ['shoe']]]), 'p15')),
    }) as [QueryKind, () => Promise<unknown>][]) {
      it(`the metrics count a query by its kind: ${kind}`, async () => {
        const before = countedQueries();
        await run();
        const after = countedQueries();
        const more = Object.keys(after).filter((each) => after[each as QueryKind] > before[each as QueryKind]);
        assert.deepEqual(more, [kind]);
      });
    }

    it('a response that has expired is in the way of no group, whether its changes are of one resource or of several', async () => {
      for (const [n, second] of [document('gx', 2), document('gy', 1)].entries()) {
        const [project, first] = [`p21-${n}`, document('gx', 1)];
        const scope = `group with an expired response ${n}`;
        await store.resources.storeResponse(project, { ...response, scope, expiresAtMs: 1 });
        const renewed = creation(project, first, { ...response, scope });
        const more = n === 0 ? replacement(project, first, second) : creation(project, second);
        assert.equal(await store.resources.commitAll([renewed, more]), 'committed');
        assert.deepEqual(await store.resources.commitAll([renewed, more]), { outcome: 'responseExists', at: 0 });
        assert.equal((await store.resources.getIdempotentResponse(scope, 2))?.body, response.body);
      }
    });

    it('a group of changes is applied in order, each to what those before it made', async () => {
      const all = store.resources;
      const [a1, a2] = [document('ga', 1, { colour: 'red' }, 'k1'), document('ga', 2, { colour: 'blue' }, 'k2')];
      const [b1, c1] = [document('gb', 1, { colour: 'red' }, 'k1'), document('gc', 1, { colour: 'red' })];
      await all.commit(creation('p17', document('old', 1, { colour: 'red' }, 'k3')));
      const group = [
        creation('p17', a1),
        replacement('p17', a1, a2),
        creation('p17', b1),
        creation('p17', c1),
        deletion('p17', c1),
        deletion('p17', document('old', 1, { colour: 'red' }, 'k3')),
        creation('p17', document('new', 1, { colour: 'red' }, 'k3')),
        creation('p17', document('old', 1, { colour: 'red' })),
      ];
      assert.equal(await all.commitAll(group), 'committed');
      assert.deepEqual((await all.get('p17', 'ga'))?.current, JSON.stringify(a2));
      assert.deepEqual((await all.getByKey('p17', 'k1'))?.id, 'gb');
      assert.deepEqual((await all.getByKey('p17', 'k2'))?.id, 'ga');
      assert.deepEqual((await all.getByKey('p17', 'k3'))?.id, 'new');
      assert.equal(await all.get('p17', 'gc'), undefined);
      assert.equal((await all.get('p17', 'old'))?.key, undefined);
      assert.deepEqual(
        (await scanned('p17', 500)).map(({ id }) => id),
        ['ga', 'gb', 'new', 'old'],
      );
      assert.equal((await all.list(query('p17', 'colour = "red"'))).total, 3);
      assert.equal((await all.list(query('p17', 'colour = "blue"'))).total, 1);
    });

    it('a group of which one change cannot be applied leaves nothing behind, and says which one', async () => {
      const all = store.resources;
      const kept = document('kept', 1, { colour: 'red' }, 'taken');
      await all.commit(creation('p18', kept));
      const large = document('large', 1, { text: 'word '.repeat(100_000) });
      const first = { ...response, scope: 'client\nPOST\n/p18/resource/batch\ng', body: '"group"' };
      const attempts = [
        [[creation('p18', large, first), creation('p18', document('x', 1, {}, 'taken'))], 'keyTaken', 1],
        [[creation('p18', large), deletion('p18', kept), creation('p18', large)], 'idTaken', 2],
        [[deletion('p18', kept), replacement('p18', kept, document('kept', 2))], 'versionMoved', 1],
        [[replacement('p18', document('kept', 7), document('kept', 8)), creation('p18', large)], 'versionMoved', 0],
      ] as const;
      for (const [changes, outcome, at] of attempts) {
        assert.deepEqual(await all.commitAll(changes), { outcome, at });
        assert.equal((await all.get('p18', 'kept'))?.version, 1);
        assert.equal((await all.list(query('p18', 'version >= 1'))).total, 1);
        assert.equal(await all.getIdempotentResponse(first.scope, 0), undefined);
      }
      assert.equal(await all.commitAll([creation('p18', large, first), deletion('p18', kept)]), 'committed');
      assert.deepEqual(await all.getIdempotentResponse(first.scope, 0), first);
      const again = await all.commitAll([creation('p18', document('y', 1), first), creation('p18', document('z', 1))]);
      assert.deepEqual(again, { outcome: 'responseExists', at: 0 });
      assert.deepEqual(
        (await scanned('p18', 500)).map(({ id }) => id),
        ['large'],
      );
    });

    it('the metrics count commits, and the writes that share one', async () => {
      const total = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(metrics.render())![1]);
      const count = () => [total('grs_commit_operations_sum'), total('grs_commit_durable_seconds_count')] as const;
      const [writes, commits] = count();
      await Promise.all(['a', 'b', 'c'].map((id) => store.resources.commit(creation('p16', document(id, 1)))));
      assert.equal(count()[0], writes + 3);
      assert.ok(count()[1] > commits && count()[1] <= commits + 3, `${count()[1] - commits} commits`);
    });

    it('the metrics count reads by id, by where they were answered from', async () => {
      const total = () => {
        const found = metrics.render().matchAll(/^grs_reads_total\{from="(?:memory|database)"\} (\d+)$/gm);
        return [...found].reduce((sum, [, count]) => sum + Number(count), 0);
      };
      const reads = total();
      await store.resources.get('p15', 'none');
      assert.equal(total(), reads + 1);
    });

    it('the store says that it can write, and how large it is', async () => {
      const status = await store.status();
      assert.equal(status.writable, true);
      assert.ok(status.sizeBytes > 0);
    });
  });
}
