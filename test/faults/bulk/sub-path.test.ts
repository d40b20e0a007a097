import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type ClientHttp2Session, connect } from 'node:http2';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { crc32 } from 'node:zlib';
import { EventSource } from 'eventsource';
import { certificate, privateKey } from '../../backend/tls-fixture.ts';
import { closeBrowser, closePages, openBrowser, skip as skipBrowser } from '../../browser/open-browser.ts';
import { clientId, type OutsideProvider, startOutsideProvider } from '../../browser/outside-provider.ts';
import { findServer } from '../../optional-tools.ts';
import { startTestApi, type TestApi } from '../../start-test-api.ts';
import { until } from '../../until.ts';
import { freePort, type Program, proxies, startProxy, wrapNginx } from './proxies.ts';

const page = readFileSync(new URL('../../../docs/behind-a-proxy.md', import.meta.url), 'utf8');

/** What the page has instead for TLS and HTTP/2, by the line that it replaces. */
const tlsLines: Readonly<Record<string, string>> = Object.fromEntries(
  [...page.matchAll(/^\| `([^`]+)` \| `([^`]+)` \|$/gm)].map(([, plain, tls]) => [plain!, tls!]),
);

/** The configuration that the page has in a language, with other ports; with a folder for its certificate, the one for TLS. */
function configurationOf(language: string, port: number, upstream: number, certificates?: string): string {
  let [, text = ''] = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(page) ?? [];
  if (certificates !== undefined) {
    for (const [plain, tls] of Object.entries(tlsLines)) text = text.replace(plain, tls.replace('{ ', '{\n'));
    writeFileSync(join(certificates, 'example.crt'), certificate);
    writeFileSync(join(certificates, 'example.key'), privateKey);
    writeFileSync(join(certificates, 'example.pem'), certificate + privateKey);
  }
  const placed = text
    .replace('127.0.0.1:8080', `127.0.0.1:${upstream}`)
    .replaceAll('/etc/ssl', certificates ?? '')
    .replace(/listen (80|443)/, `listen 127.0.0.1:${port}`)
    .replace('http://example.com', `http://127.0.0.1:${port}`)
    .replace(/^example.com/m, `${host}:${port}`)
    .replace(/bind :(80|443)/, `bind 127.0.0.1:${port}`);
  assert.ok(placed.includes(String(port)) && placed.includes(String(upstream)), placed);
  return placed;
}

const caddyGlobals = (folder: string) => `{\n admin off\n auto_https off\n storage file_system ${folder}\n}\n`;

/** The name of the certificate. */
const host = 'backend.example';

/** It has two files. */
const traefik: Program = {
  file: findServer('traefik'),
  configuration(port, upstream, folder) {
    const [, fixed = '', routes = ''] = /## Traefik.*?```yaml\n(.*?)```.*?```yaml\n(.*?)```/s.exec(page) ?? [];
    const dynamic = join(folder, 'grs.yaml');
    const placed = fixed.replace('":80"', `"127.0.0.1:${port}"`).replace('/etc/traefik/grs.yaml', dynamic);
    const routed = routes.replace('127.0.0.1:8080', `127.0.0.1:${upstream}`);
    assert.ok(placed.includes(String(port)) && placed.includes(dynamic) && routed.includes(String(upstream)), page);
    writeFileSync(dynamic, routed);
    writeFileSync(join(folder, 'traefik.yaml'), placed);
    return '';
  },
  args: (_configuration, folder) => [`--configFile=${join(folder, 'traefik.yaml')}`],
};

/** The proxies as the page configures them. */
const programsOf = (withTls: boolean): Readonly<Record<string, Program>> => {
  const ofPage = (language: string, ports: readonly [number, number], folder: string) =>
    configurationOf(language, ...ports, withTls ? folder : undefined);
  return {
    nginx: {
      ...proxies['nginx with its defaults']!,
      configuration: (port, upstream, folder) => wrapNginx(folder, ofPage('nginx', [port, upstream], folder)),
    },
    caddy: {
      ...proxies.Caddy!,
      configuration: (port, upstream, folder) => caddyGlobals(folder) + ofPage('caddyfile', [port, upstream], folder),
    },
    ...(!withTls && { traefik }),
    haproxy: {
      ...proxies.HAProxy!,
      configuration: (port, upstream, folder) => ofPage('haproxy', [port, upstream], folder),
    },
  };
};

