import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, type RequestOptions, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { createUuidV7 } from '../../src/domain/uuid.ts';
import { noLog } from '../../src/telemetry/log.ts';
import { startTestApi } from '../start-test-api.ts';
import { until } from '../until.ts';

let aheadMs = 0;
const world = {
  nowMs: () => Date.now() + aheadMs,
  newId: createUuidV7(Date.now),
};
const limits = { maxStreamsPerClient: 2, maxPollsPerClient: 2, maxImportsPerClient: 2, maxExportsPerClient: 1 };
const api = await startTestApi({}, noLog, { world }, limits);
after(() => api.close());
const { port } = new URL(await api.listen());

/** A client of its own, with a token. */
async function client(project: string) {
  const path = `/${project}/api-clients`;
  const scope = `manage_api_clients:${project} manage_test:${project}`;
  const body = { name: 'waiting', scopes: [`manage_test:${project}`] };
  const { id, secret } = (await api.call({ method: 'POST', path, scope, body })).json;
  const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
  const query = `grant_type=client_credentials&scope=manage_test:${project}`;
  const granted = await api.call({
    method: 'POST',
    path: `/oauth/token?${query}`,
    scope: 'none',
    headers: { authorization },
  });
  return { id, path, scope, authorization, token: granted.json.access_token as string };
}

type Client = Awaited<ReturnType<typeof client>>;

/** The ways in which a token ends. */
const ends: Readonly<Record<string, (client: Client) => Promise<void>>> = {
  async revoked({ token, authorization }) {
    const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' };
    const revoked = await api.call({
      ...{ method: 'POST', path: '/oauth/token/revoke', scope: 'none', headers, body: `token=${token}` },
    });
    assert.equal(revoked.status, 200, revoked.text);
  },
  async deleted({ id, path, scope }) {
    assert.equal((await api.call({ method: 'DELETE', path: `${path}/${id}`, scope })).status, 200);
  },
  async expired() {
    aheadMs += 3_700_000;
  },
};

function send(token: string, options: RequestOptions): ClientRequest {
  const headers = { authorization: `Bearer ${token}`, ...options.headers };
  return request({ ...options, headers, port, host: '127.0.0.1', agent: false });
}

/** The status and the text of a response; 0 where the connection was cut before. */
async function outcomeOf(sent: ClientRequest): Promise<{ readonly status: number; readonly body: string }> {
  try {
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const body = await text(response).catch(() => 'cut');
    return { status: response.statusCode!, body };
  } catch {
    return { status: 0, body: '' };
  }
}

const inFlight = async () => {
  const metrics = (await api.call({ path: '/metrics', scope: 'none' })).text;
  return Number(/^http_requests_in_flight (\d+)/m.exec(metrics)?.[1]);
};

for (const [name, end] of Object.entries(ends)) {
  test(`what waits ends when its token is ${name}, and gets nothing of what comes after`, {
    timeout: 15_000,
  }, async () => {
    const project = `ends-${name}`;
    const own = await client(project);
    const before = await inFlight();
    const poll = send(own.token, { path: `/${project}/events?wait=30&include=resource&after=latest` }).end();
    const polled = outcomeOf(poll);
    const stream = send(own.token, { path: `/${project}/events`, headers: { accept: 'text/event-stream' } }).end();
    const [streaming] = (await once(stream, 'response')) as [IncomingMessage];
    const streamed = text(streaming).catch(() => 'cut');
    const bodies = ['batch', 'import', 'import?stream=true', ''].map((path) => {
      const headers = { 'content-type': path.startsWith('import') ? 'application/x-ndjson' : 'application/json' };
      const sent = send(own.token, {
        method: 'POST',
        path: `/${project}/resource/${path}`.replace(/\/$/, ''),
        headers,
      });
      sent.write('{"key":');
      return { path, sent, outcome: outcomeOf(sent) };
    });
    await until(async () => (await inFlight()) >= before + 5);

    await end(own);
    const endedMs = performance.now();
    assert.match((await polled).body, /"invalid_token"/);
    assert.equal((await polled).status, 401);
    assert.equal(await streamed, 'cut');
    for (const { path, sent, outcome } of bodies) {
      const { status, body } = await outcome;
      assert.ok(status === 0 || body === 'cut', `${path}: ${status} ${body}`);
      sent.destroy();
    }
    assert.ok(performance.now() - endedMs < 5000);
    const scope = `view_test:${project}`;
    assert.equal((await api.call({ path: `/${project}/resource`, scope })).json.count, 0);
    assert.equal(
      (
        await api.call({
          path: `/${project}/resource`,
          scope: 'none',
          headers: { authorization: `Bearer ${own.token}` },
        })
      ).status,
      401,
    );
  });
}

