import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectionError, createClient, ServiceError, UnavailableError } from '../../packages/client/src/index.ts';
import { openClients, refusal } from './open-client.ts';

const { api, baseUrl, open } = await openClients();
const isToken = (url: string) => url.startsWith('/oauth/token');

test('one token serves all callers that wait for it, and those after them', async () => {
  const { client, urls } = open();
  await Promise.all(Array.from({ length: 40 }, () => client.project()));
  await client.project();
  assert.equal(urls.filter((url) => url.includes('/oauth/token')).length, 1);
});

test('a token that was refused is replaced once, and a failed token request is not kept', async () => {
  let refused = 0;
  const { client, urls } = open((url, { headers }) => {
    const isFirst = (headers as Record<string, string>).authorization?.startsWith('Bearer') && refused === 0;
    if (!isFirst || isToken(url)) return undefined;
    refused += 1;
    return Promise.resolve(refusal(401, 'invalid_token'));
  });
  await client.project();
  assert.equal(urls.filter((url) => url.includes('/oauth/token')).length, 2);

  let isDown = true;
  const other = open((url) => (isDown && isToken(url) ? Promise.reject(new TypeError('down')) : undefined), {
    retries: 0,
  });
  await assert.rejects(other.client.project(), ConnectionError);
  isDown = false;
  await other.client.project();
});

test('a write whose response was lost is sent again with its Idempotency-Key, and done once', async () => {
  const keys: (string | undefined)[] = [];
  const { client } = open((url, init, send) => {
    if (init.method !== 'POST' || isToken(url)) return undefined;
    keys.push((init.headers as Record<string, string>)['idempotency-key']);
    if (keys.length > 1) return undefined;
    return send(baseUrl + url, init).then(async (response) => {
      await response.text();
      throw new TypeError('The connection was reset.');
    });
  });
  const created = await client.resources().create({ key: 'once' });
  assert.equal(created.version, 1);
  assert.equal(keys.length, 2);
  assert.ok(keys[0] !== undefined && keys[0] === keys[1]);
});

test('a response that is cut off is as good as none: a read is repeated, and a PUT throws', async () => {
  const cut = (method: string) => {
    let isFirst = true;
    return open((url, init, send) => {
      if (init.method !== method || isToken(url) || !isFirst) return undefined;
      isFirst = false;
      return send(baseUrl + url, init).then((response) => {
        const half = new ReadableStream({
          start: (controller) => controller.enqueue(new TextEncoder().encode('{"key":')),
          pull: (controller) => controller.error(new TypeError('terminated')),
        });
        return new Response(half, { status: response.status, headers: response.headers });
      });
    }).client.resources();
  };
  await cut('POST').save({ key: 'cut' });
  assert.equal((await cut('GET').get({ key: 'cut' })).key, 'cut');
  await assert.rejects(cut('PUT').replace({ key: 'cut' }), ConnectionError);
});

test('a page of a proxy is an error with its status, whatever that is', async () => {
  for (const status of [200, 404, 502]) {
    const { client } = open((url) => (isToken(url) ? undefined : Promise.resolve(new Response('<html>', { status }))), {
      retries: 0,
    });
    await assert.rejects(
      client.project(),
      (error: unknown) => error instanceof ServiceError && error.status === status,
    );
  }
});

test('a PUT and a DELETE whose response was lost are not sent again', async () => {
  for (const method of ['PUT', 'DELETE']) {
    let count = 0;
    const { client } = open((_, init, send) => {
      if (init.method !== method) return undefined;
      count += 1;
      return send(baseUrl + _, init).then(() => Promise.reject(new TypeError('The connection was reset.')));
    });
    const resources = client.resources();
    await resources.save({ key: 'unsafe' });
    const lost = method === 'PUT' ? resources.replace({ key: 'unsafe', a: 1 }) : resources.delete({ key: 'unsafe' });
    await assert.rejects(
      lost,
      (error: unknown) => error instanceof ConnectionError && error.cause instanceof TypeError,
    );
    assert.equal(count, 1, method);
  }
});

test('what the service refused without doing it is sent again, not before Retry-After, whatever the method', async () => {
  for (const [status, code] of [
    [503, 'OverCapacity'],
    [429, 'TooManyRequests'],
  ] as const) {
    const atMs: number[] = [];
    const { client } = open((_, { method }) => {
      if (method !== 'PUT') return undefined;
      atMs.push(performance.now());
      return atMs.length === 1 ? Promise.resolve(refusal(status, code, { 'retry-after': '1' })) : undefined;
    });
    await client.resources().replace({ key: 'busy', status });
    assert.equal(atMs.length, 2);
    assert.ok(atMs[1]! - atMs[0]! >= 999, `${atMs[1]! - atMs[0]!} ms`);
  }
});

