import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import sharp from 'sharp';
import { startTestApi, type TestApi } from '../start-test-api.ts';

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((file) => existsSync(file));
const skip = executablePath === undefined ? 'there is no chromium here' : false;
if (skip) process.stdout.write(`the shop page in a browser: skipped, ${skip}\n`);

const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'];
const quiet = ['--disable-background-networking', '--disable-component-update'];
const shop = readFileSync(fileURLToPath(new URL('../../examples/shop.html', import.meta.url)));

const colours = {
  'OAK-1': ['#e3d2b4', '<path d="M210 120h180v150H210zM210 270h180v40H210zM222 310v170M378 310v170M222 400h156"/>'],
  'LIN-7': [
    '#d5dfd8',
    '<path d="M150 170q150-60 300 0v240q-150 60-300 0zM150 250q150-60 300 0M150 330q150-60 300 0"/>',
  ],
} as const;

/** A picture of a product, drawn here. */
function drawing(sku: keyof typeof colours): Promise<Buffer> {
  const [ground, lines] = colours[sku];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="600"><rect width="600" height="600" fill="${ground}"/>
    <g fill="none" stroke="#4b4032" stroke-width="14" stroke-linecap="round" stroke-linejoin="round">${lines}</g></svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}

const euros = (centAmount: number) => ({ centAmount, currencyCode: 'EUR' });
const document = {
  shippingAddress: { name: 'Ada Jones', street: 'Hauptplatz 1', city: '8010 Graz' },
  lineItems: [
    {
      ...{ name: 'Oak chair', count: 2, price: euros(12_950) },
      variant: { sku: 'OAK-1', attributes: { colour: { key: 'natural', label: 'Natural oak' }, seat: 'Solid' } },
    },
    { name: 'Linen cloth', price: euros(2490), variant: { sku: 'LIN-7', attributes: { size: '140 × 240 cm' } } },
    { name: '<b>Wool</b> blanket', count: 3, price: euros(5_900), variant: { sku: 'WOL-2' } },
  ],
};

