import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { buildClient } from '../clients/build-client.ts';
import { png } from '../images/pictures.ts';
import { startTestApi, type TestApi } from '../start-test-api.ts';
import { closeBrowser, openBrowser, skip } from './open-browser.ts';

if (skip) process.stdout.write(`the client package in a browser: skipped, ${skip}\n`);

/** A shop on an address of its own, which has the client and an empty page. */
async function startShop(folder: string): Promise<Server> {
  const server = createServer(({ url = '/' }, response) => {
    const isModule = url.endsWith('.js');
    response.setHeader('content-type', isModule ? 'text/javascript' : 'text/html');
    response.end(
      isModule
        ? readFileSync(join(folder, new URL(url, 'http://shop').pathname))
        : '<!doctype html><title>Shop</title>',
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

describe('the client package in a browser', { skip }, () => {
  let api: TestApi;
  let shop: Server;
  let browser: Browser;
  let page: Page;
  let settings: { readonly baseUrl: string; readonly token: string };
  let built: Awaited<ReturnType<typeof buildClient>>;

  before(async () => {
    built = await buildClient();
    shop = await startShop(built.folder);
    const origin = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
    api = await startTestApi({ CORS_ORIGINS: origin });
    settings = { baseUrl: await api.listen(), token: await api.token('manage_project:shop manage_project:names') };
    browser = await openBrowser();
    page = await browser.newPage();
    await page.goto(origin);
  });
  after(async () => {
    await closeBrowser();
    shop?.closeAllConnections();
    shop?.close();
    await api?.close();
    built?.remove();
  });

  test('creates, updates, walks, searches and gets errors with their classes, from another origin', async () => {
    const done = await page.evaluate(async ({ baseUrl, token }) => {
      const address = '/index.js';
      const { createClient, NotFoundError, terms, where } = (await import(
        address
      )) as typeof import('../../packages/client/src/index.ts');
      const client = createClient({ baseUrl, projectKey: 'shop', token: () => token });
      const products = client.resources<{ name: { en: string }; count: number; big?: bigint }>();
      await products.create({ key: 'a', name: { en: 'Red shoe' }, count: 0, big: 9007199254740993n });
      const increment = () =>
        products.update({ key: 'a' }, ({ count }) => [{ action: 'setField', path: 'count', value: count + 1 }]);
      await Promise.all([increment(), increment(), increment()]);
      const walked: string[] = [];
      for await (const { key } of products.all({ where: where`count = ${3}` })) walked.push(key ?? '');
      const { facets, total } = await products.search({ text: { en: 'shoes' }, facets: { names: terms('name.en') } });
      const error = await products.get({ key: 'none' }).catch((thrown: unknown) => thrown);
      return {
        walked,
        big: String((await products.get({ key: 'a' })).big),
        total,
        terms: facets.names.terms,
        error: error instanceof NotFoundError && [error.code, error.correlationId !== undefined],
      };
    }, settings);
    assert.deepEqual(done, {
      walked: ['a'],
      big: '9007199254740993',
      total: 1,
      terms: [{ term: 'Red shoe', count: 1 }],
      error: ['ResourceNotFound', true],
    });
  });

  test('reads names with escapes as they are, whatever name an object of the same shape had before', async () => {
    const keys = await page.evaluate(async ({ baseUrl, token }) => {
      const address = '/index.js';
      const { createClient } = (await import(address)) as typeof import('../../packages/client/src/index.ts');
      const client = createClient({ baseUrl, projectKey: 'names', token: () => token });
      const resources = client.resources<Record<string, unknown>>();
      for (const name of ['\\', '\t', '"']) await resources.create({ size: 1, [name]: 1 });
      const { results } = await resources.list();
      return results.map((one) => Object.keys(one).filter((name) => name.length === 1));
    }, settings);
    assert.deepEqual(keys, [['\\'], ['\t'], ['"']]);
  });

  test('uploads a picture with progress, and ends an upload that is aborted', async () => {
    const image = (await png(400, 300)).toString('base64');
    const done = await page.evaluate(
      async ({ baseUrl, token, image }) => {
        const address = '/index.js';
        const { createClient } = (await import(address)) as typeof import('../../packages/client/src/index.ts');
        const { images } = createClient({ baseUrl, projectKey: 'shop', token: () => token });
        const bytes = Uint8Array.from(atob(image), (character) => character.charCodeAt(0));
        const picture = new Blob([bytes], { type: 'image/png' });
        let sent = 0;
        const variant = await images.upload(picture, {
          sku: 'shoe-1',
          onProgress({ sentBytes }) {
            sent = sentBytes;
          },
        });
        const gone = AbortSignal.abort(new Error('left'));
        const aborted = images.upload(picture, { signal: gone, onProgress() {} });
        return {
          width: variant.imageDetails[0]?.dimensions.w,
          isWhole: sent === picture.size,
          aborted: await aborted.catch((error: Error) => error.message),
        };
      },
      { ...settings, image },
    );
    assert.deepEqual(done, { width: 400, isWhole: true, aborted: 'left' });
  });
});