const pathOf = (address: string) => new URL(address, 'http://localhost').pathname;
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

after(closeBrowser);

/** An image of more than 20 MB, most of them in a chunk that no reader of images looks at. */
function makeLarge(): Buffer {
  const length = 20_500_000;
  const chunk = Buffer.alloc(length + 12, 7);
  chunk.writeUInt32BE(length);
  chunk.write('grSx', 4, 'latin1');
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), length + 8);
  const headerEnd = 33;
  return Buffer.concat([png.subarray(0, headerEnd), chunk, png.subarray(headerEnd)]);
}

for (const [name, program] of Object.entries(programsOf(false))) {
  const skip = findServer(name) === undefined && `${name} is not installed`;
  if (skip) process.stdout.write(`the configuration of ${name}: skipped, ${skip}\n`);

  describe(`under /grs behind ${name}, as docs/behind-a-proxy.md configures it`, { skip }, () => {
    let api: TestApi;
    let proxy: Awaited<ReturnType<typeof startProxy>>;
    let base: string;
    let provider: OutsideProvider;

    before(async () => {
      provider = await startOutsideProvider();
      const port = await freePort();
      base = `http://127.0.0.1:${port}/grs`;
      provider.register(`${base}/console/session/login/callback`);
      api = await startTestApi({
        ...{ ISSUER: base, TRUST_PROXY: '127.0.0.1', IMAGE_MAX_BYTES: '31457280' },
        ...{
          OIDC_ISSUER: provider.issuer,
          OIDC_AUDIENCE: 'grs',
          OIDC_SCOPE_CLAIM: 'rights',
          CONSOLE_OIDC_CLIENT_ID: clientId,
        },
      });
      proxy = await startProxy(program, Number(new URL(await api.listen()).port), port);
      // Traefik reads its routes after it listens.
      while ((await fetch(`${base}/health/live`)).status !== 200)
        await new Promise((resolve) => setTimeout(resolve, 20));
    });
    after(async () => {
      await proxy?.stop();
      await provider[Symbol.asyncDispose]();
      await api?.close();
    });

    async function send(path: string, init: RequestInit = {}): Promise<Response> {
      const authorization = `Bearer ${await api.token('manage_project:shop')}`;
      return fetch(base + path, { redirect: 'manual', ...init, headers: { authorization, ...init.headers } });
    }
    const json = (body: unknown): RequestInit => ({
      ...{ method: 'POST', body: JSON.stringify(body) },
      headers: { 'content-type': 'application/json' },
    });

    test('all addresses in responses lead back through the proxy', async () => {
      const created = await send('/shop/resource', json({ key: '50%-off', name: 'one' }));
      assert.equal(created.status, 201);
      const at = created.headers.get('location')!;
      assert.match(at, /^\/grs\/shop\/resource\//);
      assert.equal((await send(at.slice('/grs'.length))).status, 200);
      assert.equal((await send('/shop/resource', json({ key: 'second' }))).status, 201);
      const list = await send('/shop/resource/sorted-query-parameters?limit=1&sort=key');
      const link = /<([^>]*)>; rel="next"/.exec(list.headers.get('link') ?? '')?.[1] ?? '';
      assert.match(link, /^\/grs\/shop\/resource\/sorted-query-parameters\?/);
      assert.equal((await send(link.slice('/grs'.length))).status, 200);
      const uploaded = await send('/shop/resource/images?sku=s1', {
        ...{ method: 'POST', body: png, headers: { 'content-type': 'image/png' } },
      });
      const { images } = (await uploaded.json()) as { images: readonly string[] };
      assert.match(images[0]!, /^\/grs\/shop\/images\//);
      assert.equal((await fetch(new URL(images[0]!, base))).status, 200);
      const metadata = await (await send('/.well-known/oauth-authorization-server')).json();
      assert.equal(pathOf((metadata as { token_endpoint: string }).token_endpoint), '/grs/oauth/token');
      const document = (await (await send('/openapi.json')).json()) as { servers: { url: string }[] };
      assert.equal(document.servers[0]!.url, '/grs');
      assert.equal((await send('/')).headers.get('location'), '/grs/console');
    });

    test('keys and predicates of any characters arrive as they were sent', async () => {
      for (const key of ['a/b', '50% off', 'größe', 'a b+c', '?&#=;', '%2F', '..', 'a//b']) {
        assert.equal((await send('/shop/resource', json({ key }))).status, 201, key);
        const found = await send(`/shop/resource/key=${encodeURIComponent(key)}`);
        assert.deepEqual([found.status, ((await found.json()) as { key?: string }).key], [200, key]);
        const where = encodeURIComponent(`key = ${JSON.stringify(key)}`);
        const list = await send(`/shop/resource/sorted-query-parameters?where=${where}`);
        assert.equal(((await list.json()) as { total: number }).total, 1, key);
      }
    });

    test('an image of 20 MB is accepted', async () => {
      const uploaded = await send('/shop/resource/images?sku=large', {
        ...{ method: 'POST', body: makeLarge(), headers: { 'content-type': 'image/png' } },
      });
      const text = await uploaded.text();
      assert.equal(uploaded.status, 200, text);
      const { images } = JSON.parse(text) as { images: readonly string[] };
      const image = await fetch(new URL(images[0]!, base));
      assert.deepEqual([image.status, image.headers.get('content-type')], [200, 'image/png']);
    });

    test('a browser that follows events gets each as it comes', async () => {
      const authorization = `Bearer ${await api.token('manage_project:followed')}`;
      const write = (key: string) =>
        fetch(`${base}/followed/resource`, {
          ...json({ key }),
          headers: { authorization, 'content-type': 'application/json' },
        });
      const seen: string[] = [];
      const arrivals = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const opened = Promise.withResolvers<void>();
      const source = new EventSource(`${base}/followed/events?after=latest`, {
        fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, authorization } }),
      });
      source.addEventListener('open', () => opened.resolve());
      source.addEventListener('message', ({ data }) => {
        arrivals[seen.length]!.resolve();
        seen.push(JSON.parse(data).resource.key);
      });
      await opened.promise;
      await write('first');
      await arrivals[0]!.promise;
      await write('second');
      await arrivals[1]!.promise;
      source.close();
      assert.deepEqual(seen, ['first', 'second']);
    });

    test('an event arrives while its stream is open, and an import of 8 MB is accepted', async () => {
      const stop = new AbortController();
      const events = await send('/shop/events?after=latest', {
        ...{ headers: { accept: 'application/x-ndjson' }, signal: stop.signal },
      });
      const reader = events.body!.pipeThrough(new TextDecoderStream()).getReader();
      await send('/shop/resource', json({ key: 'streamed' }));
      let text = '';
      while (!text.includes('streamed'))
        text += (await reader.read()).value ?? assert.fail(`the stream ended: ${text}`);
      stop.abort();
      const line = `${JSON.stringify({ key: 'large', text: 'x'.repeat(80_000) })}\n`;
      const lines = Array.from({ length: 100 }, (_, n) => line.replace('large', `large-${n}`)).join('');
      const headers = { 'content-type': 'application/x-ndjson' };
      const imported = await send('/shop/resource/import?mode=overwrite', { method: 'POST', body: lines, headers });
      const last = JSON.parse((await imported.text()).trimEnd().split('\n').at(-1)!);
      assert.deepEqual([imported.status, last.complete, last.lines], [200, true, 100]);
    });

    describe('in a browser', { skip: skipBrowser }, () => {
      // A proxy that ends waits for its connections.
      after(closePages);

      // One proxy will do: what each has to pass on for it, the other tests look at.
      const skipLogin = name !== 'nginx' && 'behind nginx it is tried';
      test('people log in to the console by an outside provider, and come back to where they were', {
        skip: skipLogin,
      }, async () => {
        provider.people.set('alice', { name: 'Alice Example', rights: ['manage_project:outside'] });
        const authorization = `Bearer ${await api.token('manage_project:outside')}`;
        const headers = { authorization, 'content-type': 'application/json' };
        await fetch(`${base}/outside/resource`, { ...json({ key: 'seen' }), headers });
        const opened = await (await openBrowser()).newPage();
        await opened.route(
          ({ hostname }) => hostname !== '127.0.0.1',
          (route) => route.abort(),
        );
        await opened.goto(`${base}/console/outside/resources?where=key%20%3D%20%22seen%22`);
        await opened.getByRole('button', { name: /^Log in with 127/ }).click();
        await opened.locator('input[name="login"]').fill('alice');
        await opened.locator('input[name="password"]').fill('any');
        await opened.getByRole('button', { name: 'Sign-in' }).click();
        await opened.getByRole('button', { name: 'Continue' }).click();
        await opened.getByText('1 of 1').waitFor();
        await opened.getByText('Alice Example').waitFor();
        assert.equal(new URL(opened.url()).pathname, '/grs/console/outside/resources');
      });

      test('the console and the documentation work, and ask for nothing outside the path', async () => {
        const opened = await (await openBrowser()).newPage();
        const outside: string[] = [];
        opened.on('request', (request) => {
          const isInside = request.url().startsWith(`${base}/`) || request.url().startsWith('data:');
          if (!isInside) outside.push(request.url());
        });
        await opened.goto(`${base}/console/shop/resources#code=${api.app.consoleSessions!.createCode()}`);
        const row = opened.locator('tbody a').first();
        await row.waitFor();
        // The session is taken up again by its cookie.
        await opened.reload();
        await row.click();
        await opened.waitForURL(`${base}/console/shop/resources/*`);
        await opened.goto(`${base}/console/shop/images`);
        const image = opened.locator('img').first();
        await image.waitFor();
        await until(() => opened.evaluate<boolean>("document.querySelector('img').naturalWidth > 0"));
        await opened.goto(`${base}/docs`);
        await opened.locator('#operations details').first().waitFor();
        await opened.getByText('Send requests from this page').click();
        await opened.locator('input[name=clientId]').fill('test-admin');
        await opened.locator('input[name=secret]').fill('a secret for tests only');
        await opened.getByRole('button', { name: 'Get a token' }).click();
        await opened.getByText('Requests are now sent with').waitFor({ state: 'attached' });
        assert.deepEqual(outside, []);
      });
    });
  });
}

