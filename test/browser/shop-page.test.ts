import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { startTestApi, type TestApi } from '../start-test-api.ts';
import { until } from '../until.ts';
import { closeBrowser, openBrowser, skip } from './open-browser.ts';

if (skip) process.stdout.write(`the shop page in a browser: skipped, ${skip}\n`);

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
    browser = await openBrowser();
    page = await browser.newPage({ locale: 'en-IE', viewport: { width: 1200, height: 800 } });
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    const token = await api.token('manage_test:my-shop');
    await page.goto(`${origin}/shop.html#base=${encodeURIComponent(base)}&project=my-shop&token=${token}`);
    await page.locator('.item').nth(2).waitFor();
  });
  after(async () => {
    await closeBrowser();
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
    await until(() => page.evaluate<boolean>('document.querySelectorAll(".picture img").length === 2'));
    await until(() =>
      page.evaluate<boolean>('[...document.images].every((image) => image.complete && image.naturalWidth > 0)'),
    );
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

  test('the keyboard focus stays where it was after a change, and goes on where an item is gone', async () => {
    const own = await openCart('my-focus', [item('A'), item('B')]);
    const label = () => own.evaluate('document.activeElement.ariaLabel ?? document.activeElement.id');
    await own.getByRole('button', { name: 'One more of B' }).focus();
    await own.keyboard.press('Enter');
    await own.locator('output', { hasText: '2' }).waitFor();
    assert.equal(await label(), 'One more of B');
    await own.getByRole('button', { name: 'Remove A' }).focus();
    await own.keyboard.press('Enter');
    await own.getByRole('button', { name: 'Remove A' }).waitFor({ state: 'detached' });
    assert.equal(await label(), 'Remove B');
    await own.keyboard.press('Enter');
    await own.locator('.empty').waitFor();
    assert.equal(await label(), 'title');
    await own.close();
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

  const path = (project: string) => `/${project}/resource/namespace-action`;

  /** A page on a cart of its own. */
  async function openCart(project: string, lineItems: unknown): Promise<Page> {
    await write(project, lineItems);
    const own = await browser.newPage({ locale: 'en-IE', viewport: { width: 1200, height: 800 } });
    own.on('pageerror', (error) => complaints.push(error.message));
    const token = await api.token(`manage_test:${project}`);
    await own.goto(`${origin}/shop.html#base=${encodeURIComponent(base)}&project=${project}&token=${token}`);
    await own.locator('.item').first().waitFor();
    return own;
  }

  async function write(project: string, lineItems: unknown): Promise<void> {
    const { status, text } = await api.call({ method: 'POST', path: path(project), body: { lineItems } });
    assert.equal(status, 200, text);
  }

  /** What is in the cart of a project: names and counts. */
  async function stored(project: string): Promise<string> {
    const { lineItems } = (await api.call({ path: path(project) })).json;
    return lineItems.map(({ name, count }: { name: string; count?: number }) => `${name} ${count}`).join(', ');
  }

  const item = (name: string, count = 1) => ({ name, count, price: euros(100), variant: { sku: `sku-${name}` } });
  const settled = (of: Page) => of.locator('#status', { hasText: /Saved|Nothing was changed/ }).waitFor();

  test('a double click on Remove removes one line item, even where the next one has moved up in between', async () => {
    const quick = await openCart('my-double', [item('A'), item('B'), item('C')]);
    await quick.getByRole('button', { name: 'Remove A' }).dblclick();
    await quick.getByRole('button', { name: 'Remove A' }).waitFor({ state: 'detached' });
    await settled(quick);
    assert.equal(await stored('my-double'), 'B 1, C 1');
    const box = await quick.getByRole('button', { name: 'Remove B' }).boundingBox();
    await quick.mouse.move(box!.x + box!.width / 2, box!.y + box!.height / 2);
    await quick.mouse.down({ clickCount: 1 });
    await quick.mouse.up({ clickCount: 1 });
    await quick.getByRole('button', { name: 'Remove B' }).waitFor({ state: 'detached' });
    await settled(quick);
    await quick.mouse.down({ clickCount: 2 });
    await quick.mouse.up({ clickCount: 2 });
    // A change that is made for certain is behind any that the second click made.
    await quick.getByRole('button', { name: 'One more of C' }).click();
    await quick.locator('.item output', { hasText: '2' }).waitFor();
    assert.equal(await stored('my-double'), 'C 2');
    await quick.close();
  });

  test('on a page that is stale, a click changes the item it is on, wherever it is, or none', async () => {
    const stale = await openCart('my-stale', [item('A'), item('B'), item('C'), item('D')]);
    await write('my-stale', [item('D'), item('C'), item('B')]);
    await stale.getByRole('button', { name: 'Remove B' }).click();
    await settled(stale);
    assert.equal(await stored('my-stale'), 'D 1, C 1');
    await write('my-stale', [item('X'), item('D')]);
    await stale.getByRole('button', { name: 'One more of C' }).click();
    await stale.locator('#status.wrong', { hasText: 'Nothing was changed' }).waitFor();
    assert.equal(await stored('my-stale'), 'X 1, D 1');
    assert.deepEqual(await stale.locator('.item h2').allTextContents(), ['X', 'D']);
    await stale.close();
  });

  test('of line items of one name the right one is removed: by its id, else by its position, or none', async () => {
    const twins = [
      { ...item('A', 1), lineItemId: 'one' },
      { ...item('A', 2), lineItemId: 'two' },
    ];
    const named = await openCart('my-twins', twins);
    await write('my-twins', twins.slice(1));
    await named.getByRole('button', { name: 'Remove A' }).first().click();
    await settled(named);
    assert.equal(await stored('my-twins'), 'A 2');
    await named.close();
    const placed = await openCart('my-twins', [item('A', 1), item('A', 2), item('A', 3)]);
    await placed.getByRole('button', { name: 'Remove A' }).nth(1).click();
    await settled(placed);
    assert.equal(await stored('my-twins'), 'A 1, A 3');
    await write('my-twins', [item('A', 3)]);
    await placed.getByRole('button', { name: 'Remove A' }).first().click();
    await placed.locator('#status.wrong').waitFor();
    assert.equal(await stored('my-twins'), 'A 3');
    await placed.close();
  });

  test('a change leaves other line items as they are, those whose count is 0 as well', async () => {
    const nought = await openCart('my-nought', [item('A'), item('Nought', 0), item('B', 2)]);
    await nought.getByRole('button', { name: 'One less of A' }).click();
    await settled(nought);
    assert.equal(await stored('my-nought'), 'Nought 0, B 2');
    await nought.close();
  });

  test('a count beyond the integers of a browser is never rounded: it can be removed only', async () => {
    const large =
      '{"lineItems":[{"name":"Sand","count":9007199254740993,"price":{"centAmount":1,"currencyCode":"EUR"}}]}';
    const sand = await openCart('my-sand', [{ ...item('Sand', 1), variant: {} }, item('B')]);
    const headers = { 'content-type': 'application/json' };
    await api.call({ method: 'POST', path: path('my-sand'), headers, body: Buffer.from(large) });
    await sand.getByRole('button', { name: 'One more of Sand' }).click();
    await sand.locator('#status.wrong').waitFor();
    assert.match((await api.call({ path: path('my-sand') })).text, /"count":9007199254740993,/);
    const token = await api.token('manage_test:my-sand');
    await sand.goto('about:blank');
    await sand.goto(`${origin}/shop.html#base=${encodeURIComponent(base)}&project=my-sand&token=${token}`);
    await sand.locator('#pieces', { hasText: '9007199254740993' }).waitFor();
    assert.equal(await sand.getByRole('button', { name: 'One more of Sand' }).isDisabled(), true);
    assert.equal(await sand.getByRole('button', { name: 'One less of Sand' }).isDisabled(), true);
    await sand.getByRole('button', { name: 'Remove Sand' }).click();
    await settled(sand);
    assert.equal(await stored('my-sand'), '');
    await sand.close();
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

  test('a product of the shop is put into the cart', async () => {
    const body = { key: 'stool', name: { en: 'Ash stool' }, price: euros(4_500), variant: { sku: 'ASH-1' } };
    assert.equal((await api.call({ method: 'POST', path: '/my-more/resource', body })).status, 201);
    const own = await openCart('my-more', [item('A')]);
    await own.getByText('Ash stool, €45.00').waitFor();
    await own.getByRole('button', { name: 'Add Ash stool to the cart' }).click();
    await own.locator('.item h2', { hasText: 'Ash stool' }).waitFor();
    await own.close();
  });

  test('no script complained, and nothing was asked of another host', () => {
    assert.deepEqual(complaints, []);
  });

  test('without an address the page asks for it; a refused token is reported', async () => {
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
