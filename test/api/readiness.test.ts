import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createApp } from '../../src/app.ts';
import { parseConfig } from '../../src/config/parse.ts';
import { noLog } from '../../src/telemetry/log.ts';
import { onEmbedded, startTestApi } from '../start-test-api.ts';
import { openTestStore, temporaryFolder } from '../storage/sqlite/open-test-store.ts';
import { untilReady } from '../until-ready.ts';

const folder = temporaryFolder();
after(() => folder.remove());

test('GET /health/ready before the threads of queries have started → 503, then 200; queries that come earlier wait', async () => {
  const api = await startTestApi();
  try {
    const ready = () => api.call({ path: '/health/ready', scope: 'none' });
    const early = await ready();
    assert.equal(early.status, 503);
    assert.deepEqual(early.json.checks, {
      store: 'ok',
      queries: 'starting',
      process: 'ok',
      rows: 'ok',
      resources: 'ok',
    });
    assert.equal((await api.call({ path: '/p/resource/searchApiPattern?text.en=shoe' })).json.total, 0);
    await api.listen();
    const late = await untilReady(ready);
    assert.deepEqual(late.json, {
      status: 'ready',
      checks: { store: 'ok', queries: 'ok', process: 'ok', rows: 'ok', resources: 'ok' },
    });
  } finally {
    await api.close();
  }
});

test('the threads of queries start when the service listens, not before', async () => {
  const opened = await openTestStore(folder.file);
  let warmed = 0;
  const warm = async () => {
    warmed += 1;
  };
  const config = parseConfig({ DATA_DIR: folder.path, PORT: '0' });
  const app = await createApp(config, { log: noLog, store: Promise.resolve({ ...opened, warm }) });
  try {
    await turn();
    assert.equal(warmed, 0);
    await app.server.listen();
    await turn();
    await turn();
    assert.equal(warmed, 1);
  } finally {
    await app.close();
  }
});

test('changes whose records are all damaged are indexed all the same: lists, reads, writes and GET /health/ready go on', async () => {
  const api = await startTestApi(onEmbedded);
  try {
    await api.listen();
    await untilReady(() => api.call({ path: '/health/ready', scope: 'none' }));
    using db = new DatabaseSync(join(api.dataDir, 'grs.db'));
    db.exec(`CREATE TRIGGER damage AFTER INSERT ON change
      BEGIN UPDATE change SET checksum = 1 - checksum WHERE sequence = NEW.sequence; END`);
    const list = () => api.call({ path: '/p/resource/sorted-query-parameters' });
    const write = (id: string) => api.call({ method: 'POST', path: '/p/resource', body: { id } });
    assert.equal((await write('a')).status, 201);
    assert.equal((await list()).json.total, 1);
    assert.equal((await api.call({ path: '/health/ready', scope: 'none' })).status, 200);
    assert.equal((await write('b')).status, 201);
    assert.equal((await list()).json.total, 2);
    assert.equal((await api.call({ path: '/p/resource/a' })).status, 200);
  } finally {
    await api.close();
  }
});