/** An export is open while its client reads it. */
async function assertExportsAreLimited(one: Client, other: Client): Promise<void> {
  const text = 'x'.repeat(500_000);
  for (let n = 0; n < 40; n += 1) {
    const body = { key: `large${n}`, text };
    assert.equal((await api.call({ method: 'PUT', path: '/open/resource', body })).status, 201);
  }
  const path = '/open/resource/export';
  const open = send(one.token, { path }).end();
  const [response] = (await once(open, 'response')) as [IncomingMessage];
  response.on('error', () => {}).pause();
  const refused = await outcomeOf(send(one.token, { path }).end());
  assert.equal(refused.status, 429);
  assert.match(refused.body, /^.*This client has 1 exports open/);
  assert.equal((await outcomeOf(send(other.token, { path }).end())).status, 200);
  response.destroy();
  await until(async () => (await outcomeOf(send(one.token, { path }).end())).status === 200);
}

test('a client may have so many streams, polls, imports and exports open, and others are not affected', {
  timeout: 30_000,
}, async () => {
  const [one, other] = [await client('open'), await client('open')];
  const kinds = {
    streams: { most: 2, options: { path: '/open/events', headers: { accept: 'application/x-ndjson' } } },
    polls: { most: 2, options: { path: '/open/events?wait=30&after=latest' } },
    imports: {
      most: 2,
      options: { method: 'POST', path: '/open/resource/import', headers: { 'content-type': 'application/x-ndjson' } },
    },
  };
  await assertExportsAreLimited(one, other);
  for (const [kind, { most, options }] of Object.entries(kinds)) {
    const before = await inFlight();
    const open = Array.from({ length: most }, () => send(one.token, options));
    const isImport = 'method' in options;
    for (const sent of open) {
      sent.on('error', () => {});
      if (isImport) sent.write('{"key":"a"}\n');
      else sent.end();
    }
    // A stream is open once it has its response; what waits is counted.
    if (kind === 'streams') await Promise.all(open.map((sent) => once(sent, 'response')));
    else await until(async () => (await inFlight()) >= before + most);
    const refused = send(one.token, options).end();
    const [refusal] = (await once(refused, 'response')) as [IncomingMessage];
    assert.deepEqual([refusal.statusCode, refusal.headers['retry-after']], [429, '5']);
    const { errors } = JSON.parse(await text(refusal));
    assert.equal(errors[0].code, 'TooManyRequests');
    assert.match(errors[0].message, new RegExp(`^This client has ${most} .* open, the most`));
    const allowed = send(other.token, kind === 'polls' ? { path: '/open/events?wait=0' } : options);
    allowed.on('error', () => {}).end();
    const [response] = (await once(allowed, 'response')) as [IncomingMessage];
    assert.equal(response.statusCode, 200);
    allowed.destroy();
    for (const sent of open) sent.destroy();
    // What has ended does not count.
    await until(async () => {
      const sent = send(one.token, kind === 'polls' ? { path: '/open/events?wait=1&after=latest' } : options).end();
      const [again] = (await once(sent, 'response')) as [IncomingMessage];
      sent.on('error', () => {}).destroy();
      return again.statusCode === 200;
    });
  }
});
