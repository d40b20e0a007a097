import assert from 'node:assert/strict';
import http from 'node:http';
import net from 'node:net';
import { after, before, test } from 'node:test';
import { EventSource } from 'eventsource';
import { createFeeds } from '../../src/domain/history/feed.ts';
import type { ChangeLog } from '../../src/domain/ports/change-log.ts';
import { eventRoutes } from '../../src/http/routes/events/events.ts';
import { type StreamTimes, streamTimes } from '../../src/http/routes/events/stream.ts';
import type { HttpServer } from '../../src/http/server.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { startTestApi, type TestApi } from '../start-test-api.ts';
import { until } from '../until.ts';
import { withServer } from './fixture.ts';

let api: TestApi;
let address: string;
before(async () => {
  api = await startTestApi({ DRAIN_TIMEOUT_MS: '20000' });
  address = await api.listen();
});
after(() => api.close());

const write = (project: string, draft: object) =>
  api.call({ method: 'POST', path: `/${project}/resource`, body: draft });

interface Reading {
  readonly response: http.IncomingMessage;
  readonly text: () => string;
  /** Resolves to whether the body ended as a whole. */
  readonly ended: Promise<boolean>;
}

/** Opens a stream and collects it. */
async function open(
  path: string,
  accept: string,
  headers: object = {},
  port = new URL(address).port,
): Promise<Reading> {
  const project = path.split(/[/?]/)[1];
  const authorization = `Bearer ${port === new URL(address).port ? await api.token(`view_test:${project}`) : 'read-p'}`;
  const request = http.get({ port, path, headers: { authorization, accept, ...headers } });
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    request.once('response', resolve);
    request.once('error', reject);
  });
  let text = '';
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    text += chunk;
  });
  const ended = new Promise<boolean>((resolve) => {
    response.once('error', () => {});
    response.once('close', () => resolve(response.complete));
  });
  return { response, text: () => text, ended };
}

interface SentEvent {
  readonly id: string;
  readonly type: string;
  readonly sequence: number;
  readonly resource: { readonly key: string; readonly version: number };
}

const eventsIn = (text: string): readonly SentEvent[] =>
  [...text.matchAll(/^data: (.*)\n\n/gm)].map(([, data]) => JSON.parse(data!));
const linesIn = (text: string): readonly SentEvent[] =>
  text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

test('text/event-stream: what is there, then each change as it is committed, in frames with ids', async () => {
  await write('s', { key: 'a' });
  const { response, text } = await open('/s/events', 'text/event-stream');
  assert.equal(response.statusCode, 200);
  assert.equal(response.headers['content-type'], 'text/event-stream; charset=utf-8');
  assert.equal(response.headers['x-accel-buffering'], 'no');
  assert.equal(response.headers['cache-control'], 'no-cache, no-transform');
  assert.equal(response.headers['content-encoding'], undefined);
  await until(() => eventsIn(text()).length === 1, 'the first event');
  await write('s', { key: 'b' });
  await until(() => eventsIn(text()).length === 2, 'the second event');
  assert.deepEqual(
    eventsIn(text()).map(({ resource }) => resource.key),
    ['a', 'b'],
  );
  for (const { id } of eventsIn(text())) assert.ok(text().includes(`id: ${id}\ndata: `));
  response.destroy();
});

test('application/x-ndjson: lines; with limit it ends after so many events, with wait=0 where the log ends', async () => {
  for (const key of ['a', 'b', 'c']) await write('l', { key });
  const all = await open('/l/events?wait=0', 'application/x-ndjson');
  assert.equal(await all.ended, true);
  assert.equal(all.response.headers['content-type'], 'application/x-ndjson; charset=utf-8');
  const [begin, ...lines] = linesIn(all.text());
  assert.equal(begin!.type, 'heartbeat');
  assert.deepEqual(
    lines.map(({ resource }) => resource.key),
    ['a', 'b', 'c'],
  );
  const two = await open(`/l/events?limit=2&after=${begin!.id}`, 'application/x-ndjson');
  assert.equal(await two.ended, true);
  assert.deepEqual(linesIn(two.text()).slice(1), lines.slice(0, 2));
  const rest = await open(`/l/events?limit=1&after=${lines[1]!.id}`, 'application/x-ndjson');
  assert.equal(await rest.ended, true);
  assert.deepEqual(linesIn(rest.text()).slice(1), lines.slice(2));
});

/** Reads from a position until the connection has brought so many bytes or events, cuts it, and returns what came. */
async function readBytes(
  lastEventId: string | undefined,
  bytes: number,
  events: number,
  token: string,
): Promise<string> {
  const socket = net.connect(Number(new URL(address).port), '127.0.0.1');
  const last = lastEventId === undefined ? '' : `Last-Event-ID: ${lastEventId}\r\n`;
  const head = `GET /cut/events HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${token}\r\nAccept: text/event-stream\r\n`;
  socket.write(`${head}${last}\r\n`);
  let text = '';
  for await (const chunk of socket) {
    text += String(chunk);
    if (text.length >= bytes || text.split('\ndata: ').length > events) break;
  }
  socket.destroy();
  return text.slice(0, bytes);
}

