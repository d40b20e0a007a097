import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../until.ts';
import { type OutsideProvider, startOutsideProvider } from './outside-provider.ts';
import { assertSeen, findings, goWithin, skip, startTestConsole, type TestConsole } from './test-console.ts';

if (skip) process.stdout.write(`access to the console in a browser: skipped, ${skip}\n`);

describe('access to the console in a browser', { skip }, () => {
  /** A backend that hangs up on everybody. */
  const failing = createServer((_request, response) => response.destroy());
  const folder = mkdtempSync(join(tmpdir(), 'grs-backends-'));
  let console: TestConsole;
  let provider: OutsideProvider;

  before(async () => {
    const backends = join(folder, 'backends.json');
    failing.listen(0, '127.0.0.1');
    await once(failing, 'listening');
    const url = `http://127.0.0.1:${(failing.address() as AddressInfo).port}/`;
    const remote = { kind: 'http', url, allow: ['127.0.0.1/32'], failuresToOpen: 2, openMs: 600_000 };
    writeFileSync(backends, JSON.stringify({ projects: { remote } }));
    provider = await startOutsideProvider();
    console = await startTestConsole({
      ...{ BACKENDS_FILE: backends, OIDC_ISSUER: provider.issuer, OIDC_AUDIENCE: 'https://api.example.com' },
      ...{ OIDC_SCOPE_CLAIM: 'rights', CONSOLE_OIDC_CLIENT_ID: 'console' },
    });
    provider.register(`${console.address}/console/session/login/callback`);
  });
  after(async () => {
    await console?.[Symbol.asyncDispose]();
    await provider?.[Symbol.asyncDispose]();
    failing.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A page of its own, logged in at a path below /console. */
  async function openAt(path: string): Promise<Page> {
    const page = await console.openPage();
    await console.logIn(page, `/console/${path}`);
    return page;
  }
  const scope = (project: string) => `manage_api_clients:${project}`;
  const createClient = async (project: string, name: string, scopes: readonly string[]) => {
    const path = `/${project}/api-clients`;
    return (await console.api.call({ method: 'POST', path, scope: scope(project), body: { name, scopes } })).json;
  };
  const tokenStatus = async (id: string, secret: string) => {
    const basic = Buffer.from(`${id}:${secret}`).toString('base64');
    const headers = { authorization: `Basic ${basic}` };
    const path = '/oauth/token?grant_type=client_credentials';
    return (await console.api.call({ method: 'POST', path, headers, scope: 'none' })).status;
  };

  test('the palette goes to rooms, resources and projects, and does things, by keys alone', async () => {
    for (const key of ['chair-1', 'chair-2', 'lamp-1']) await console.put({ key }, 'palette');
    await console.put({ key: 'x' }, 'palette-2');
    const page = await openAt('palette/resources');
    await page.getByText('3 of 3').waitFor();
    const field = page.getByRole('combobox', { name: /^Go to a room/ });
    const lines = page.locator('#palette-list');
    const open = async (text: string) => {
      await page.keyboard.press('Control+k');
      await field.waitFor();
      await page.keyboard.type(text);
    };
    const active = () => lines.locator('[role="option"][aria-selected="true"]');
    await open('acc');
    await active().getByText('Access', { exact: true }).waitFor();
    // What is read aloud is the line that is chosen, while the focus stays in the field.
    const activeId = await field.getAttribute('aria-activedescendant');
    assert.equal(await active().getAttribute('id'), activeId);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'API clients' }).waitFor();
    assert.equal(new URL(page.url()).pathname, '/console/palette/access');

    await open('chair-');
    await lines.getByRole('option', { name: 'chair-2' }).waitFor();
    assert.equal(await lines.getByRole('option', { name: 'lamp-1' }).count(), 0);
    await page.keyboard.press('ArrowDown');
    await active().getByText('chair-2').waitFor();
    assert.deepEqual(await findings(page), []);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'chair-2', exact: true }).waitFor();

    await open('no such thing');
    await page.getByText('No matches.').waitFor();
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });

    await open('dark');
    await active().getByText('Dark colours').waitFor();
    await page.keyboard.press('Enter');
    await until(() => page.evaluate<boolean>('document.documentElement.style.colorScheme === "dark"'));
    await page.reload();
    await page.getByRole('heading', { name: 'chair-2', exact: true }).waitFor();
    assert.equal(await page.evaluate('document.documentElement.style.colorScheme'), 'dark');

    await open('palette-2');
    await active().getByText('palette-2').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/console/palette-2/resources');

    await open('import');
    await active().getByText('Import a file').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Import a file' }).waitFor();
    assert.equal(new URL(page.url()).searchParams.get('open'), 'import');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // An address alone writes nothing: it asks.
    await open('sample');
    await page.keyboard.press('Enter');
    const asked = page.getByRole('dialog', { name: 'Load the sample catalogue into this project?' });
    assert.equal((await console.api.call({ path: '/palette-2/resource/sorted-query-parameters' })).json.total, 1);
    await asked.getByRole('button', { name: 'Load the sample catalogue' }).click();
    await page.getByText('16 of 16').waitFor();

    await open('new api');
    await active().getByText('New API client').waitFor();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New API client' });
    await dialog.waitFor();
    // Over a question that is open, the keys do nothing.
    await page.keyboard.press('Control+k');
    assert.equal(await field.count(), 0);
    await page.context().close();
  });

  test('projects are listed with their sizes, found by typing, and begun by their key', async () => {
    await console.put({ key: 'a' }, 'listed-one');
    await console.put({ key: 'b' }, 'listed-two');
    await console.put({ key: 'c' }, 'listed-two');
    const page = await console.openTab('/console/listed-one/resources');
    await page.getByRole('button', { name: 'listed-one', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Open a project' });
    await dialog.getByRole('button', { name: 'listed-two 2 resources' }).waitFor();
    await dialog.getByLabel('Project key').fill('two');
    await dialog.getByRole('button', { name: /listed-one/ }).waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: /listed-two/ }).click();
    await page.waitForURL('**/console/listed-two/resources');
    await page.getByRole('button', { name: 'listed-two', exact: true }).click();
    await dialog.getByLabel('Project key').fill('never-seen-before');
    await dialog.getByText('No project key contains “never-seen-before”.').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('This project has no resources yet.').waitFor();
    await page.close();
  });

  test('an API client with a publishable key is made, and shows its key again', async () => {
    const page = await console.openTab('/console/pages/access?new=true');
    const form = page.getByRole('dialog', { name: 'New API client' });
    await form.getByLabel('Name').fill('Search page');
    await form.getByRole('checkbox', { name: /^For pages in browsers/ }).check();
    assert.equal(await form.getByRole('checkbox', { name: /^manage_test/ }).isVisible(), false);
    await form.getByLabel('Origins of the pages').fill('https://a.example, https://b.example');
    assert.deepEqual(await findings(page), []);
    await form.getByRole('button', { name: 'New API client' }).click();
    const dialog = page.getByRole('dialog', { name: 'The publishable key of “Search page”' });
    await dialog.waitFor();
    const [, key = ''] = await dialog.locator('dd code').allTextContents();
    assert.match(key, /^grs_pub_pages\./);
    await dialog.getByRole('button', { name: 'Close' }).click();
    const row = page.getByRole('row', { name: /Search page/ });
    await row.getByText(key).waitFor();
    await row.getByText('https://a.example https://b.example').waitFor();
    assert.equal(await row.getByRole('button', { name: 'New secret for Search page' }).count(), 0);
    const read = { path: '/pages/resource', headers: { authorization: `Bearer ${key}` }, scope: 'none' } as const;
    assert.equal((await console.api.call(read)).status, 200);
    await page.close();
  });

  test('an API client is made, gets another secret, and is deleted', async () => {
    const page = await console.openTab('/console/clients/access');
    await page.getByText('No program has access to this project yet.').waitFor();
    // Each view has an address, that of the form too.
    await page.goto(`${console.address}/console/clients/access?new=true`);
    const form = page.getByRole('dialog', { name: 'New API client' });
    await form.getByLabel('Name').fill('Night import');
    await form.getByRole('checkbox', { name: /^manage_test/ }).check();
    await form.getByText('Copy as', { exact: true }).click();
    await form.getByRole('button', { name: 'Copy as curl' }).click();
    await page.getByText('Copied as curl').waitFor();
    const command = await page.evaluate<string>('navigator.clipboard.readText()');
    assert.match(command, /^curl -X POST '.*\/clients\/api-clients' .*"name":"Night import".*manage_test/);
    await form.getByRole('button', { name: 'New API client' }).click();
    const secretShown = page.getByRole('dialog', { name: 'The secret of “Night import”' });
    const shown = async () => {
      await secretShown.waitFor();
      return secretShown.locator('dd code').allTextContents();
    };
    const [id = '', first = ''] = await shown();
    await secretShown.getByRole('button', { name: 'Close' }).click();
    const row = page.getByRole('row', { name: /Night import/ });
    await row.getByText('Never', { exact: true }).waitFor();
    await row.getByText('view_test, manage_test').click();
    await row.getByText('Read and write resources, and write through the backend actions.').waitFor();

    assert.equal(await tokenStatus(id, first), 200);
    await page.getByRole('link', { name: 'Events' }).click();
    await page.getByRole('link', { name: 'Access' }).click();
    await row.getByText('Never', { exact: true }).waitFor({ state: 'detached' });

    await row.getByRole('button', { name: 'New secret for Night import' }).click();
    const question = page.getByRole('dialog', { name: 'New secret for Night import' });
    await question.getByLabel('Keep the previous secret valid for').selectOption('1 day');
    await question.getByRole('button', { name: 'New secret' }).click();
    const second = (await shown())[1] ?? '';
    assert.notEqual(second, first);
    await secretShown.getByRole('button', { name: 'Close' }).click();
    await row.getByText(/The previous secret is valid until/).waitFor();
    assert.deepEqual([await tokenStatus(id, first), await tokenStatus(id, second)], [200, 200]);
    await row.getByRole('button', { name: 'New secret for Night import' }).click();
    await question.getByLabel('Keep the previous secret valid for').selectOption('not at all');
    await question.getByRole('button', { name: 'New secret' }).click();
    const third = (await shown())[1] ?? '';
    assert.deepEqual([await tokenStatus(id, second), await tokenStatus(id, third)], [401, 200]);
    await secretShown.getByRole('button', { name: 'Close' }).click();

    // What it called is shown by client, and narrowed.
    const basic = `Basic ${Buffer.from(`${id}:${third}`).toString('base64')}`;
    const token = '/oauth/token?grant_type=client_credentials';
    const asked = await console.api.call({
      method: 'POST',
      path: token,
      headers: { authorization: basic },
      scope: 'none',
    });
    const authorization = `Bearer ${asked.json.access_token}`;
    const headers = { authorization, 'x-external-user-id': 'jane' };
    const missing = await console.api.call({ path: '/clients/resource/key=none', headers, scope: 'none' });
    assert.equal(missing.status, 404);
    await row.getByRole('button', { name: 'Calls of Night import' }).click();
    await page.getByRole('row', { name: /^getResourceByKey Night import jane 404/ }).waitFor();
    assert.deepEqual(await findings(page), []);
    await page.getByLabel('Status').selectOption('Succeeded (2xx)');
    await page.getByText('No call matches.').waitFor();
    await page.locator('.calls select').first().selectOption('All clients');
    await page
      .getByRole('row', { name: /^listApiClients Administrator/ })
      .first()
      .waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    assert.ok((wide as number) <= 0, `${wide} pixels too wide`);
    assert.deepEqual(await findings(page), []);
    await page.setViewportSize({ width: 1440, height: 900 });

    await row.getByRole('button', { name: 'Delete Night import' }).click();
    await page.getByText('This cannot be undone').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('No program has access to this project yet.').waitFor();
    assert.equal(await tokenStatus(id, third), 401);
    await page.close();
  });

  test('the embedded backend shows its cart and document, which is edited with all digits', async () => {
    const project = 'cart';
    const path = `/${project}/resource/namespace-action`;
    const page = await console.openTab(`/console/${project}/backends`);
    await page.getByText('The cart is empty.').waitFor();
    const text =
      '{"lineItems":[{"name":"Lamp","count":1,"price":{"centAmount":9007199254740993,"currencyCode":"EUR"}}]}';
    await console.api.call({ method: 'POST', path, body: text, headers: { 'content-type': 'application/json' } });
    await page.getByRole('button', { name: 'Read again' }).click();
    await page.getByRole('row', { name: /Lamp.*90,071,992,547,409.93 EUR/ }).waitFor();

    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Document' });
    await dialog.locator('.cm-content').waitFor();
    await dialog.locator('.cm-line').first().click();
    await page.keyboard.press('End');
    await page.keyboard.type('\n"note": "by hand",');
    // Somebody else writes meanwhile: nothing is overwritten unseen.
    await console.api.call({ method: 'POST', path, body: { other: true } });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Someone else has changed the document.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Read again' }).click();
    await page.getByText('"other": true').waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    await dialog.locator('.cm-line').first().click();
    await page.keyboard.press('End');
    await page.keyboard.type('\n"note": "by hand",');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.locator('pre', { hasText: '"note": "by hand"' }).waitFor();
    const stored = (await console.api.call({ path })).text;
    assert.match(stored, /"centAmount":9007199254740993/);
    assert.match(stored, /"other":true/);
    await page.close();
  });

  test('a backend that fails shows its calls and its open circuit', async () => {
    for (let at = 0; at < 2; at += 1) {
      assert.ok((await console.api.call({ path: '/remote/resource/namespace-action' })).status >= 500);
    }
    const page = await console.openTab('/console/remote/backends');
    await page.getByText('A server of the operator, called by HTTP').waitFor();
    await page.getByText('Open: the backend failed several times in a row').waitFor();
    // What it keeps is asked for on request only.
    assert.equal(await page.getByRole('heading', { name: 'Document' }).count(), 0);
    await page.getByRole('button', { name: 'Read from the backend' }).click();
    await page.getByRole('alert').waitFor();
    await page.close();
  });

  test('tabs share the login: logging out in one ends the others, and a login goes on in all', async () => {
    const page = await openAt('tabs/access');
    await page.getByText('No program has access to this project yet.').waitFor();
    const other = await page.context().newPage();
    other.setDefaultTimeout(60_000);
    await other.goto(`${console.address}/console/tabs/access?new=true`);
    await other.getByLabel('Name').fill('Half typed');
    await page.getByRole('button', { name: 'Log out' }).click();
    await other.getByText('Your session has expired. Log in to continue').waitFor();
    const dialog = page.getByRole('dialog', { name: 'Log in' });
    await dialog.getByLabel('Client id').fill('test-admin');
    await dialog.getByLabel('Secret').fill('a secret for tests only');
    await dialog.getByRole('button', { name: 'Log in', exact: true }).click();
    await other.getByText('Your session has expired. Log in to continue').waitFor({ state: 'detached' });
    // What was typed is still there, and is sent with the rights of the new login.
    assert.equal(await other.getByLabel('Name').inputValue(), 'Half typed');
    await other.getByRole('dialog').getByRole('button', { name: 'New API client' }).click();
    await other.getByRole('dialog', { name: 'The secret of “Half typed”' }).waitFor();
    await page.context().close();
  });

  /** Names oneself at the provider, and allows the console what it asks for. */
  async function signIn(page: Page, login: string): Promise<void> {
    await page.locator('input[name="login"]').fill(login);
    await page.locator('input[name="password"]').fill('any');
    await page.getByRole('button', { name: 'Sign-in' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
  }
  /** What the pages of the provider ask for is not asked by the console; and it is not to be had. */
  const byProvider = new Set<string>();
  async function openOutside(): Promise<Page> {
    const page = await console.openPage();
    page.on('request', (request) => {
      if (request.frame().url().startsWith(provider.issuer)) byProvider.add(request.url());
    });
    await page.route(
      ({ hostname }) => hostname !== '127.0.0.1',
      (route) => route.abort(),
    );
    return page;
  }
  const toProvider = (page: Page) => page.getByRole('button', { name: /^Log in with 127/ });

  test('people log in by an outside provider, with the rights that it gives, where they were', async () => {
    provider.people.set('alice', { name: 'Alice Example', rights: ['view_test:outside', 'manage_project:outside-2'] });
    await console.put({ key: 'seen' }, 'outside');
    const page = await openOutside();
    await page.goto(`${console.address}/console/outside/resources?where=key%20%3D%20%22seen%22`);
    await toProvider(page).click();
    await signIn(page, 'alice');
    await page.getByText('1 of 1').waitFor();
    const { pathname, searchParams, hash } = new URL(page.url());
    assert.deepEqual([pathname, searchParams.get('where'), hash], ['/console/outside/resources', 'key = "seen"', '']);
    await page.getByText('Alice Example').waitFor();
    // She may look here, and no more; in the other project she may write; a third one is closed to her.
    assert.equal(await page.getByRole('button', { name: 'New resource' }).count(), 0);
    assert.equal(await page.getByRole('link', { name: 'Health' }).count(), 0);
    await page.getByRole('button', { name: 'outside', exact: true }).click();
    await page.getByRole('button', { name: 'outside-2' }).click();
    await page.getByRole('button', { name: 'New resource' }).waitFor();
    await page.goto(`${console.address}/console/clients/resources`);
    await page.getByText('has no scope in this project').waitFor();
    await page.context().close();
  });

  test('a login by the provider that ends meanwhile goes on in a window of its own', async () => {
    provider.people.set('bob', { name: 'Bob', rights: ['manage_project:window', 'manage_api_clients:window'] });
    const page = await openOutside();
    await page.goto(`${console.address}/console/window/access?new=true`);
    await toProvider(page).click();
    await signIn(page, 'bob');
    await page.getByLabel('Name').fill('Half typed');
    await page.context().clearCookies({ name: 'grs-console' });
    await page.route('**/window/api-clients', (route) => route.fulfill({ status: 401, body: '{}' }), { times: 2 });
    await page.getByRole('dialog').getByRole('button', { name: 'New API client' }).click();
    const [popup] = await Promise.all([page.waitForEvent('popup'), toProvider(page).click()]);
    // The provider still knows him: there is nothing to type.
    await page.getByText('Your session has expired. Log in to continue').waitFor({ state: 'detached' });
    if (!popup.isClosed()) await popup.waitForEvent('close');
    assert.equal(await page.getByLabel('Name').inputValue(), 'Half typed');
    await page.getByRole('dialog').getByRole('button', { name: 'New API client' }).click();
    await page.getByRole('dialog', { name: 'The secret of “Half typed”' }).waitFor();
    await page.context().close();
  });

  test('who has no rights, cancels, or brings the answer to another login is told so, and not let in', async () => {
    provider.people.set('mallory', { name: 'Mallory', rights: ['administrator'] });
    const page = await openOutside();
    await page.goto(`${console.address}/console`);
    await toProvider(page).click();
    await signIn(page, 'mallory');
    await page.getByText('gives you no rights in this service').waitFor();
    const other = await openOutside();
    await other.goto(`${console.address}/console`);
    await toProvider(other).click();
    await other.getByRole('link', { name: /Cancel/ }).click();
    await other.getByText('refused the login, or you cancelled').waitFor();
    await other.goto(`${console.address}/console/session/login/callback?code=stolen&state=another`);
    await other.getByText('took too long, or started in another browser').waitFor();
    assert.equal(new URL(other.url()).hash, '');
    await other.getByLabel('Client id').waitFor();
    for (const each of [page, other]) await each.context().close();
  });

  test('axe finds nothing in light and dark colours, on a phone and a desktop, and nothing is wider than the screen', async () => {
    const project = 'axe';
    const made = await createClient(project, 'Shop front', ['view_test', 'manage_test', 'manage_subscriptions']);
    await console.api.call({
      ...{ method: 'POST', path: `/${project}/resource/namespace-action` },
      body: { lineItems: [{ name: 'Lamp', count: 1, price: { centAmount: 1, currencyCode: 'EUR' } }] },
    });
    const page = await console.openPage({ viewport: { width: 390, height: 844 } });
    await page.goto(`${console.address}/console`);
    await toProvider(page).waitFor();
    await assertSeen(page, 'login');
    await console.logIn(page, `/console/${project}/access`);
    await page.getByText(made.id).waitFor();
    await page.locator('.scopes summary').click();
    await assertSeen(page, 'access');
    await page.getByRole('button', { name: 'New secret for Shop front' }).click();
    await assertSeen(page, 'rotation');
    await page.getByRole('dialog').getByRole('button', { name: 'New secret' }).click();
    await page.getByRole('dialog', { name: 'The secret of “Shop front”' }).waitFor();
    await assertSeen(page, 'secret');
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await goWithin(page, `/console/${project}/access?new=true`);
    await page.getByLabel('Name').waitFor();
    await assertSeen(page, 'new client');
    await goWithin(page, `/console/${project}/backends`);
    await page.getByRole('row', { name: /Lamp/ }).waitFor();
    await assertSeen(page, 'backend');
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.locator('.cm-content').waitFor();
    await assertSeen(page, 'document');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: project, exact: true }).click();
    await page.getByRole('dialog').getByText('All projects').waitFor();
    await assertSeen(page, 'projects');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Go to/ }).click();
    await page.getByRole('option').first().waitFor();
    await assertSeen(page, 'palette');
    await page.context().close();
  });

  test('nothing was asked of a host but the provider, and no script of the console complained', () => {
    const elsewhere = console.elsewhere.filter((url) => !url.startsWith(provider.issuer) && !byProvider.has(url));
    // The page of the provider has fields without a hint for password managers.
    const complaints = console.complaints.filter((text) => !text.startsWith('[DOM] Input elements'));
    assert.deepEqual({ complaints, elsewhere }, { complaints: [], elsewhere: [] });
  });
});
