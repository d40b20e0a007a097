import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dataFolder, type ServiceProcess, startService } from '../faults/service-process.ts';
import { jpeg } from './pictures.ts';

interface Variant {
  readonly id: string;
  readonly images: readonly string[];
  readonly imageDetails: readonly { readonly renditions: Readonly<Record<string, { readonly status: string }>> }[];
}

const scope = 'manage_project:shop';

async function upload({ port }: ServiceProcess, token: string, body: Buffer<ArrayBuffer>): Promise<Variant> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'image/jpeg' };
  const url = `http://127.0.0.1:${port}/shop/resource/images?staged=false`;
  const answer = await fetch(url, { method: 'POST', headers, body });
  assert.equal(answer.status, 200);
  return (await answer.json()) as Variant;
}

const isPending = ({ imageDetails }: Variant) =>
  imageDetails.some(({ renditions }) => Object.values(renditions).some(({ status }) => status === 'pending'));

test('an image that was acknowledged is there after kill -9, and its pending renditions are made by the next process', async () => {
  const folder = dataFolder();
  try {
    const first = await startService(folder.path);
    const made = await upload(first, await first.token(scope), Buffer.from(await jpeg(6000, 4500)));
    first.kill('SIGKILL');
    await first.ended;
    assert.ok(isPending(made));
    const next = await startService(folder.path);
    const token = await next.token(scope);
    const read = async (): Promise<Variant> =>
      JSON.parse((await next.request({ path: `/shop/resource/${made.id}`, token })).text);
    assert.deepEqual((await read()).images, made.images);
    while (isPending(await read())) await new Promise((resolve) => setTimeout(resolve, 50));
    const zoom = made.images[0]!.replace('.jpg', '-zoom.jpg');
    assert.equal((await next.request({ path: zoom })).status, 200);
    next.kill('SIGTERM');
    assert.equal((await next.ended).code, 0);
  } finally {
    folder.remove();
  }
});