test('a reader that is cut off at any byte and goes on by Last-Event-ID gets each event once, in order', async () => {
  const token = await api.token('view_test:cut');
  const total = 400;
  const writing = (async () => {
    for (let n = 0; n < total; n += 1) await write('cut', { key: `k${n % 7}`, n });
  })();
  const received: SentEvent[] = [];
  let lastEventId: string | undefined;
  let cuts = 0;
  let state = 1;
  const random = (most: number) => {
    state = (state * 48_271) % 0x7fffffff;
    return state % most;
  };
  const endMs = performance.now() + 300_000;
  while (received.length < total) {
    assert.ok(performance.now() < endMs, `${received.length} of ${total} events`);
    const text = await readBytes(lastEventId, 600 + random(8000), total - received.length, token);
    assert.match(text, /^HTTP\/1\.1 200 /);
    // The chunks of HTTP/1.1 are between the frames, whose own line ends are single.
    const body = text.slice(text.indexOf('\r\n\r\n') + 4).replace(/(?:^|\r\n)[0-9a-f]+\r\n/g, '');
    for (const [, id, data] of body.matchAll(/(?<=^|\n\n)id: (\S+)\ndata: (.*)\n\n/g)) {
      received.push(JSON.parse(data!));
      lastEventId = id;
    }
    cuts += 1;
  }
  await writing;
  assert.ok(cuts > 20, `${cuts} cuts`);
  assert.equal(received.length, total);
  const next = new Map<string, number>();
  let sequence = 0;
  for (const event of received) {
    assert.ok(event.sequence > sequence);
    ({ sequence } = event);
    const { key, version } = event.resource;
    assert.equal(version, (next.get(key) ?? 0) + 1);
    next.set(key, version);
  }
});

test('a stock client of server-sent events goes on where its connection broke', async () => {
  const token = await api.token('view_test:stock');
  const connections: net.Socket[] = [];
  const source = new EventSource(`${address}/stock/events`, {
    fetch: (input, init) => fetch(input, { ...init, headers: { ...init?.headers, authorization: `Bearer ${token}` } }),
  });
  const seen: string[] = [];
  source.addEventListener('message', ({ data, lastEventId }) => {
    const event = JSON.parse(data) as SentEvent;
    assert.equal(event.id, lastEventId);
    seen.push(event.resource.key);
  });
  const collect = (socket: net.Socket) => connections.push(socket);
  api.app.server.listener.on('connection', collect);
  await write('stock', { key: 'a' });
  await until(() => seen.length === 1, 'the first event');
  for (const socket of connections) socket.destroy();
  await write('stock', { key: 'b' });
  await write('stock', { key: 'c' });
  await until(() => seen.length >= 3, 'the events after the reconnect');
  assert.deepEqual(seen, ['a', 'b', 'c']);
  source.close();
  api.app.server.listener.off('connection', collect);
});

test('many readers of one project get the same events, whatever their filters and pace; memory is shared', async () => {
  const readers = await Promise.all(
    Array.from({ length: 60 }, (_, i) => {
      const query = i % 3 === 0 ? '' : i % 3 === 1 ? '?types=created' : '?include=resource';
      return open(`/many/events${query}`, i % 2 === 0 ? 'text/event-stream' : 'application/x-ndjson');
    }),
  );
  for (let n = 0; n < 30; n += 1) await write('many', { key: `k${n % 10}`, n });
  const parse = (i: number) =>
    (i % 2 === 0 ? eventsIn(readers[i]!.text()) : linesIn(readers[i]!.text())).filter(
      ({ type }) => type !== 'heartbeat',
    );
  for (const i of readers.keys()) {
    const expected = i % 3 === 1 ? 10 : 30;
    await until(
      () => parse(i).length >= expected,
      () => `reader ${i} got ${parse(i).length}`,
    );
    const events = parse(i) as readonly (SentEvent & { readonly data?: { readonly current: { version: number } } })[];
    assert.equal(events.length, expected);
    for (const { data, resource } of events) {
      if (i % 3 === 2) assert.equal(data!.current.version, resource.version);
    }
  }
  for (const { response } of readers) response.destroy();
});

/** A server with the route of events alone, on the same store, with times of its own. */
function withStreams(
  times: Partial<StreamTimes>,
  use: (port: number, server: HttpServer) => Promise<void>,
  log: ChangeLog = api.app.store.changes,
): Promise<void> {
  const { resources: store, clients } = api.app.store;
  const deps = { feeds: createFeeds({ store, log }), isLogKept: true, metrics: createMetrics(), clients };
  const routes = eventRoutes(deps, { ...streamTimes, ...times });
  return withServer(({ port, server }) => use(port, server), { DRAIN_TIMEOUT_MS: '20000' }, { routes });
}

