import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { type Event, InvalidRequestError, NotFoundError } from '../../packages/client/src/index.ts';
import { openClients } from './open-client.ts';

const { api, open } = await openClients();
const inProject = (projectKey: string) => open(undefined, { projectKey }).client;

const sockets = new Set<Socket>();
api.app.server.listener.on('connection', (socket: Socket) => {
  sockets.add(socket);
  socket.once('close', () => sockets.delete(socket));
});

test('events: each one once, in order, over connections that break; from where the caller was', async () => {
  const client = inProject('follow');
  const items = client.resources<{ readonly n: number | bigint }>();
  const seen: Event[] = [];
  const total = 40;
  const stop = new AbortController();
  const following = (async () => {
    for await (const event of client.events({ signal: stop.signal, include: 'resource' })) {
      seen.push(event);
      if (seen.length % 10 === 5) for (const socket of sockets) socket.destroy();
      if (seen.length === total) break;
    }
  })();
  for (let n = 0; n < total; n += 1) {
    // A write whose connection is broken is repeated by the client, with its Idempotency-Key.
    await items.save({ key: 'same', n: 9007199254740993n + BigInt(n) });
  }
  await following;
  assert.deepEqual(
    seen.map(({ resource }) => resource.version),
    Array.from({ length: total }, (_, i) => i + 1),
  );
  assert.equal((seen.at(-1)!.data!.current as { n?: unknown }).n, 9007199254740993n + BigInt(total - 1));

  const rest: number[] = [];
  for await (const { resource } of client.events({ after: seen[total - 4]!.id, types: ['updated'] })) {
    rest.push(resource.version);
    if (rest.length === 3) break;
  }
  assert.deepEqual(rest, [total - 2, total - 1, total]);
  stop.abort();
  await assert.rejects(client.events({ signal: stop.signal })[Symbol.asyncIterator]().next(), { name: 'AbortError' });
});

test('events: an abort ends the wait for the next one; what is no use to try again is thrown', async () => {
  const client = inProject('end');
  const stop = new AbortController();
  const next = client.events({ after: 'latest', signal: stop.signal })[Symbol.asyncIterator]().next();
  setTimeout(() => stop.abort(), 50);
  await assert.rejects(next, { name: 'AbortError' });
  const bad = client.events({ after: 'nothing' })[Symbol.asyncIterator]().next();
  await assert.rejects(bad, InvalidRequestError);
  await client.resources().create({ key: 'a' });
  await client.resources().create({ key: 'b' });
  const iterator = client.events()[Symbol.asyncIterator]();
  const { id } = (await iterator.next()).value as Event;
  await iterator.return?.();
  await api.app.store.changes.prune(Date.now() + 1000, Number.MAX_SAFE_INTEGER);
  await client.resources().create({ key: 'c' });
  await api.app.store.changes.prune(Date.now() + 1000, Number.MAX_SAFE_INTEGER);
  const gone = client.events({ after: id })[Symbol.asyncIterator]().next();
  await assert.rejects(gone, { status: 410, code: 'CursorGone' });
});

test('history, earlier versions, deleted resources and the way back', async () => {
  const items = inProject('past').resources<{ readonly n: number }>();
  const { id } = await items.create({ key: 'a', n: 1 }, { user: 'jane' });
  for (let n = 2; n <= 130; n += 1) await items.save({ id, n });
  assert.equal((await items.get({ key: 'a' }, { version: 2 })).n, 2);
  const versions: number[] = [];
  for await (const { version, diff } of items.history({ id }, { diff: 'withOldValues' })) {
    versions.push(version);
    if (version === 130) assert.ok(diff!.current.some(({ path, oldValue }) => path === '/n' && oldValue === 129));
  }
  assert.deepEqual(
    versions,
    Array.from({ length: 130 }, (_, i) => 130 - i),
  );
  await items.delete({ id });
  const deleted: string[] = [];
  for await (const each of items.deleted()) deleted.push(each.id);
  assert.deepEqual(deleted, [id]);
  const restored = await items.restore({ id }, { version: 2, key: 'b' });
  assert.deepEqual([restored.version, restored.n, restored.key], [131, 2, 'b']);
  await assert.rejects(items.restore({ id: 'never' }), NotFoundError);
  const { results } = await items.batch([
    { operation: 'merge', draft: { id, n: 7 } },
    { operation: 'delete', id },
  ]);
  assert.deepEqual(
    results.map(({ status, outcome, version }) => [status, outcome, version]),
    [
      [200, 'updated', 132],
      [200, 'deleted', 132],
    ],
  );
});