test('an outcome that is unknown, and a request that still runs, are asked for again', async () => {
  const answers = [refusal(503, 'OutcomeUnknown'), refusal(409, 'RequestInProgress'), refusal(502, 'BackendFailed')];
  const { client } = open((url, { method }) => {
    const answer = method === 'PATCH' && !isToken(url) ? answers.shift() : undefined;
    return answer && Promise.resolve(answer);
  });
  assert.equal((await client.resources().merge({ key: 'patient' })).key, 'patient');
  assert.equal(answers.length, 0);
});

test('after all retries the error is thrown; one that is too far away is not waited for', async () => {
  let count = 0;
  const busy = open(
    (url) => {
      if (isToken(url)) return undefined;
      count += 1;
      return Promise.resolve(refusal(503, 'OverCapacity'));
    },
    { retries: 2 },
  );
  await assert.rejects(busy.client.project(), UnavailableError);
  assert.equal(count, 3);
  count = 0;
  const closed = open((url) => {
    if (isToken(url)) return undefined;
    count += 1;
    return Promise.resolve(refusal(429, 'TooManyRequests', { 'retry-after': '3600' }));
  });
  await assert.rejects(closed.client.project(), UnavailableError);
  assert.equal(count, 1);
});

test('a request ends at its time limit, and with the reason of the caller when that aborts it', async () => {
  const never = (url: string, { signal }: RequestInit) =>
    isToken(url)
      ? undefined
      : new Promise<Response>((_, reject) => signal!.addEventListener('abort', () => reject(signal!.reason)));
  const slow = open(never, { timeoutMs: 50, retries: 1 });
  await assert.rejects(slow.client.project(), (error: unknown) => {
    return error instanceof ConnectionError && /No response within 50 ms/.test(error.message);
  });
  const controller = new AbortController();
  const reason = new Error('The page was left.');
  const left = open(never).client.resources().get({ key: 'a' }, { signal: controller.signal });
  setTimeout(() => controller.abort(reason), 20);
  await assert.rejects(left, reason);
  const early = open(never);
  await assert.rejects(early.client.resources().get({ key: 'a' }, { signal: AbortSignal.abort(reason) }), reason);
  assert.ok(
    early.urls.every((url) => url.includes('/oauth/token')),
    early.urls.join(),
  );
});

test('a browser brings its own token, which is asked for again when it was refused', async () => {
  let asked = 0;
  const good = await api.token('view_test:shop');
  const client = createClient({
    baseUrl: `${baseUrl}/`,
    projectKey: 'shop',
    token() {
      asked += 1;
      return asked === 1 ? 'expired' : good;
    },
  });
  assert.deepEqual((await client.project()).scopes, ['view_test:shop']);
  assert.equal(asked, 2);
  assert.throws(() => createClient({ baseUrl, projectKey: 'shop' }), TypeError);
});

test('a token that a browser brings is used until shortly before it expires, by all callers', async (t) => {
  const good = await api.token('view_test:shop');
  let asked = 0;
  const client = createClient({
    ...{ baseUrl, projectKey: 'shop' },
    async token() {
      asked += 1;
      return good;
    },
  });
  await Promise.all(Array.from({ length: 10 }, () => client.project()));
  for (let n = 0; n < 4; n += 1) await client.project();
  assert.equal(asked, 1);
  const { exp } = JSON.parse(atob(good.split('.')[1]!)) as { exp: number };
  t.mock.timers.enable({ apis: ['Date'], now: exp * 1000 - 59_000 });
  await client.project();
  assert.equal(asked, 2);
});

test('a token that is no JWT is asked for with each request, since only its maker knows how long it holds', async () => {
  let asked = 0;
  const client = createClient({
    ...{ baseUrl, projectKey: 'shop' },
    token() {
      asked += 1;
      return `opaque${asked}`;
    },
    fetch: async () => new Response('{}', { status: 200 }),
  });
  await client.project();
  await client.project();
  assert.equal(asked, 2);
});

test('credentials are taken as the service shows a client that it created, and the administrator’s need a scope', async () => {
  const { json } = await api.call({
    ...{ method: 'POST', path: '/shop/api-clients', scope: 'manage_api_clients:shop' },
    body: { name: 'made', scopes: ['view_test:shop'] },
  });
  const made = createClient({ baseUrl, projectKey: 'shop', credentials: json });
  assert.deepEqual((await made.project()).scopes, ['view_test:shop']);
  const credentials = { clientId: 'test-admin', clientSecret: 'a secret for tests only' };
  await assert.rejects(
    createClient({ baseUrl, projectKey: 'shop', credentials }).project(),
    /scope=manage_project:my-shop\. Set credentials\.scope of the client\./,
  );
  assert.throws(
    () => createClient({ baseUrl, projectKey: 'shop', credentials: {} as never }),
    /clientId and clientSecret/,
  );
});
