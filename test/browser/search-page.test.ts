import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { png } from '../images/pictures.ts';
import { startTestApi, type TestApi } from '../start-test-api.ts';
import { until } from '../until.ts';
import { closeBrowser, openBrowser, skip } from './open-browser.ts';

if (skip) process.stdout.write(`the search page in a browser: skipped, ${skip}\n`);

const file = readFileSync(fileURLToPath(new URL('../../examples/search.html', import.meta.url)));

const products: readonly object[] = [
  {
    ...{ key: 'boots', name: { en: 'Winter boots' }, description: { en: 'Warm boots, lined with <wool>.' } },
    ...{ category: 'clothing > shoes > boots', color: 'brown', brand: 'Moor', price: 12_900 },
    variants: [{ sku: 'WB-40', size: 40 }],
  },
  {
    ...{ key: 'runner', name: { en: 'Running shoe' }, description: { en: 'A light shoe for long runs.' } },
    ...{ category: 'clothing > shoes', color: 'red', brand: 'Lumen', price: 8900 },
  },
  {
    ...{ key: 'shirt', name: { en: 'Linen shirt' }, description: { en: 'For warm days.' } },
    ...{ category: 'clothing > shirts', color: 'blue', brand: 'Lumen', price: 4500 },
  },
  {
    ...{
      key: 'lamp',
      name: { en: 'Reading lamp' },
      category: 'home > lamps',
      color: 'red',
      brand: 'Moor',
      price: 6900,
    },
  },
];

