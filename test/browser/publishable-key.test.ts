import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { startTestApi, type TestApi } from '../start-test-api.ts';
import { closeBrowser, openBrowser, skip } from './open-browser.ts';

if (skip) process.stdout.write(`a publishable key in a browser: skipped, ${skip}\n`);

const file = readFileSync(fileURLToPath(new URL('../../examples/search.html', import.meta.url)));

/** The search page on an origin of its own. */
async function startHost(): Promise<Server> {
  const host = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(file);
  }).listen(0, '127.0.0.1');
  await once(host, 'listening');
  return host;
}

const originOf = (host: Server) => `http://127.0.0.1:${(host.address() as AddressInfo).port}`;

describe('a publishable key in a browser', { skip }, () => {
  let api: TestApi;
  let base: string;
  let browser: Browser;
  let hosts: readonly Server[];
  let client: { readonly id: string; readonly key: string };

  before(async () => {
    hosts = [await startHost(), await startHost()];
    api = await startTestApi();
    base = await api.listen();
    for (const key of ['boots', 'shoe']) {
      const draft = { key, name: { en: `Red ${key}` }, color: 'red', purchasePrice: 4711 };
      assert.equal((await api.call({ method: 'POST', path: '/my-shop/resource', body: draft })).status, 201);
    }
    await api.call({ method: 'PUT', path: '/my-shop/settings/access', body: { privatePaths: ['purchasePrice'] } });
    const made = await api.call({
      ...{ method: 'POST', path: '/my-shop/api-clients', scope: 'manage_api_clients:my-shop' },
      body: { name: 'Search page', publishable: true, origins: [originOf(hosts[0]!)] },
    });
    client = made.json;
    browser = await openBrowser();
  });
  after(async () => {
    await closeBrowser();
    for (const host of hosts) host.close();
    await api?.close();
  });

  const address = (host: Server) =>
    `${originOf(host)}/search.html#base=${encodeURIComponent(base)}&project=my-shop&key=${client.key}`;

  test('a page of an origin of the key searches the service at another origin', async () => {
    const page = await browser.newPage();
    await page.goto(address(hosts[0]!));
    await page.locator('#status', { hasText: '2 products' }).waitFor();
    await page.locator('#text').fill('boots');
    await page.locator('#status', { hasText: '1 product' }).waitFor();
    const read = (path: string) =>
      page.evaluate(
        async ({ url, key }) => {
          const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
          return { status: response.status, text: await response.text() };
        },
        { url: `${base}/my-shop${path}`, key: client.key },
      );
    const one = await read('/resource/key=boots');
    assert.equal(one.status, 200);
    assert.match(one.text, /Red boots/);
    assert.doesNotMatch(one.text, /4711|createdBy/);
    assert.equal((await read('/resource/key=boots?staged=true')).status, 403);
    assert.match((await read('/resource/sorted-query-parameters?sort=purchasePrice')).text, /is not available/);
  });

  test('a page of a third origin gets nothing', async () => {
    const page = await browser.newPage();
    const failures: string[] = [];
    page.on('console', (message) => failures.push(message.text()));
    await page.goto(address(hosts[1]!));
    await page.locator('#status', { hasText: 'Failed to fetch' }).waitFor();
    assert.equal(await page.locator('.result').count(), 0);
    assert.ok(
      failures.some((text) => /blocked by CORS policy/.test(text)),
      failures.join('\n'),
    );
  });

  test('a page whose key was deleted gets nothing from the next request on', async () => {
    const page = await browser.newPage();
    await page.goto(address(hosts[0]!));
    await page.locator('#status', { hasText: '2 products' }).waitFor();
    const path = `/my-shop/api-clients/${client.id}`;
    assert.equal((await api.call({ method: 'DELETE', path, scope: 'manage_api_clients:my-shop' })).status, 200);
    await page.locator('#text').fill('shoe');
    await page.locator('#status', { hasText: 'Failed to fetch' }).waitFor();
  });
});
