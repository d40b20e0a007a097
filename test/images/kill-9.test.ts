import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dataFolder, type ServiceProcess, startService } from '../faults/service-process.ts';
import { jpeg } from './pictures.ts';

interface Variant {
  readonly id: string;
  readonly images: readonly string[];
  readonly imageDetails: readonly { readonly renditions: Readonly<Record<string, { readonly url: string }>> }[];
}

const scope = 'manage_project:shop';

async function upload({ port }: ServiceProcess, token: string, body: Buffer<ArrayBuffer>): Promise<Variant> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'image/jpeg' };
  const url = `http://127.0.0.1:${port}/shop/resource/images?staged=false`;
  const answer = await fetch(url, { method: 'POST', headers, body });
  assert.equal(answer.status, 200);
  return (await answer.json()) as Variant;
}

test('an image that was acknowledged is there after kill -9, with all its renditions', async () => {
  const folder = dataFolder();
  try {
    const first = await startService(folder.path);
    const made = await upload(first, await first.token(scope), Buffer.from(await jpeg(2500, 2000)));
    first.kill('SIGKILL');
    await first.ended;
    const next = await startService(folder.path);
    const token = await next.token(scope);
    const read: Variant = JSON.parse((await next.request({ path: `/shop/resource/${made.id}`, token })).text);
    assert.deepEqual(read.images, made.images);
    const renditions = Object.values(read.imageDetails[0]!.renditions);
    assert.equal(renditions.length, 5);
    for (const { url } of renditions) assert.equal((await next.request({ path: url })).status, 200, url);
    next.kill('SIGTERM');
    assert.equal((await next.ended).code, 0);
  } finally {
    folder.remove();
  }
});