describe('examples/search.html in a browser', { skip }, () => {
  let api: TestApi;
  let browser: Browser;
  let page: Page;
  let host: Server;
  const complaints: string[] = [];

  before(async () => {
    host = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(file);
    }).listen(0, '127.0.0.1');
    await once(host, 'listening');
    const origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
    api = await startTestApi({ CORS_ORIGINS: origin });
    const base = await api.listen();
    for (const body of products) {
      const { status, text } = await api.call({ method: 'POST', path: '/my-shop/resource', body });
      assert.equal(status, 201, text);
    }
    const path = '/my-shop/resource/images?sku=WB-40&staged=false';
    const uploaded = await api.call({
      ...{ method: 'POST', path, headers: { 'content-type': 'image/png' } },
      body: await png(60, 45),
    });
    assert.equal(uploaded.status, 200, uploaded.text);
    browser = await openBrowser();
    page = await browser.newPage({ locale: 'en-IE', viewport: { width: 1200, height: 900 } });
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    const token = await api.token('view_test:my-shop');
    await page.goto(`${origin}/search.html#base=${encodeURIComponent(base)}&project=my-shop&token=${token}`);
    await results(4);
  });
  after(async () => {
    await closeBrowser();
    await api?.close();
    host.close();
  });

  const status = (text: string) => page.locator('#status', { hasText: text }).waitFor();
  const results = (count: number) => status(count === 1 ? '1 product' : `${count} products`);
  const type = async (text: string) => {
    await page.locator('#text').fill('');
    await page.locator('#text').pressSequentially(text);
  };
  const names = () => page.locator('.result h2').allTextContents();
  const focused = () =>
    page.evaluate('document.activeElement.dataset.key ?? document.activeElement.id') as Promise<string>;
  const box = (key: string) => page.locator(`[data-key="${key}"]`);
  const countOf = (key: string) =>
    page
      .locator('label', { has: box(key) })
      .locator('small')
      .textContent();

  test('shows all products with facets, of categories on each level, and images of variants', async () => {
    assert.equal((await names()).length, 4);
    assert.equal(await countOf('category clothing'), '3');
    assert.equal(await countOf('category clothing > shoes'), '2');
    assert.equal(await countOf('color red'), '2');
    await page.locator('.result img').waitFor();
    assert.equal(await page.locator('.result img').count(), 1);
  });

  test('finds while typing, marks the words, and reads no stored text as markup', async () => {
    await type('boo');
    await results(1);
    assert.deepEqual(await names(), ['Winter boots']);
    assert.deepEqual(await page.locator('.result mark').allTextContents(), ['boots', 'boots']);
    assert.match((await page.locator('.result p').textContent()) ?? '', /lined with <wool>/);
    assert.equal(await page.locator('.result wool').count(), 0);
    assert.equal(await focused(), 'text', 'the focus stays in the field');
  });

  test('suggests words, of which one is taken by keyboard', async () => {
    await type('s');
    await page.locator('#suggestions [role=option]', { hasText: 'shoe' }).first().waitFor();
    const offered = await page.locator('#suggestions [role=option] span').allTextContents();
    assert.ok(offered.includes('shoes') && offered.includes('shirt'), offered.join());
    await page.keyboard.press('ArrowDown');
    const first = offered[0]!;
    await page.locator('#suggestions [aria-selected="true"]', { hasText: first }).waitFor();
    await page.keyboard.press('Enter');
    assert.equal(await page.locator('#text').inputValue(), first);
    assert.equal(await page.locator('#suggestions').isVisible(), false);
  });

  test('suggests what a word with a typo begins, once', async () => {
    await type('wintre');
    await page.locator('#suggestions [role=option]', { hasText: 'winter' }).waitFor();
    assert.equal(await page.locator('#meant').isVisible(), false);
    await page.keyboard.press('Escape');
  });

  test('says what was probably meant, and searches for it', async () => {
    await type('wintre boots');
    await page.locator('#meant button', { hasText: 'winter boots' }).click();
    await results(1);
    assert.deepEqual(await names(), ['Winter boots']);
    assert.equal(await focused(), 'text');
  });

  test('a choice in a facet narrows results and the other facets, not its own; the focus stays on it', async () => {
    await page.locator('#text').fill('');
    await results(4);
    await box('color red').focus();
    await page.keyboard.press('Space');
    await results(2);
    assert.equal(await focused(), 'color red');
    assert.equal(await countOf('color blue'), '1');
    assert.equal(await countOf('category clothing'), '1');
    await box('category clothing').focus();
    await page.keyboard.press('Space');
    await results(1);
    assert.deepEqual(await names(), ['Running shoe']);
    assert.equal(await focused(), 'category clothing');
    await page.keyboard.press('Space');
    await results(2);
    assert.equal(await focused(), 'category clothing');
    await box('color red').focus();
    await page.keyboard.press('Space');
    await results(4);
  });

  test('says that nothing was found, and takes the filters away', async () => {
    await box('color red').focus();
    await page.keyboard.press('Space');
    await results(2);
    await type('zzqqx');
    await status('Nothing found for “zzqqx” with these filters.');
    await page.locator('#clear').click();
    await status('Nothing found for “zzqqx”.');
    assert.equal(await focused(), 'text');
    assert.equal(await page.locator('#clear').isVisible(), false);
    await page.locator('#text').fill('');
    await results(4);
  });

  test('“Show more” keeps the focus while more follows, then hands it to the first new result', async () => {
    const answers = '**/my-shop/resource/searchApiPattern?*';
    // The page asks for 12, 24 and 36 products, and is given 1, 2 and all 4.
    const counts = new Map([
      ['12', 1],
      ['24', 2],
      ['36', 4],
    ]);
    await page.route(answers, async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      const count = counts.get(new URL(route.request().url()).searchParams.get('limit') ?? '') ?? 0;
      const results = body.results.slice(0, count);
      await route.fulfill({ response, json: { ...body, results, next: count < 4 ? 'more' : undefined } });
    });
    const shown = (count: number) =>
      until(() => page.evaluate<boolean>(`document.querySelectorAll('.result').length === ${count}`));
    await page.locator('#text').fill(' ');
    await shown(1);
    await page.locator('#more').focus();
    await page.keyboard.press('Enter');
    await shown(2);
    assert.equal(await focused(), 'more');
    await page.keyboard.press('Enter');
    await shown(4);
    assert.equal(await page.locator('#more').isVisible(), false);
    const all = await names();
    const heading = () => page.evaluate('document.activeElement.querySelector("h2")?.textContent') as Promise<string>;
    assert.equal(await heading(), all[2]);
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate('document.activeElement.closest(".result")'), null, 'no stop of the tab key');
    await page.unroute(answers);
    await page.locator('#text').fill('');
    await results(4);
  });

  test('suggests no more what stands in the field already', async () => {
    await type('lam');
    await page.locator('#suggestions [role=option]', { hasText: 'lamp' }).waitFor();
    await page.locator('#text').pressSequentially('p');
    await page.locator('#suggestions').waitFor({ state: 'hidden' });
    await page.locator('#text').fill('');
    await results(4);
  });

  test('on a phone the products come first, and the filters open on demand', async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    await box('color red').waitFor({ state: 'hidden' });
    await page.locator('summary').click();
    await box('color red').waitFor({ state: 'visible' });
    await page.setViewportSize({ width: 1200, height: 900 });
    await page.locator('summary').waitFor({ state: 'hidden' });
    assert.equal(await box('color red').isVisible(), true);
  });

  test('the browser complains of nothing', () => assert.deepEqual(complaints, []));
});
