import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { openBrowser, skip as skipBrowser } from '../../browser/open-browser.ts';
import { findServer } from '../../optional-tools.ts';
import { startTestApi, type TestApi } from '../../start-test-api.ts';
import { type Program, proxies, startProxy, wrapNginx } from './proxies.ts';

const page = readFileSync(new URL('../../../docs/behind-a-proxy.md', import.meta.url), 'utf8');

/** The configuration that the page has in a language, with other ports. */
function configurationOf(language: string, port: number, upstream: number): string {
  const [, text = ''] = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(page) ?? [];
  const placed = text
    .replace('127.0.0.1:8080', `127.0.0.1:${upstream}`)
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replace('http://example.com', `http://127.0.0.1:${port}`)
    .replace('bind :80', `bind 127.0.0.1:${port}`);
  assert.ok(placed.includes(String(port)) && placed.includes(String(upstream)), placed);
  return placed;
}

const caddyGlobals = (folder: string) => `{\n admin off\n auto_https off\n storage file_system ${folder}\n}\n`;

const programs: Readonly<Record<string, Program>> = {
  nginx: {
    ...proxies['nginx with its defaults']!,
    configuration: (port, upstream, folder) => wrapNginx(folder, configurationOf('nginx', port, upstream)),
  },
  caddy: {
    ...proxies.Caddy!,
    configuration: (port, upstream, folder) => caddyGlobals(folder) + configurationOf('caddyfile', port, upstream),
  },
  haproxy: {
    ...proxies.HAProxy!,
    configuration: (port, upstream) => configurationOf('haproxy', port, upstream),
  },
};

const pathOf = (address: string) => new URL(address, 'http://localhost').pathname;
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

for (const [name, program] of Object.entries(programs)) {
  const skip = findServer(name) === undefined && `${name} is not installed`;
  if (skip) process.stdout.write(`the configuration of ${name}: skipped, ${skip}\n`);

  describe(`under /grs behind ${name}, as docs/behind-a-proxy.md configures it`, { skip }, () => {
    let api: TestApi;
    let proxy: Awaited<ReturnType<typeof startProxy>>;
    let base: string;

    before(async () => {
      api = await startTestApi({ ISSUER: 'http://127.0.0.1/grs', TRUST_PROXY: '127.0.0.1' });
      const upstream = Number(new URL(await api.listen()).port);
      proxy = await startProxy(program, upstream);
      base = `http://127.0.0.1:${proxy.port}/grs`;
    });
    after(async () => {
      await proxy?.stop();
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
      let browser: Browser;
      before(async () => {
        browser = await openBrowser();
      });
      after(() => browser?.close());

      test('the console and the documentation work, and ask for nothing outside the path', async () => {
        const opened = await browser.newPage();
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
        await opened.waitForFunction("document.querySelector('img').naturalWidth > 0");
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