test('heartbeats: comments while nothing happens, the position where only others were changed', async () => {
  await withStreams({ heartbeatMs: 50 }, async (port) => {
    await write('p', { key: 'a' });
    const quiet = await open('/p/events', 'text/event-stream', {}, String(port));
    await until(() => /\n:\n\n:\n\n/.test(quiet.text()), 'two comments');
    const filtered = await open('/p/events?after=latest&types=deleted', 'text/event-stream', {}, String(port));
    const lines = await open('/p/events?after=latest&types=deleted', 'application/x-ndjson', {}, String(port));
    await write('p', { key: 'b' });
    await until(() => /\n\nid: \S+\n\n/.test(filtered.text()), 'a heartbeat with an id');
    await until(() => linesIn(lines.text()).length > 1, 'a heartbeat line');
    const { id } = linesIn(lines.text()).at(-1)!;
    assert.equal((await api.call({ path: `/p/events?after=${id}` })).json.count, 0);
    for (const { response } of [quiet, filtered, lines]) response.destroy();
  });
});

test('a stream ends at its greatest age, as a whole', async () => {
  await withStreams({ maxAgeMs: 100, heartbeatMs: 30 }, async (port) => {
    const { ended } = await open('/p/events', 'text/event-stream', {}, String(port));
    assert.equal(await ended, true);
  });
});

test('a stream whose log fails is cut off, not ended, so that its reader comes back; a refusal comes first', async () => {
  let fails = false;
  const failing: ChangeLog = {
    ...api.app.store.changes,
    changesAfter(...given) {
      return fails ? Promise.reject(new Error('no disk')) : api.app.store.changes.changesAfter(...given);
    },
  };
  const use = async (port: number) => {
    await write('p', { key: 'before' });
    const { text, ended } = await open('/p/events?after=latest', 'application/x-ndjson', {}, String(port));
    await until(() => text().includes('heartbeat'), 'the beginning');
    fails = true;
    await write('p', { key: 'failing' });
    assert.equal(await ended, false);
    const refused = await open('/p/events?after=latest', 'application/x-ndjson', {}, String(port));
    assert.equal(refused.response.statusCode, 500);
    assert.equal(refused.response.headers['content-type'], 'application/json; charset=utf-8');
    await refused.ended;
  };
  await withStreams({}, use, failing);
});

test('a reader that takes nothing is disconnected, and has cost no queue', async () => {
  const text = 'x'.repeat(300_000);
  for (let n = 0; n < 60; n += 1) await write('p', { key: 'large', text, n });
  const whole = await open('/p/events?include=resource&wait=0', 'application/x-ndjson');
  assert.equal(await whole.ended, true);
  const large = linesIn(whole.text()).filter(({ resource }) => resource?.key === 'large');
  assert.deepEqual(
    (large as unknown as readonly (SentEvent & { readonly data: { readonly current: { readonly n: number } } })[]).map(
      ({ data }) => data.current.n,
    ),
    Array.from({ length: 60 }, (_, n) => n),
  );
  await withStreams({ slowReaderMs: 300 }, async (port, { listener }) => {
    let isCut = false;
    listener.once('connection', (accepted: net.Socket) => {
      accepted.once('close', () => {
        isCut = true;
      });
    });
    const socket = net.connect(port, '127.0.0.1');
    const head = 'GET /p/events?include=resource HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer read-p\r\n';
    let isClosed = false;
    socket.on('error', () => {});
    socket.once('close', () => {
      isClosed = true;
    });
    socket.pause();
    socket.write(`${head}Accept: text/event-stream\r\n\r\n`);
    // The reader itself notices only when it reads again.
    await until(() => isCut, 'the server to cut it off');
    let received = 0;
    socket.on('data', (chunk) => {
      received += chunk.length;
    });
    socket.resume();
    await until(() => isClosed, 'the end of the connection');
    assert.ok(received < 60 * text.length, `${received} bytes`);
  });
});

test('at a shutdown streams end after a whole event, and pages that wait return what they have', async () => {
  const own = await startTestApi({ DRAIN_TIMEOUT_MS: '60000' });
  const { port } = new URL(await own.listen());
  const token = await own.token('manage_project:x');
  const path = '/x/resource';
  await own.call({ method: 'POST', path, body: { key: 'a' } });
  const headers = { authorization: `Bearer ${token}` };
  const streams = await Promise.all(
    ['text/event-stream', 'application/x-ndjson'].map((accept) => open('/x/events', accept, headers, port)),
  );
  const waiting = open('/x/events?after=latest&wait=60', 'application/json', headers, port);
  await until(() => streams.every(({ text }) => text().includes('"key":"a"')), 'the event');
  const inFlight = async () => (await own.call({ path: '/metrics', scope: 'none' })).text;
  const endMs = performance.now() + 300_000;
  // The page is there before the shutdown begins.
  while (!/http_connections(?:\{[^}]*\})? 3/.test(await inFlight())) assert.ok(performance.now() < endMs);
  const begun = performance.now();
  await own.close();
  assert.ok(performance.now() - begun < 55_000, 'long before the deadline');
  for (const { ended, text } of streams) {
    assert.equal(await ended, true);
    assert.ok(text().endsWith('\n'));
  }
  const page = await waiting;
  assert.equal(page.response.statusCode, 200);
  assert.equal(await page.ended, true);
  assert.equal(JSON.parse(page.text()).count, 0);
});
