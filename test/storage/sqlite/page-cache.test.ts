import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { joinedTexts, type ListPage, type ListQuery } from '../../../src/domain/ports/list-query.ts';
import type { Store } from '../../../src/domain/ports/store.ts';
import { createPageCache } from '../../../src/store/sqlite/page-cache.ts';
import { noStoreMetrics } from '../../../src/telemetry/store-metrics.ts';
import { creation, deletion, document, replacement } from '../records.ts';
import { openTestStore, temporaryFolder } from './open-test-store.ts';

function queryOf(projectKey = 'p'): ListQuery {
  return { projectKey, where: [], sort: [], limit: 20, offset: 0, withTotal: true, staged: false };
}

const pageOf = (characters: number): ListPage => ({ results: 'x'.repeat(characters), count: 1 });

describe('The cache of list pages', () => {
  /** A page that is asked for the second time, as the store does it. */
  function cachePage(pages: ReturnType<typeof createPageCache>, query: ListQuery, page = pageOf(100)): void {
    pages.readBegins(query)(page);
    pages.readBegins(query)(page);
  }

  it('caches a page when its query is asked for the second time, not for the first', () => {
    const pages = createPageCache(1_000_000);
    const query = queryOf();
    pages.readBegins(query)(pageOf(1));
    assert.equal(pages.get(query), undefined);
    pages.readBegins(query)(pageOf(2));
    assert.equal(pages.get(query)?.results, 'xx');
    assert.equal(pages.get(queryOf()), undefined);
  });

  it('drops the pages of a project when a write to it begins, and caches none until all writes have ended', () => {
    const pages = createPageCache(1_000_000);
    const [mine, other] = [queryOf('p'), queryOf('q')];
    cachePage(pages, mine);
    cachePage(pages, other);
    pages.writeBegins('p');
    pages.writeBegins('p');
    assert.equal(pages.get(mine), undefined);
    assert.ok(pages.get(other));
    cachePage(pages, mine);
    pages.writeEnded('p');
    cachePage(pages, mine);
    assert.equal(pages.get(mine), undefined);
    pages.writeEnded('p');
    cachePage(pages, mine);
    assert.ok(pages.get(mine));
  });

  it('caches no page whose reading began before a write, or while it was under way', () => {
    const pages = createPageCache(1_000_000);
    const query = queryOf();
    pages.readBegins(query);
    const early = pages.readBegins(query);
    pages.writeBegins('p');
    const between = pages.readBegins(query);
    pages.writeEnded('p');
    early(pageOf(1));
    between(pageOf(1));
    assert.equal(pages.get(query), undefined);
    pages.readBegins(query)(pageOf(2));
    assert.equal(pages.get(query)?.results, 'xx');
  });

  it('keeps within its bytes: the least recently used goes first, what is too large is not cached', () => {
    const pages = createPageCache(5000);
    const [a, b, c, large] = [queryOf(), queryOf(), queryOf(), queryOf()];
    cachePage(pages, a, pageOf(1000));
    cachePage(pages, b, pageOf(1000));
    assert.ok(pages.get(a));
    cachePage(pages, c, pageOf(1000));
    assert.deepEqual(
      [a, b, c].map((query) => pages.get(query) !== undefined),
      [true, false, true],
    );
    const roomy = createPageCache(1e9);
    cachePage(roomy, large, pageOf(300_000));
    assert.equal(roomy.get(large), undefined);
  });

  it('follows writes to more projects than it keeps track of', () => {
    const pages = createPageCache(1_000_000);
    const query = queryOf();
    cachePage(pages, query);
    pages.writeBegins('busy');
    for (let n = 0; n < 10_100; n += 1) {
      pages.writeBegins(`p-${n}`);
      pages.writeEnded(`p-${n}`);
    }
    const busy = queryOf('busy');
    cachePage(pages, busy);
    assert.equal(pages.get(busy), undefined, 'a write is still on its way');
    pages.writeEnded('busy');
    cachePage(pages, busy);
    assert.ok(pages.get(busy));
    cachePage(pages, query);
    assert.ok(pages.get(query));
  });
});

describe('Repeated lists', () => {
  const folder = temporaryFolder();
  const heard: boolean[] = [];
  let store: Store;
  before(async () => {
    const metrics = { ...noStoreMetrics, recordList: (isCached: boolean) => heard.push(isCached) };
    store = await openTestStore(folder.file, { metrics });
  });
  after(async () => {
    await store.close();
    folder.remove();
  });

  it('come from the cache until their project is written to, and show every acknowledged write', async () => {
    const query = queryOf();
    const seen = async () => {
      const { results, total } = await store.resources.list(query);
      return [
        (JSON.parse(`[${joinedTexts(results)}]`) as { id: string; n: number }[])
          .map(({ id, n }) => `${id}${n}`)
          .sort()
          .join(),
        total,
      ];
    };
    const first = document('a', 1, { n: 1 });
    await store.resources.commit(creation('p', first));
    for (let n = 0; n < 4; n += 1) assert.deepEqual(await seen(), ['a1', 1]);
    assert.deepEqual(heard.splice(0), [false, false, true, true]);
    await store.resources.commit(creation('other', first));
    assert.deepEqual(await seen(), ['a1', 1]);
    assert.deepEqual(heard.splice(0), [true]);
    const second = document('a', 2, { n: 2 });
    await store.resources.commit(replacement('p', first, second));
    assert.deepEqual(await seen(), ['a2', 1]);
    await store.resources.commit(creation('p', document('b', 1, { n: 1 })));
    assert.deepEqual(await seen(), ['a2,b1', 2]);
    await store.resources.commit(deletion('p', second));
    assert.deepEqual(await seen(), ['b1', 1]);
    assert.deepEqual(heard.splice(0), [false, false, false]);
    // A write that changes nothing leaves no doubt either.
    assert.equal(await store.resources.commit(creation('p', document('b', 1))), 'idTaken');
    for (let n = 0; n < 2; n += 1) assert.deepEqual(await seen(), ['b1', 1]);
    assert.deepEqual(heard.splice(0), [false, true]);
  });

  it('never show less than was acknowledged before, with many readers beside a writer', async () => {
    const query = { ...queryOf('raced'), limit: 500 };
    let acknowledged = 0;
    let writing = true;
    const write = async () => {
      for (let n = 0; n < 150; n += 1) {
        assert.equal(await store.resources.commit(creation('raced', document(`r-${n}`, 1))), 'committed');
        acknowledged += 1;
      }
      writing = false;
    };
    const read = async () => {
      let most = 0;
      while (writing) {
        const least = Math.max(acknowledged, most);
        const { total = 0 } = await store.resources.list(query);
        assert.ok(total >= least, `${total} of at least ${least}`);
        most = total;
      }
    };
    await Promise.all([write(), ...Array.from({ length: 8 }, read)]);
    assert.equal((await store.resources.list(query)).total, 150);
  });
});
