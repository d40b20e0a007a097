import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { createQuota } from '../../src/images/files/quota.ts';
import { createSpool } from '../../src/images/files/spool.ts';
import { sweepImages } from '../../src/images/files/sweeper.ts';
import { noLog } from '../../src/telemetry/log.ts';
import { openImages } from '../api/open-images.ts';
import { refusalOf } from '../api/open-resources.ts';
import { openTestCodec } from './open-test-codec.ts';
import { jpeg, png } from './pictures.ts';
import { startProxy } from './s3-proxy.ts';
import { addressOf, settingsFor, startS3Server, storeOn } from './s3-server.ts';

const { codec } = openTestCodec();
const server = await startS3Server();
const proxy = await startProxy(server.port);
const { api, send, upload, read, act, filesOf, temporaries } = await openImages(settingsFor(proxy.port));
const kept = storeOn(addressOf(server.port));

async function keptNames(): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { name } of kept.list()) names.push(name);
  return names;
}

/** After a failed request the service sends none for a second. */
async function answered(request: () => ReturnType<typeof send>) {
  let answer = await request();
  for (let tries = 0; answer.status === 503 && tries < 1200; tries += 1) {
    await wait(50);
    answer = await request();
  }
  return answer;
}

test('E13 with object storage: the image and its renditions are there, and are served whole, in part and by tag', async () => {
  const bytes = await jpeg(800, 600, true);
  const variant = await upload('?sku=shape&staged=false', bytes, 'image/jpeg');
  const [details] = variant.imageDetails;
  assert.equal(Object.keys(details.renditions).length, 5);
  for (const { url } of Object.values<{ url: string }>(details.renditions)) {
    assert.equal((await api.call({ path: url, scope: 'none' })).status, 200, url);
  }
  const path = variant.images[0];
  const whole = await fetch(`${await api.listen()}${path}`);
  const original = Buffer.from(await whole.arrayBuffer());
  assert.deepEqual([whole.status, original.length], [200, details.sizeBytes]);
  const part = await api.call({ path, scope: 'none', headers: { range: 'bytes=2-5' } });
  assert.deepEqual([part.status, part.headers['content-length']], [206, '4']);
  const etag = String(whole.headers.get('etag'));
  assert.equal((await api.call({ path, scope: 'none', headers: { 'if-none-match': etag } })).status, 304);
  assert.equal((await api.call({ path: path.replace('.jpg', '.png'), scope: 'none' })).status, 404);
  const urls = [path, ...Object.values<{ url: string }>(details.renditions).map(({ url }) => url)];
  const files = urls.map((url) => `shop/${url.slice(url.lastIndexOf('/') + 1)}`);
  assert.deepEqual(await keptNames(), [...new Set(files)].sort());
  assert.deepEqual([filesOf('shop'), temporaries()], [[], []]);
});

test('E13 with object storage: a large image is answered with all its renditions', async () => {
  const { images } = await upload('?sku=large&staged=false', await jpeg(2500, 2000), 'image/jpeg');
  const variant = await read('/shop/resource/images?sku=large');
  const { renditions } = variant.results[0].imageDetails[0];
  for (const [name, { status, url }] of Object.entries<{ status: string; url: string }>(renditions)) {
    assert.deepEqual([name, status, (await api.call({ path: url, scope: 'none' })).status], [name, 'ready', 200]);
  }
  assert.ok(images[0]);
});

test('E13 with object storage: the quota is counted from it by a new process', async () => {
  const quota = createQuota(kept, { maxImages: 2, maxBytes: 0 }, Date.now);
  await assert.rejects(quota.check('shop', 1), /at most 2 images/);
});

test('the sweeper deletes objects of images that no variant has, and no others', async () => {
  const staged = await upload('?sku=swept', await png(200, 100));
  const before = await keptNames();
  await act(staged.id, 1, 'revertStagedChanges');
  const { resources: store } = api.app.store;
  const spool = createSpool(join(api.dataDir, 'spool'), 0);
  const sweep = (nowMs: () => number) => {
    const quota = createQuota(kept, { maxImages: 0, maxBytes: 0 }, nowMs);
    return sweepImages({
      store,
      files: kept,
      spool,
      codec,
      quota,
      nowMs,
      log: noLog,
      isClosing: () => false,
    });
  };
  assert.equal(await sweep(Date.now), 0, 'what is young is left alone');
  const deleted = await sweep(() => Date.now() + 61 * 60_000);
  assert.ok(deleted > 0);
  const left = await keptNames();
  assert.deepEqual(
    left,
    before.filter((name) => left.includes(name)),
  );
  assert.equal(left.length, before.length - deleted);
  assert.equal((await api.call({ path: staged.images[0], scope: 'none' })).status, 404);
  const other = await read('/shop/resource/images?sku=shape');
  assert.equal((await api.call({ path: other.results[0].images[0], scope: 'none' })).status, 200);
});

test('E13 with object storage that dies in the middle of an upload is 503 and does nothing; a repeat does it all', async () => {
  const before = await keptNames();
  const bytes = await png(700, 600, true);
  let passed = 0;
  let killed: Promise<void> | undefined;
  proxy.onRequest = (sent) => {
    passed += sent.length;
    if (passed < 300_000) return sent;
    killed ??= server.kill();
    // Nothing more arrives, however slowly it dies.
    return Buffer.alloc(0);
  };
  const failed = await send('?sku=dying&staged=false', bytes, 'image/png');
  assert.match(refusalOf(failed, 503, 'OverCapacity').message, /image store cannot be reached/);
  assert.ok(failed.headers['retry-after']);
  assert.ok(passed >= 300_000 && passed < bytes.length * 3, `${passed} of ${bytes.length} bytes were sent`);
  assert.deepEqual((await read('/shop/resource/images?sku=dying')).results, []);
  assert.deepEqual(temporaries(), []);
  await api.app.store.warm();
  const ready = await api.call({ path: '/health/ready', scope: 'none' });
  assert.equal(ready.status, 200, 'what needs no images goes on');
  await killed;
  await server.restart();
  proxy.onRequest = (sent) => sent;
  assert.deepEqual(await keptNames(), before);
  const repeated = await answered(() => send('?sku=dying&staged=false', bytes, 'image/png'));
  assert.equal(repeated.status, 200, repeated.text);
  assert.equal((await api.call({ path: repeated.json.images[0], scope: 'none' })).status, 200);
});

test('GET of an image while object storage is down is 503; the list of images goes on; metrics count it', async () => {
  // One that was not requested yet: others may be cached.
  const { results } = await read('/shop/resource/images?sku=large');
  await server.kill();
  const path = results[0].images[0];
  refusalOf(await api.call({ path, scope: 'none' }), 503, 'OverCapacity');
  assert.equal((await api.call({ path: '/shop/resource/images?sku=shape' })).status, 200);
  const { text } = await api.call({ path: '/metrics', scope: 'none' });
  assert.match(text, /^grs_image_store_failures_total\{operation="find"\} [1-9]/m);
  assert.match(text, /^grs_image_store_requests_total\{operation="put"\} [1-9]/m);
  await server.restart();
  assert.equal((await answered(() => api.call({ path, scope: 'none' }))).status, 200);
});
