import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { dataFolder, runCommand, type ServiceProcess, startService } from '../faults/service-process.ts';
import { jpeg } from '../images/pictures.ts';

interface Details {
  readonly url: string;
  readonly renditions: Readonly<Record<string, { readonly url: string }>>;
}

interface Variant {
  readonly images: readonly string[];
  readonly imageDetails: readonly Details[];
}

const scope = 'manage_project:shop manage_project:shop2';

async function readJson<T>(service: ServiceProcess, token: string, path: string): Promise<T> {
  const { status, text } = await service.request({ path, token });
  assert.equal(status, 200, `${path}: ${text}`);
  return JSON.parse(text) as T;
}

async function variantOf(service: ServiceProcess, token: string, staged: boolean): Promise<Variant> {
  const path = `/shop2/resource/images?sku=shoe&staged=${staged}`;
  const { results } = await readJson<{ results: readonly [Variant] }>(service, token, path);
  return results[0];
}

async function upload({ port }: ServiceProcess, token: string, query: string, body: Buffer): Promise<Variant> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'image/jpeg' };
  const url = `http://127.0.0.1:${port}/shop/resource/images?sku=shoe&${query}`;
  const response = await fetch(url, { method: 'POST', headers, body: new Uint8Array(body) });
  assert.equal(response.status, 200);
  return (await response.json()) as Variant;
}

test('a project moved under another name: its images and carts have files there', async () => {
  const [source, target] = [dataFolder(), dataFolder()];
  const file = join(source.path, 'shop.ndjson');
  try {
    const first = await startService(source.path);
    const sent = await first.token('manage_project:shop');
    await upload(first, sent, 'staged=false', await jpeg(200, 100));
    const price = { centAmount: 1, currencyCode: 'EUR' };
    const cart = { lineItems: [{ name: 'Shoe', price, variant: { sku: 'shoe' } }] };
    const written = await first.request({
      method: 'POST',
      path: '/shop/resource/namespace-action',
      token: sent,
      body: cart,
    });
    assert.equal(written.status, 200, written.text);
    const made = await upload(first, sent, 'staged=true', await jpeg(900, 700));
    first.kill('SIGKILL');
    await first.ended;
    for (const [name, at, folder, project] of [
      ['move-out', '--out', source, 'shop'],
      ['move-in', '--in', target, 'shop2'],
    ] as const) {
      const { code, stderr } = await runCommand(['project', name, '--project', project, at, file], {
        DATA_DIR: folder.path,
      });
      assert.equal(code, 0, stderr);
    }
    const images = (folder: string, project: string) => join(folder, 'images', project);
    cpSync(images(source.path, 'shop'), images(target.path, 'shop2'), { recursive: true, preserveTimestamps: true });

    const next = await startService(target.path);
    const token = await next.token(scope);
    const moved = await variantOf(next, token, true);
    assert.deepEqual(
      moved.images,
      made.images.map((url) => url.replace('/shop/', '/shop2/')),
    );
    for (const { url, renditions } of moved.imageDetails) {
      for (const path of [url, ...Object.values(renditions).map((one) => one.url)])
        assert.equal((await next.request({ path })).status, 200, path);
    }
    const current = await variantOf(next, token, false);
    assert.deepEqual(current.images, moved.images.slice(0, 1));
    const path = '/shop2/resource/namespace-action-with-example';
    const { lineItems } = await readJson<{ lineItems: readonly [{ variant: Variant }] }>(next, token, path);
    assert.deepEqual(lineItems[0].variant.images, current.images);
    next.kill('SIGTERM');
    assert.equal((await next.ended).code, 0);
  } finally {
    source.remove();
    target.remove();
  }
});
