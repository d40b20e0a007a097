import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { exchange, parseResponses } from '../http/fixture.ts';
import { png } from '../images/pictures.ts';
import { openImages } from './open-images.ts';

const maxBytes = 100_000;
const open = async (environment: Readonly<Record<string, string>> = {}) => {
  const images = await openImages({ IMAGE_MAX_BYTES: String(maxBytes), ...environment });
  const port = Number(new URL(await images.api.listen()).port);
  return { ...images, port, token: await images.api.token('manage_project:shop') };
};
const patient = await open();
const hasty = await open({ REQUEST_TIMEOUT_MS: '1500' });
const { api, upload, filesOf, temporaries, port } = patient;
const picture = await png(20, 10);

function head(more: string, { token } = patient): string {
  const lines = [
    'POST /shop/resource/images HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${token}`,
    'Content-Type: image/png',
  ];
  return `${lines.join('\r\n')}\r\n${more}\r\n\r\n`;
}

/** Waits, without a limit of its own, until nothing is left of uploads. */
async function nothingLeft(images = patient): Promise<void> {
  while (images.temporaries().length > 0) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.deepEqual(images.filesOf('shop'), []);
}

test('E13 with a chunked body that never ends is 413 when the limit is passed, and leaves nothing', async () => {
  const chunk = Buffer.concat([Buffer.from('4000\r\n'), Buffer.alloc(0x4000), Buffer.from('\r\n')]);
  const body = Buffer.concat([
    Buffer.from(head('Transfer-Encoding: chunked')),
    ...Array.from({ length: 8 }, () => chunk),
  ]);
  const [response] = parseResponses(await exchange(port, body));
  assert.equal(response?.status, 413);
  assert.equal(JSON.parse(response!.text).errors[0].code, 'ContentTooLarge');
  assert.equal(response?.headers.get('connection'), 'close');
  await nothingLeft();
});

test('E13 with a Content-Length over the limit is 413 before a byte of the body was sent', async () => {
  const [response] = parseResponses(await exchange(port, head(`Content-Length: ${maxBytes + 1}`)));
  assert.equal(response?.status, 413);
});

test('E13 with Expect: 100-continue is refused without asking for the body where the query is wrong', async () => {
  const lines = head(`Content-Length: ${picture.length}\r\nExpect: 100-continue`).replace(
    'images HTTP',
    'images?variant=0 HTTP',
  );
  const text = await exchange(port, lines);
  assert.ok(text.startsWith('HTTP/1.1 400 '), text);
});

test('E13 of a client that disconnects midway stores nothing, and the service goes on', async () => {
  const socket = connect(port, '127.0.0.1');
  socket.write(head('Content-Length: 5000'));
  socket.write(picture.subarray(0, 30));
  while (temporaries().length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  socket.destroy();
  await nothingLeft();
});

test('E13 of a client that sends too slowly is 408, stores nothing, and delays no other client', async () => {
  const begun = Buffer.concat([Buffer.from(head('Content-Length: 5000', hasty)), picture.subarray(0, 30)]);
  const slow = exchange(hasty.port, begun);
  const others = await Promise.all(Array.from({ length: 5 }, () => hasty.api.call({ path: '/shop/resource' })));
  assert.ok(others.every(({ status }) => status === 200));
  const [response] = parseResponses(await slow);
  assert.equal(response?.status, 408);
  await nothingLeft(hasty);
});

test('E13 with Expect: 100-continue, and chunked, stores the image, and the connection can be used again', async () => {
  const size = picture.length.toString(16);
  const chunked = Buffer.concat([
    Buffer.from(head('Transfer-Encoding: chunked')),
    Buffer.from(`${size}\r\n`),
    picture,
    Buffer.from('\r\n0\r\n\r\n'),
  ]);
  const expecting = Buffer.concat([
    Buffer.from(head(`Content-Length: ${picture.length}\r\nExpect: 100-continue\r\nConnection: close`)),
    picture,
  ]);
  const text = await exchange(port, Buffer.concat([chunked, expecting]));
  assert.ok(text.includes('HTTP/1.1 100 Continue'));
  const responses = parseResponses(text);
  assert.deepEqual(
    responses.map(({ status }) => status),
    [200, 200],
  );
  assert.equal(filesOf('shop').length, 2);
  assert.equal((await upload('', picture)).version, 3);
});

test('a client that goes away while an image is sent to it does no harm', async () => {
  const { images } = await upload('?sku=gone', picture);
  const socket = connect(port, '127.0.0.1');
  socket.write(`GET ${images[0]} HTTP/1.1\r\nHost: x\r\n\r\n`);
  socket.destroy();
  assert.equal((await api.call({ path: images[0], scope: 'none' })).status, 200);
});
