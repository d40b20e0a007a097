import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Store } from '../../../src/domain/ports/store.ts';
import type { Link, StoreHost } from '../../../src/record/engine.ts';
import { checksumOf } from '../../../src/record/row/checked-table.ts';
import { responseRow } from '../../../src/record/row/response-row.ts';
import { responses } from '../../../src/record/sqlite/checked-tables.ts';
import { sqlite } from '../../../src/store/sqlite/engine.ts';
import type { SqliteOptions } from '../../../src/store/sqlite/open-writer.ts';
import { hostSqliteStore } from '../../../src/store/sqlite/store.ts';
import { changeLogSuite } from '../change-log.suite.ts';
import { changesBy, documentWrites, readLog } from '../logged-changes.ts';
import { noStoreMetrics } from '../no-store-metrics.ts';
import { creation, deletion, document, record, replacement } from '../records.ts';
import { resourceStoreSuite } from '../resource-store.suite.ts';
import { ruleStoreSuite } from '../rule-store.suite.ts';
import { openTestStore, temporaryFolder } from './open-test-store.ts';

/** Messages are cloned, as between processes. */
function linkOf(port: MessagePort): Link {
  return {
    send: (message) => port.postMessage(message),
    onMessage: (listener) => void port.on('message', listener),
  };
}

/** A host, and stores that write through it. All of it is in this process. */
async function openHost(metrics = noStoreMetrics, keepsHistory = true) {
  const folder = temporaryFolder();
  const ports: MessagePort[] = [];
  const host: StoreHost = await hostSqliteStore({
    ...{ file: folder.file, access: 'exclusive', declaredPaths: [], acceptLoss: false, maxPageBytes: 1e6 },
    ...{ queryTimeoutMs: 60_000, keepsHistory, metrics },
    ...{ note: () => {}, onFatal: () => {} },
  });
  return {
    file: folder.file,
    open(more: Partial<SqliteOptions> = {}): Promise<Store> {
      const { port1, port2 } = new MessageChannel();
      ports.push(port1, port2);
      host.serve(linkOf(port1));
      return openTestStore(folder.file, { link: linkOf(port2), ...more });
    },
    async close() {
      for (const port of ports) port.close();
      await host.close();
      folder.remove();
    },
  };
}

let suiteHost: Awaited<ReturnType<typeof openHost>>;
after(() => suiteHost.close());
resourceStoreSuite({
  ...{ name: 'SQLite through the writer of another process', engine: sqlite },
  async open(metrics) {
    suiteHost = await openHost(metrics);
    return suiteHost.open({ metrics });
  },
});

let rulesHost: Awaited<ReturnType<typeof openHost>>;
after(() => rulesHost.close());
ruleStoreSuite({
  ...{ name: 'SQLite through the writer of another process', rounds: 100 },
  async open() {
    rulesHost = await openHost();
    return [await rulesHost.open(), await rulesHost.open()];
  },
});

const logHosts: Awaited<ReturnType<typeof openHost>>[] = [];
after(() => Promise.all(logHosts.map((host) => host.close())));
changeLogSuite({
  name: 'SQLite through the writer of another process',
  async open(keepsHistory) {
    const host = await openHost(noStoreMetrics, keepsHistory);
    logHosts.push(host);
    return host.open({ keepsHistory });
  },
});