/** A request by HTTP/2. Resolves when the response has begun; `text` collects its body. */
async function over(session: ClientHttp2Session, headers: Readonly<Record<string, string>>, body?: string | Buffer) {
  const stream = session.request(headers, { endStream: body === undefined });
  if (body !== undefined) stream.end(body);
  const [answer] = (await once(stream, 'response')) as [Readonly<Record<string, string | number | string[]>>];
  return { stream, status: answer[':status'], headers: answer };
}

for (const [name, program] of Object.entries(programsOf(true))) {
  const skip = findServer(name) === undefined && `${name} is not installed`;

  test(`behind ${name} with TLS, as docs/behind-a-proxy.md configures it: HTTP/2, streams, and cookies for https alone`, {
    skip,
  }, async () => {
    const api = await startTestApi({ ISSUER: `https://${host}/grs`, TRUST_PROXY: '127.0.0.1' });
    const proxy = await startProxy(program, Number(new URL(await api.listen()).port));
    const session = connect(`https://127.0.0.1:${proxy.port}`, { ca: certificate, servername: host });
    try {
      await once(session, 'connect');
      assert.equal(session.alpnProtocol, 'h2');
      const authorization = `Bearer ${await api.token('manage_project:shop')}`;
      const shared = { ':authority': host, authorization };
      const post = { ...shared, ':method': 'POST', 'content-type': 'application/json' };
      const events = await over(session, {
        ...shared,
        ':path': '/grs/shop/events?after=latest',
        accept: 'text/event-stream',
      });
      assert.equal(events.status, 200);
      let seen = '';
      const arrived = Promise.withResolvers<void>();
      events.stream.setEncoding('utf8').on('data', (text: string) => {
        seen += text;
        if (seen.includes('streamed')) arrived.resolve();
      });
      const created = await over(session, { ...post, ':path': '/grs/shop/resource' }, '{"key":"streamed"}');
      assert.equal(created.status, 201);
      assert.match(String(created.headers.location), /^\/grs\/shop\/resource\//);
      await arrived.promise;
      events.stream.close();
      const login = JSON.stringify({ clientId: 'test-admin', clientSecret: 'a secret for tests only' });
      const path = '/grs/console/session';
      const entered = await over(session, { ...post, ':path': path, 'sec-fetch-site': 'same-origin' }, login);
      assert.equal(entered.status, 201);
      assert.match(String(entered.headers['set-cookie']), /^__Host-grs-console=.*; Secure/);
    } finally {
      session.destroy();
      await proxy.stop();
      await api.close();
    }
  });
}