describe('examples/shop.html in a browser', { skip }, () => {
  let api: TestApi;
  let browser: Browser;
  let page: Page;
  let host: Server;
  let origin: string;
  let base: string;
  const complaints: string[] = [];

  before(async () => {
    host = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(shop);
    }).listen(0, '127.0.0.1');
    await once(host, 'listening');
    origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
    api = await startTestApi({ CORS_ORIGINS: origin });
    base = await api.listen();
    for (const sku of ['OAK-1', 'LIN-7'] as const) {
      const path = `/my-shop/resource/images?sku=${sku}&staged=false&filename=${sku}.png`;
      const headers = { 'content-type': 'image/png' };
      const uploaded = await api.call({ method: 'POST', path, headers, body: await drawing(sku) });
      assert.equal(uploaded.status, 200, uploaded.text);
    }
    await api.call({ method: 'POST', path: '/my-shop/resource/namespace-action', body: document });
    browser = await chromium.launch({ executablePath: executablePath ?? '', args: [...args, ...quiet] });
    page = await browser.newPage({ locale: 'en-IE', viewport: { width: 1200, height: 800 } });
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    const token = await api.token('manage_test:my-shop');
    await page.goto(`${origin}/shop.html#base=${encodeURIComponent(base)}&project=my-shop&token=${token}`);
    await page.locator('.item').nth(2).waitFor();
  });
  after(async () => {
    await browser?.close();
    await api?.close();
    host.close();
  });

  const sum = () => page.locator('#sum').textContent();
  const saved = () => page.locator('#status', { hasText: 'Saved' }).waitFor();

  test('shows the cart with its totals, and the token is no longer in the address', async () => {
    assert.equal(await sum(), '€460.90');
    assert.deepEqual(await page.locator('.price strong').allTextContents(), ['€259.00', '€24.90', '€177.00']);
    assert.match((await page.locator('.facts').first().textContent()) ?? '', /Natural oak · Solid · OAK-1/);
    assert.match((await page.locator('#address').textContent()) ?? '', /Hauptplatz 1/);
    assert.equal(page.url(), `${origin}/shop.html`);
  });

  test('shows the images that were uploaded for a sku, and a letter where there is none', async () => {
    await page.waitForFunction('document.querySelectorAll(".picture img").length === 2');
    await page.waitForFunction('[...document.images].every((image) => image.complete && image.naturalWidth > 0)');
    assert.equal(await page.locator('.picture span').count(), 1);
  });

  test('a stored text is never read as markup', async () => {
    assert.equal(await page.locator('.item h2').nth(2).textContent(), '<b>Wool</b> blanket');
    assert.equal(await page.locator('.item b').count(), 0);
  });

  test('one more of a product is written through E14, and what else is in the document stays', async () => {
    await page.getByRole('button', { name: 'One more of Oak chair' }).click();
    await saved();
    assert.equal(await sum(), '€590.40');
    const { json } = await api.call({ path: '/my-shop/resource/namespace-action' });
    assert.deepEqual([json.lineItems[0].count, json.lineItems[0].variant.images], [3, undefined]);
    assert.deepEqual(json.shippingAddress, document.shippingAddress);
  });

  test('two clicks at once are both counted, and a line item is removed by keyboard', async () => {
    await page.getByRole('button', { name: 'One less of Oak chair' }).dblclick();
    await page.locator('#sum', { hasText: '€331.40' }).waitFor();
    await page.getByRole('button', { name: 'One more of Oak chair' }).click();
    await page.locator('#sum', { hasText: '€460.90' }).waitFor();
    await page.getByRole('button', { name: 'Remove <b>Wool</b> blanket' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('#sum', { hasText: '€283.90' }).waitFor();
    assert.equal(await page.locator('.item').count(), 2);
  });

  test('an amount beyond the integers of a browser is shown and written back digit by digit', async () => {
    const large = '{"lineItems":[{"name":"Castle","price":{"centAmount":9007199254740993,"currencyCode":"EUR"}}]}';
    const path = '/my-castles/resource/namespace-action';
    const headers = { 'content-type': 'application/json' };
    await api.call({ method: 'POST', path, headers, body: Buffer.from(large) });
    const castles = await browser.newPage({ locale: 'en-IE' });
    castles.on('pageerror', (error) => complaints.push(error.message));
    const token = await api.token('manage_test:my-castles');
    await castles.goto(`${origin}/shop.html#base=${encodeURIComponent(base)}&project=my-castles&token=${token}`);
    await castles.locator('#sum', { hasText: '€90,071,992,547,409.93' }).waitFor();
    await castles.getByRole('button', { name: 'One more of Castle' }).click();
    await castles.locator('#sum', { hasText: '€180,143,985,094,819.86' }).waitFor();
    assert.match((await api.call({ path })).text, /"centAmount":9007199254740993,/);
    await castles.close();
  });

  test('words too long for a phone are broken, and a line item without a name is shown as one', async () => {
    const lineItems = [{ name: 'x'.repeat(90), price: euros(1) }, { price: euros(123_456_789_012) }];
    await api.call({ method: 'POST', path: '/my-words/resource/namespace-action', body: { lineItems } });
    const phone = await browser.newPage({ viewport: { width: 390, height: 800 } });
    const token = await api.token('manage_test:my-words');
    await phone.goto(`${origin}/shop.html#base=${encodeURIComponent(base)}&project=my-words&token=${token}`);
    await phone.getByText('Unnamed product').waitFor();
    assert.ok(Number(await phone.evaluate('document.documentElement.scrollWidth')) <= 390);
    await phone.close();
  });

  test('no script complained, and nothing was asked of another host', () => {
    assert.deepEqual(complaints, []);
  });

  test('without an address the page asks for it; a token that is refused is told', async () => {
    const fresh = await browser.newPage();
    await fresh.goto(`${origin}/shop.html`);
    await fresh.getByLabel('Address of the service').fill(base);
    await fresh.getByLabel('Project').fill('my-shop');
    await fresh.getByLabel('Access token').fill('wrong');
    await fresh.getByRole('button', { name: 'Show the cart' }).click();
    await fresh.locator('#status.wrong').waitFor();
    assert.match((await fresh.locator('#status').textContent()) ?? '', /token/);
    await fresh.getByLabel('Access token').fill(await api.token('view_test:my-shop'));
    await fresh.getByRole('button', { name: 'Show the cart' }).click();
    await fresh.locator('#sum', { hasText: '€283.90' }).waitFor();
    await fresh.getByRole('button', { name: 'One more of Oak chair' }).click();
    await fresh.locator('#status.wrong').waitFor();
    await fresh.close();
  });
});
