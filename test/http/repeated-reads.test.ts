import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ResourceReads } from '../../src/domain/ports/store.ts';
import type { ApiRequest } from '../../src/http/route.ts';
import { repeatedReads } from '../../src/http/routes/resources/repeated-reads.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';

/** Lists whose responses are the number of the read that made them, in so many characters. */
function lists({ maxBytes = 1_000_000, characters = 100 } = {}) {
  const metrics = createMetrics();
  const state = {
    ...{ parsed: 0, read: 0, generation: 1 as number | undefined, secret: {}, settings: {} },
    beforeResponse: () => {},
  };
  const store = { generation: () => state.generation } as unknown as ResourceReads;
  const cursors = { sealedWith: () => state.secret };
  const respond = repeatedReads<string, object>(
    { metrics, cursors },
    {
      ...({ name: 'lists', maxBytes } as const),
      parse({ url }) {
        state.parsed += 1;
        return url;
      },
      async read() {
        state.read += 1;
        const body = String(state.read).padEnd(characters);
        state.beforeResponse();
        return { status: 200, body };
      },
      dependsOnProject: (url) => !url.includes('expand'),
    },
  );
  const send = async (url: string) => {
    const { body } = await respond(store, { url, projectKey: 'p' } as ApiRequest, state.settings);
    return Number(Buffer.from(body as string).toString());
  };
  return { state, send, metrics };
}

describe('Lists and searches that are sent again', () => {
  it('leave nothing the first time, and keep their response from the second time on', async () => {
    const { state, send, metrics } = lists();
    assert.deepEqual([await send('/a'), await send('/a'), await send('/a'), await send('/b')], [1, 2, 2, 3]);
    assert.equal(state.parsed, 3);
    assert.match(metrics.render(), /grs_cache_requests_total\{cache="lists",result="hit"\} 1\n/);
    assert.match(metrics.render(), /grs_cache_entries\{cache="lists"\} 1\n/);
  });

  it('are read again behind a write, and while one is under way', async () => {
    const { state, send } = lists();
    for (let n = 0; n < 3; n += 1) await send('/a');
    state.generation = undefined;
    assert.deepEqual([await send('/a'), await send('/a')], [3, 4]);
    state.generation = 2;
    assert.deepEqual([await send('/a'), await send('/a')], [5, 5]);
  });

  it('do not keep what was read across a write', async () => {
    const { state, send } = lists();
    await send('/a');
    state.beforeResponse = () => {
      state.generation = 2;
    };
    await send('/a');
    state.beforeResponse = () => {};
    assert.equal(await send('/a'), 3);
  });

  it('are read again with another secret of cursors, and where a response depends on other projects', async () => {
    const { state, send } = lists();
    for (let n = 0; n < 2; n += 1) await send('/a');
    state.secret = {};
    assert.equal(await send('/a'), 3);
    assert.deepEqual([await send('/expand'), await send('/expand'), await send('/expand')], [4, 5, 6]);
  });

  it('are parsed and read again where the settings have changed', async () => {
    const { state, send } = lists();
    for (let n = 0; n < 3; n += 1) await send('/a');
    state.settings = {};
    assert.deepEqual([await send('/a'), await send('/a'), await send('/a')], [3, 3, 3]);
    assert.equal(state.parsed, 3);
  });

  it('keep within their bytes; long URLs and long responses are not kept', async () => {
    const { state, send } = lists({ maxBytes: 7000 });
    for (const url of ['/a', '/a', '/b', '/b', '/c', '/c', '/d', '/d']) await send(url);
    const { parsed } = state;
    await send('/d');
    await send('/a');
    assert.deepEqual([state.read, state.parsed], [9, parsed + 1]);
    const long = `/${'x'.repeat(2000)}`;
    assert.deepEqual([await send(long), await send(long), await send(long)], [10, 11, 12]);
    const large = lists({ maxBytes: 10_000_000, characters: 600_000 });
    assert.deepEqual([await large.send('/a'), await large.send('/a'), await large.send('/a')], [1, 2, 3]);
  });
});
