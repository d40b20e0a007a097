import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Store } from '../../../src/domain/ports/store.ts';
import type { ApiRequest } from '../../../src/http/route.ts';
import { repeatedReads } from '../../../src/http/routes/resources/repeated-reads.ts';
import { Generations } from '../../../src/store/sqlite/resource-store.ts';
import { createMetrics } from '../../../src/telemetry/metrics.ts';
import { creation, deletion, document, replacement } from '../records.ts';
import { openTestStore, temporaryFolder } from './open-test-store.ts';

describe('The generation of a project', () => {
  it('is unknown until all writes have ended, and another one then', () => {
    const generations = new Generations();
    const [first, other] = [generations.of('p'), generations.of('q')];
    generations.writeBegins('p');
    generations.writeBegins('p');
    assert.equal(generations.of('p'), undefined);
    generations.writeEnded('p');
    assert.equal(generations.of('p'), undefined);
    generations.writeEnded('p');
    assert.notEqual(generations.of('p'), undefined);
    assert.notEqual(generations.of('p'), first);
    assert.equal(generations.of('q'), other);
  });

  it('is never the same again with more projects than are tracked, and writes under way stay known', () => {
    const generations = new Generations();
    const first = generations.of('p');
    generations.writeBegins('busy');
    for (let n = 0; n < 10_100; n += 1) {
      generations.writeBegins(`p-${n}`);
      generations.writeEnded(`p-${n}`);
    }
    assert.equal(generations.of('busy'), undefined);
    assert.notEqual(generations.of('p'), first);
  });
});

describe('Repeated lists', () => {
  const folder = temporaryFolder();
  let store: Store;
  let reads = 0;
  before(async () => {
    store = await openTestStore(folder.file);
  });
  after(async () => {
    await store.close();
    folder.remove();
  });

  const respond = repeatedReads<string>(
    { metrics: createMetrics(), cursors: { sealedWith: () => folder } },
    {
      name: 'lists',
      parse: ({ projectKey }) => projectKey,
      async read(_, projectKey) {
        reads += 1;
        const query = { projectKey, where: [], sort: [], limit: 500, offset: 0, withTotal: true, staged: false };
        return { status: 200, body: String((await store.resources.list(query)).total) };
      },
      dependsOnProject: () => true,
    },
  );
  const totalOf = async (projectKey: string) => {
    const { body } = await respond(store.resources, { projectKey, url: `/${projectKey}` } as ApiRequest, undefined);
    return Number(Buffer.from(body as string).toString());
  };

  it('come from memory until their project is written to, and show every acknowledged write', async () => {
    const first = document('a', 1);
    await store.resources.commit(creation('p', first));
    for (let n = 0; n < 4; n += 1) assert.equal(await totalOf('p'), 1);
    await store.resources.commit(creation('other', first));
    assert.equal(await totalOf('p'), 1);
    assert.equal(reads, 2);
    const second = document('a', 2);
    await store.resources.commit(replacement('p', first, second));
    await totalOf('p');
    assert.equal(reads, 3);
    await store.resources.commitAll([creation('p', document('b', 1)), creation('p', document('c', 1))]);
    assert.equal(await totalOf('p'), 3);
    await store.resources.commit(deletion('p', second));
    assert.equal(await totalOf('p'), 2);
    assert.equal(await store.resources.commit(creation('p', document('b', 1))), 'idTaken');
    assert.deepEqual([await totalOf('p'), await totalOf('p')], [2, 2]);
    assert.equal(reads, 6);
  });

  it('never show less than was acknowledged before, with many readers beside a writer', async () => {
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
        most = await totalOf('raced');
        assert.ok(most >= least, `${most} of at least ${least}`);
      }
    };
    await Promise.all([write(), ...Array.from({ length: 8 }, read)]);
    assert.equal(await totalOf('raced'), 150);
  });
});
