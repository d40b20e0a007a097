import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Browser, chromium, type Page } from 'playwright-core';
import { findChromium } from '../optional-tools.ts';
import { startTestApi, type TestApi } from '../start-test-api.ts';

/** Debian's browser; the package brings none of its own. */
const executablePath = findChromium();
const skip = executablePath === undefined ? 'there is no chromium here' : false;
if (skip) process.stdout.write(`the documentation page in a browser: skipped, ${skip}\n`);

const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'];
const quiet = ['--disable-background-networking', '--disable-component-update'];

describe('/docs in a browser', { skip }, () => {
  let api: TestApi;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];
  const elsewhere: string[] = [];

  before(async () => {
    api = await startTestApi();
    const address = await api.listen();
    browser = await chromium.launch({ executablePath: executablePath ?? '', args: [...args, ...quiet] });
    page = await browser.newPage();
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      if (!request.url().startsWith(address)) elsewhere.push(request.url());
    });
    await page.goto(`${address}/docs`);
    await page.locator('#operations details').first().waitFor();
  });
  after(async () => {
    await browser?.close();
    await api?.close();
  });

  test('shows every endpoint of the service, without a complaint and without asking another host', async () => {
    const shown = await page.locator('#operations details').count();
    assert.equal(shown, api.app.routes.filter(({ undocumented }) => !undocumented).length);
    assert.deepEqual({ complaints, elsewhere }, { complaints: [], elsewhere: [] });
  });

  test('an endpoint opens by keyboard and shows scopes, parameters, errors and a curl line', async () => {
    const operation = page.locator('#operations details', { hasText: 'Update a resource by its id' }).first();
    await operation.locator('summary').focus();
    await page.keyboard.press('Enter');
    await operation.locator('.body').waitFor();
    const text = (await operation.textContent()) ?? '';
    for (const part of ['manage_test', 'If-Match', 'ConcurrentModification', 'curl', 'array of ResourceUpdateAction'])
      assert.ok(text.includes(part), part);
  });

  test('the search leaves the endpoints that it finds', async () => {
    await page.locator('#search').fill('introspect');
    const left = page.locator('#operations details:visible');
    await page.locator('#operations details').first().waitFor({ state: 'hidden' });
    const names = await left.locator('summary').allTextContents();
    assert.ok(names.length >= 1 && names.length < 6, names.join(' | '));
    assert.ok(
      names.some((name) => name.includes('/oauth/introspect')),
      names.join(' | '),
    );
    await page.locator('#search').fill('');
  });
});