describe('Stores that share a writer', () => {
  let shared: Awaited<ReturnType<typeof openHost>>;
  let one: Store;
  let other: Store;
  before(async () => {
    shared = await openHost();
    one = await shared.open();
    other = await shared.open();
  });
  after(async () => {
    await one.close();
    await other.close();
    await shared.close();
  });

  const textIn = async (store: Store, id: string) => (await store.resources.get('p', id))?.current;

  async function cache(store: Store, id: string): Promise<void> {
    for (let n = 0; n < 3; n += 1) await store.resources.get('p', id);
  }

  it('a record that one has cached is read in the version that the other has just committed', async () => {
    let current = document('hot', 1, { n: 1 });
    await one.resources.commit(creation('p', current));
    await cache(other, 'hot');
    for (let version = 2; version <= 20; version += 1) {
      const next = document('hot', version, { n: version });
      const [writer, reader] = version % 2 === 0 ? [one, other] : [other, one];
      assert.equal(await writer.resources.commit(replacement('p', current, next)), 'committed');
      for (const store of [reader, writer]) assert.equal(await textIn(store, 'hot'), JSON.stringify(next));
      current = next;
    }
  });

  it('a cached record that was deleted and created again with the same version is read again', async () => {
    const first = document('again', 1, { life: 'first' });
    const second = document('again', 1, { life: 'second' });
    await one.resources.commit(creation('p', first));
    await cache(other, 'again');
    await one.resources.commit(deletion('p', first));
    assert.equal(await textIn(other, 'again'), undefined);
    await one.resources.commit(creation('p', first));
    await cache(other, 'again');
    await one.resources.commit(deletion('p', first));
    await one.resources.commit(creation('p', second));
    assert.equal(await textIn(other, 'again'), JSON.stringify(second));
  });

  it('a cached record that was deleted and created again to the byte is read in its new incarnation', async () => {
    const same = document('twin', 1, { n: 1 });
    const created = (incarnation: string | undefined) => {
      const next = { ...record('p', same), incarnation };
      return one.resources.commit({ kind: 'create', next, after: { current: same } });
    };
    let incarnation: string | undefined = 'aaaa';
    await created(incarnation);
    for (const next of ['bbbb', undefined, 'cccc']) {
      await cache(other, 'twin');
      const gone = {
        kind: 'delete',
        projectKey: 'p',
        id: 'twin',
        expectedVersion: 1,
        before: { current: same },
      } as const;
      assert.equal(await one.resources.commit({ ...gone, expectedIncarnation: incarnation }), 'committed');
      await created(next);
      assert.equal((await other.resources.get('p', 'twin'))?.incarnation, next);
      incarnation = next;
    }
  });

  it('a read sees what was committed after another read of the same turn', async () => {
    const db = new DatabaseSync(shared.file, { timeout: 60_000 });
    const response = { scope: 'turn', requestHash: 'hash', status: 200, headers: {}, body: 'kept', expiresAtMs: 10 };
    const row = { scope: 'turn', ...responseRow(response) };
    const stored = { ...row, checksum: checksumOf(responses, row) };
    const find = (scope: string) =>
      other.resources.getIdempotentResponse(scope, 0) as { readonly body: string } | undefined;
    try {
      // No `await` in between: the snapshot of the first read would still be open.
      assert.equal(find('turn'), undefined);
      db.prepare(
        `INSERT INTO idempotent_answer (${Object.keys(stored)}) VALUES (${Object.keys(stored).map(() => '?')})`,
      ).run(...Object.values(stored));
      assert.equal(find('turn')?.body, 'kept');
    } finally {
      db.close();
    }
  });

  it('each reads in the log what the other has committed, and hears of it', async () => {
    const called = Promise.withResolvers<void>();
    const stop = other.changes.follow('followed', called.resolve);
    await changesBy(one, 'followed').create('a', { n: 1 });
    const changes = await readLog(other.changes, 'followed');
    assert.deepEqual(
      changes.map(({ id, origin }) => [id, origin.clientId]),
      [['a', 'test-client']],
    );
    await called.promise;
    stop();
    const document = Promise.withResolvers<void>();
    const end = one.changes.follow('followed', document.resolve);
    await changesBy(other, 'followed~backend').create('cart', {}, { documentWrites: documentWrites('cart', 1, 2) });
    await document.promise;
    end();
    const later = await readLog(one.changes, 'followed');
    assert.deepEqual(
      later.slice(1).map(({ key, version }) => [key, version]),
      [1, 2].map((version) => ['cart', version]),
    );
  });

  it('of two that create the same resource at once one gets idTaken', async () => {
    const made = document('both', 1, {});
    const outcomes = await Promise.all([one, other].map((store) => store.resources.commit(creation('p', made))));
    assert.deepEqual(outcomes.sort(), ['committed', 'idTaken']);
  });

  it('a refusal reaches the caller that it is for, whatever others do at the same time', async () => {
    const writes = Array.from({ length: 100 }, (_, n) => {
      const store = n % 2 === 0 ? one : other;
      return store.resources.commit(creation('p', document(`many-${Math.floor(n / 4)}`, 1, { n })));
    });
    const outcomes = await Promise.all(writes);
    for (let at = 0; at < outcomes.length; at += 4) {
      const four = outcomes.slice(at, at + 4).sort();
      assert.deepEqual(four, ['committed', 'idTaken', 'idTaken', 'idTaken']);
    }
  });
});
