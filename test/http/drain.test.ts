import assert from 'node:assert/strict';
import net from 'node:net';
import { describe, test } from 'node:test';
import { build, exchange, parseResponses, route } from './fixture.ts';

const request = 'GET /p/work HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer read-p\r\n\r\n';

/** A route that responds two turns of the event loop later, and one that calls `reached` and waits for `release`. */
function workRoutes(release: Promise<void> = Promise.resolve(), reached = () => {}) {
  return [
    route({
      operationId: 'work',
      path: '/:projectKey/work',
      handler: async () => {
        await new Promise((resolve) => setImmediate(resolve));
        return { status: 200, body: '{"done":true}' };
      },
    }),
    route({
      operationId: 'wait',
      path: '/:projectKey/wait',
      handler: async () => {
        reached();
        await release;
        return { status: 200, body: JSON.stringify('a'.repeat(3_000_000)) };
      },
    }),
  ];
}

interface Hammer {
  /** Requests sent, and whole responses received. */
  readonly counts: { sent: number; answered: number; closing: number };
  readonly ended: Promise<void>;
}

/** Sends the next request as soon as a response is there, until one says that the connection closes. */
function hammer(port: number): Hammer {
  const counts = { sent: 0, answered: 0, closing: 0 };
  const { promise, resolve } = Promise.withResolvers<void>();
  const socket = net.connect(port, '127.0.0.1', () => ask());
  let text = '';
  const ask = () => {
    counts.sent += 1;
    socket.write(request);
  };
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
    if (!text.endsWith('{"done":true}')) return;
    counts.answered += 1;
    const isClosing = /\r\nconnection: close\r\n/i.test(text);
    text = '';
    if (isClosing) counts.closing += 1;
    else ask();
  });
  socket.on('error', () => undefined);
  socket.on('close', () => resolve());
  return { counts, ended: promise };
}

describe('drain', () => {
  test('under 50 clients that ask without a pause it ends long before the deadline, and no request goes unanswered', async () => {
    const server = build({ DRAIN_TIMEOUT_MS: '60000' }, { routes: workRoutes() });
    const port = Number(new URL(await server.listen()).port);
    const clients = Array.from({ length: 50 }, () => hammer(port));
    while (clients.some(({ counts }) => counts.answered < 20)) await new Promise((resolve) => setImmediate(resolve));
    const startedMs = performance.now();
    await server.drain();
    await Promise.all(clients.map(({ ended }) => ended));
    assert.ok(performance.now() - startedMs < 55_000, 'the deadline of 60 s must not be what ended it');
    for (const { counts } of clients) {
      assert.equal(counts.answered, counts.sent);
      assert.equal(counts.closing, 1);
    }
  });

  test('clients that connect again at once: each is accepted once more at most, and whatever was accepted has a response', async () => {
    const clients = 40;
    const server = build({ DRAIN_TIMEOUT_MS: '60000' }, { routes: workRoutes() });
    const port = Number(new URL(await server.listen()).port);
    const counts = { answered: 0, accepted: 0, acceptedLate: 0 };
    let draining: Promise<void> | undefined;
    server.listener.on('connection', () => {
      counts.accepted += 1;
      if (draining) counts.acceptedLate += 1;
    });
    /** A connection for each request, as many clients do, until there is none. */
    async function reconnect(): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const socket = net.connect(port, '127.0.0.1', () => {
        socket.write(request.replace('Host: h', 'Host: h\r\nConnection: close'));
      });
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1');
      });
      socket.on('error', () => resolve(false));
      socket.on('close', () => resolve(true));
      if (!(await promise)) return;
      if (text.endsWith('{"done":true}')) counts.answered += 1;
      return reconnect();
    }
    const ended = Promise.all(Array.from({ length: clients }, reconnect));
    while (counts.answered < 5 * clients) await new Promise((resolve) => setImmediate(resolve));
    draining = server.drain();
    await draining;
    await ended;
    assert.ok(counts.acceptedLate <= clients, `${counts.acceptedLate} connections of ${clients} clients`);
    assert.equal(counts.answered, counts.accepted);
  });

  test('a large response in progress arrives whole', async () => {
    const [release, reached] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const server = build({}, { routes: workRoutes(release.promise, reached.resolve) });
    const port = Number(new URL(await server.listen()).port);
    const text = exchange(port, request.replace('work', 'wait'));
    await reached.promise;
    const drained = server.drain();
    assert.equal((await server.inject({ url: '/p/work' })).headers.connection, 'close');
    release.resolve();
    const [response] = parseResponses(await text);
    assert.equal(response?.text.length, 3_000_002);
    await drained;
  });

  test('idle connections are closed, and new ones are not accepted', async () => {
    const server = build({}, { routes: workRoutes() });
    const port = Number(new URL(await server.listen()).port);
    const idle = hammer(port);
    const silent = exchange(port, '');
    while (idle.counts.answered === 0) await new Promise((resolve) => setImmediate(resolve));
    await server.drain();
    await idle.ended;
    assert.equal(await silent, '');
    await assert.rejects(exchange(port, request), /ECONNREFUSED/);
  });

  test('a request that does not end is cut off at the deadline', async () => {
    const reached = Promise.withResolvers<void>();
    const routes = workRoutes(new Promise(() => undefined), reached.resolve);
    const server = build({ DRAIN_TIMEOUT_MS: '300' }, { routes });
    const port = Number(new URL(await server.listen()).port);
    const text = exchange(port, request.replace('work', 'wait')).catch(() => 'reset');
    await reached.promise;
    const startedMs = performance.now();
    await server.drain();
    // Timers may be early by a millisecond or so.
    assert.ok(performance.now() - startedMs > 290, 'it must have had its time');
    assert.match(await text, /^(reset)?$/);
  });
});
