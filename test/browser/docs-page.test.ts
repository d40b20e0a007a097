import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { startTestApi, type TestApi } from '../start-test-api.ts';
import { closeBrowser, openBrowser, skip } from './open-browser.ts';

if (skip) process.stdout.write(`the documentation page in a browser: skipped, ${skip}\n`);

describe('/docs in a browser', { skip }, () => {
  let api: TestApi;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];
  const elsewhere: string[] = [];

  before(async () => {
    api = await startTestApi();
    const address = await api.listen();
    browser = await openBrowser();
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
    await closeBrowser();
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

  test('a request is sent from the page with a token that it got, after it has said that one is needed', async () => {
    const operation = page.locator('#getProject');
    await operation.locator('summary').first().click();
    await operation.getByText('Try it').click();
    await operation.getByLabel('projectKey').fill('tried');
    await operation.getByRole('button', { name: 'Send' }).click();
    await page.getByText('This request needs a token.').waitFor();
    await page.getByLabel('Client id').fill('test-admin');
    await page.getByLabel('Secret').fill('a secret for tests only');
    await page.getByLabel('Scopes').fill('manage_project:tried');
    await page.getByRole('button', { name: 'Get a token' }).click();
    await page.getByText('Requests are now sent with manage_project:tried.').waitFor({ state: 'attached' });
    await operation.getByRole('button', { name: 'Send' }).click();
    await operation.getByText('200 OK').waitFor();
    assert.match((await operation.locator('.try pre').textContent()) ?? '', /"key": "tried"/);
  });

  test('on a phone the endpoints are behind a button, and nothing is wider than the screen', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const nav = page.locator('#nav');
    await nav.waitFor({ state: 'hidden' });
    await page.locator('#menu > summary').click();
    await nav.getByRole('link', { name: /Describe the project/ }).click();
    await nav.waitFor({ state: 'hidden' });
    await page.locator('#getProject .body').waitFor();
    assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'));
    await page.setViewportSize({ width: 1280, height: 720 });
    await nav.waitFor();
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
