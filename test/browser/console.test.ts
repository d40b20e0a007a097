import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { TestApi } from '../start-test-api.ts';
import { assertSeen, findings, goWithin, skip, startTestConsole, type TestConsole } from './test-console.ts';

if (skip) process.stdout.write(`the console in a browser: skipped, ${skip}\n`);

describe('the console in a browser', { skip }, () => {
  let console: TestConsole;
  let api: TestApi;
  let page: Page;
  let address: string;
  let openPage: TestConsole['openPage'];
  let logIn: TestConsole['logIn'];
  let put: TestConsole['put'];
  const get = async (key: string) => (await api.call({ path: `/shop/resource/key=${key}` })).json;

  const open = async (opened: Page, name: string) => {
    await opened.getByRole('link', { name, exact: true }).click();
    await opened.getByRole('heading', { name, exact: true }).waitFor();
    // The tab stays the one that was chosen last.
    await opened.getByRole('tab', { name: 'Form' }).click();
  };
  const field = (opened: Page, name: string) => opened.locator(`[aria-labelledby="label-${name}"]`);
  const saved = (opened: Page, version: number) =>
    opened.locator('.panel-head').getByText(`version ${version}`, { exact: true }).waitFor();

  before(async () => {
    console = await startTestConsole();
    ({ api, address, openPage, logIn, put } = console);
    // What one test leaves behind when it fails shall not fail those that look at whole pages.
    for (const project of ['shop', 'untouched'])
      for (const [at, name] of ['Oak chair', 'Oak table', 'Cork lamp'].entries()) {
        const material = name.split(' ')[0]!.toLowerCase();
        const of = { name: { en: name, de: `${name} (de)` }, material, stock: at, serial: `n${at}` };
        await put({ key: `item-${at}`, ...of }, project);
      }
    page = await console.openTab('/console/shop/resources');
  });
  after(async () => {
    await console?.[Symbol.asyncDispose]();
  });

  test('a link with a code logs in, leaves the address without it, and works once', async () => {
    const link = `${address}/console#code=${api.app.consoleSessions!.createCode()}`;
    const first = await openPage();
    await first.goto(link);
    await first.getByLabel('Project key').waitFor();
    assert.equal(first.url(), `${address}/console`);
    // The session outlives a reload.
    await first.reload();
    await first.getByLabel('Project key').waitFor();
    await first.context().close();
    const second = await openPage();
    await second.goto(link);
    await second.getByText('The link was used before').waitFor();
    await second.getByLabel('Client id').waitFor();
    await second.context().close();
  });

  test('an empty project teaches how to begin, and takes the sample catalogue', async () => {
    const other = await console.openTab('/console/sample-shop/resources');
    await other.getByText('This project has no resources yet.').waitFor();
    await other.getByRole('button', { name: 'Load the sample catalogue' }).click();
    await other.getByText('15 of 15').waitFor();
    await other.close();
  });

  test('a filter is in the address; one that is wrong is explained with the caret of the API', async () => {
    await page.goto(`${address}/console/shop/resources`);
    await page.getByText('3 of 3').waitFor();
    await page.getByLabel('Filter').fill('material = "oak"');
    await page.keyboard.press('Enter');
    await page.getByText('2 of 2').waitFor();
    assert.equal(new URL(page.url()).searchParams.get('where'), 'material = "oak"');
    await page.getByLabel('Filter').fill('material == "oak"');
    await page.keyboard.press('Enter');
    const problem = page.getByRole('alert');
    await problem.waitFor();
    assert.match((await problem.textContent()) ?? '', /\^/);
    await page.goBack();
    await page.getByText('2 of 2').waitFor();
  });

  test('a column sorts, and columns are chosen and remembered', async () => {
    await page.goto(`${address}/console/shop/resources`);
    await page.getByRole('columnheader', { name: 'stock' }).getByRole('button').click();
    await page.getByRole('columnheader', { name: 'stock' }).getByRole('button').click();
    await page.locator('th[aria-sort="descending"]', { hasText: 'stock' }).waitFor();
    await page.locator('tbody tr:not(.spacer)', { hasText: 'item-2' }).first().waitFor();
    await page.getByRole('button', { name: 'Columns' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('serial').click();
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('columnheader', { name: 'serial' }).waitFor({ state: 'detached' });
    await page.goto(`${address}/console/shop/resources`);
    await page.getByText('3 of 3').waitFor();
    assert.equal(await page.getByRole('columnheader', { name: 'serial' }).count(), 0);
  });

  test('a field is edited in the form with all its digits, another one as JSON, and both are saved', async () => {
    await open(page, 'item-0');
    await field(page, 'stock').fill('9007199254740993');
    await page.getByRole('button', { name: 'Save 1 change' }).waitFor();
    await page.getByRole('tab', { name: 'JSON' }).click();
    await page.locator('.cm-content').waitFor();
    await page.locator('.cm-line', { hasText: '"material"' }).click();
    await page.keyboard.press('End');
    await page.keyboard.type('\n"colour": "red",');
    await page.getByRole('button', { name: 'Save 2 changes' }).click();
    await saved(page, 2);
    const { text } = await api.call({ path: '/shop/resource/key=item-0' });
    assert.match(text, /"stock":9007199254740993[,}]/);
    assert.match(text, /"colour":"red"/);
  });

  test('what is staged is shown beside what readers see, and published', async () => {
    await open(page, 'item-1');
    await field(page, 'material').fill('ash');
    await page.getByRole('button', { name: 'Save as staged' }).click();
    await saved(page, 2);
    assert.equal((await get('item-1')).material, 'oak');
    await page.getByRole('tab', { name: 'Staged' }).click();
    const line = page.locator('.differences tbody tr');
    assert.deepEqual(await line.locator('th, td').allTextContents(), ['material', 'oak', 'ash']);
    await page.getByRole('button', { name: 'Publish' }).click();
    await saved(page, 3);
    assert.equal((await get('item-1')).material, 'ash');
  });

  test('a save over somebody else’s opens a merge: what does not collide is taken from both', async () => {
    await open(page, 'item-2');
    await field(page, 'material').fill('walnut');
    await field(page, 'serial').fill('mine');
    const { id, version } = await get('item-2');
    const theirs = [
      { action: 'setField', path: 'material', value: 'maple' },
      { action: 'setField', path: 'stock', value: 77 },
    ];
    await api.call({ method: 'POST', path: `/shop/resource/${id}`, body: { version, actions: theirs } });
    await page.getByRole('button', { name: 'Save 2 changes' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('item-2 was changed while you edited it').waitFor();
    assert.deepEqual(await findings(page), []);
    const save = dialog.getByRole('button', { name: 'Save as version 3' });
    assert.equal(await save.isDisabled(), true, 'one field is still to decide');
    await dialog.getByRole('radio').first().check();
    await save.click();
    await saved(page, 3);
    const merged = await get('item-2');
    assert.deepEqual([merged.material, merged.stock, merged.serial], ['walnut', 77, 'mine']);
  });

  test('the history shows what each version changed and by whom, and restores one', async () => {
    await open(page, 'item-1');
    await page.getByRole('tab', { name: 'History' }).click();
    const entries = page.locator('.history li');
    await entries.first().waitFor();
    const first = (await entries.first().textContent()) ?? '';
    assert.match(first, /version 3.*published.*by Administrator.*publish.*material.*oak.*ash/s);
    await entries.last().getByRole('button', { name: 'Restore this version' }).click();
    await saved(page, 4);
    assert.equal((await get('item-1')).material, 'oak');
    await page.getByRole('tab', { name: 'Form' }).click();
  });

  test('a change that somebody else makes is told while one looks, and taken up on request', async () => {
    await open(page, 'item-1');
    const { id, version } = await get('item-1');
    const actions = [{ action: 'setField', path: 'material', value: 'birch' }];
    await api.call({ method: 'POST', path: `/shop/resource/${id}`, body: { version, actions } });
    await page.getByText(`Administrator has saved version ${version + 1}.`).waitFor();
    assert.equal(await field(page, 'material').inputValue(), 'oak', 'what is shown does not move by itself');
    // The row of the table does.
    await page.locator('tbody tr', { hasText: 'birch' }).waitFor();
    await page.getByRole('button', { name: 'Load their changes' }).click();
    await saved(page, version + 1);
    assert.equal(await field(page, 'material').inputValue(), 'birch');
  });

  test('events arrive live, and subscriptions are made with a secret that is shown once', async () => {
    // A change that arrives before the page of those before it stays, and is there once.
    const held = Promise.withResolvers<void>();
    await page.route('**/shop/events?*tail=*', async (route) => {
      const response = await route.fetch();
      await held.promise;
      await route.fulfill({ response });
    });
    await page.getByRole('link', { name: 'Events' }).click();
    await page.getByText('Live', { exact: true }).waitFor();
    await put({ key: 'live', name: { en: 'Just now' } });
    await page.locator('.events tr', { hasText: 'live' }).waitFor();
    held.resolve();
    await page.locator('.events tr', { hasText: 'item-0' }).first().waitFor();
    assert.equal(await page.locator('.events tr', { hasText: 'live' }).count(), 1);
    await page.unroute('**/shop/events?*tail=*');
    await page.getByRole('button', { name: 'New subscription' }).click();
    await page.getByLabel('Address').fill('https://receiver.example.com/hook');
    await page.getByRole('dialog').getByLabel('deleted').check();
    await page.getByRole('dialog').getByRole('button', { name: 'New subscription' }).click();
    await page.getByText('The signing secret').waitFor();
    assert.match((await page.locator('dialog .secret code').textContent()) ?? '', /^whsec_/);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('link', { name: 'https://receiver.example.com/hook' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('There are no subscriptions yet.').waitFor();
    await api.call({ method: 'DELETE', path: '/shop/resource/key=live' });
  });

  test('an image is uploaded to a variant, shown small, and published', async () => {
    await page.getByRole('link', { name: 'Images' }).click();
    await page.getByText('No product variant has images yet.').waitFor();
    await page.getByLabel('SKU of the variant').fill('oak-1');
    const buffer = await page.screenshot({ clip: { x: 0, y: 0, width: 300, height: 200 } });
    await page.locator('input[type=file]').setInputFiles({ name: 'front.png', mimeType: 'image/png', buffer });
    const variant = page.locator('.variants > li', { hasText: 'oak-1' });
    await variant.locator('img').waitFor();
    await variant.getByRole('button', { name: 'Publish' }).click();
    await variant.getByText('version 2').waitFor();
    await page.locator('input[type=file]').setInputFiles({
      ...{ name: 'broken.png', mimeType: 'image/png', buffer: Buffer.from('no image') },
    });
    await page.getByRole('alert').waitFor();
    assert.match((await page.getByRole('alert').textContent()) ?? '', /^broken\.png: /);
    await page.goto(`${address}/console/shop/resources`);
    await page.getByRole('link', { name: 'item-0', exact: true }).waitFor();
  });

  test('leaving changes that are not saved is asked about', async () => {
    await open(page, 'item-0');
    await field(page, 'material').fill('unsaved');
    page.once('dialog', (dialog) => dialog.dismiss());
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    assert.equal(await field(page, 'material').inputValue(), 'unsaved');
    page.once('dialog', (dialog) => dialog.accept());
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByRole('tab', { name: 'Form' }).waitFor({ state: 'detached' });
  });

  test('when the session ends meanwhile, a login opens over what is edited, and the save goes on', async () => {
    await open(page, 'item-0');
    await field(page, 'material').fill('after login');
    await page.context().clearCookies();
    await page.route('**/shop/resource/**', (route) => route.fulfill({ status: 401, body: '{}' }), { times: 2 });
    await page.getByRole('button', { name: 'Save 1 change' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Client id').fill('test-admin');
    await dialog.getByLabel('Secret').fill('a secret for tests only');
    await dialog.getByRole('button', { name: 'Log in' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.unroute('**/shop/resource/**');
    await page.getByRole('button', { name: 'Save 1 change' }).click();
    await saved(page, 3);
  });

  test('a resource is created and deleted', async () => {
    await page.getByRole('button', { name: 'New resource' }).click();
    await page.getByRole('textbox', { name: 'Key' }).fill('fresh');
    await page.getByRole('button', { name: '+ Add a field' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('title');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await field(page, 'title').fill('Fresh');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('version 1').waitFor();
    assert.equal((await get('fresh')).title, 'Fresh');
    await page.locator('.panel').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.locator('.panel').waitFor({ state: 'detached' });
    assert.equal((await api.call({ path: '/shop/resource/key=fresh' })).status, 404);
  });

  test('a hostile document is shown as text', async () => {
    const hostile = '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>';
    const many = Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`f${at}`, at]));
    await put({ key: hostile, title: hostile, rtl: 'שלום', [hostile]: { [hostile]: hostile } }, 'hostile');
    await put({ key: 'many', ...many }, 'hostile');
    await put({ key: 'long', text: 'x'.repeat(500_000) }, 'hostile');
    const other = await console.openTab('/console/hostile/resources');
    await other.getByText('3 of 3').waitFor();
    for (const key of [hostile, 'many', 'long']) {
      await other.getByRole('link', { name: key, exact: true }).click();
      await other.getByRole('heading', { name: key }).waitFor();
      await other.getByRole('tab', { name: 'JSON' }).click();
      await other.locator('.cm-content').waitFor();
    }
    assert.notEqual(await other.title(), 'owned');
    await other.close();
  });

  test('searches and facets', async () => {
    await page.goto(`${address}/console/shop/search?text=lamp&facets=material`);
    await page.getByText('1 found').waitFor();
    await page.getByRole('link', { name: 'Cork lamp' }).waitFor();
    await page.locator('.facet', { hasText: 'material' }).waitFor();
  });

  test('axe finds nothing in light and dark colours, on a phone and a desktop, and nothing is wider than the screen', async () => {
    const own = await openPage({ viewport: { width: 390, height: 844 } });
    await own.goto(`${address}/console`);
    await own.getByLabel('Client id').waitFor();
    await assertSeen(own, 'login');
    await logIn(own, '/console/untouched/resources');
    await own.getByText('3 of 3').waitFor();
    await assertSeen(own, 'table');
    await open(own, 'item-0');
    await assertSeen(own, 'form');
    await own.getByRole('tab', { name: 'JSON' }).click();
    await own.locator('.cm-content').waitFor();
    await assertSeen(own, 'JSON');
    await own.getByRole('tab', { name: 'History' }).click();
    await own.locator('.history li').first().waitFor();
    await assertSeen(own, 'history');
    for (const [room, seen] of [
      ['search?text=lamp&facets=material', '.facet'],
      ['images', '.page'],
      ['events', '.events tbody tr'],
    ] as const) {
      await goWithin(own, `/console/untouched/${room}`);
      await own.locator(seen).first().waitFor();
      await assertSeen(own, room);
    }
    await own.context().close();
  });

  test('nothing was asked of another host, and no script complained', () => {
    const { complaints, elsewhere } = console;
    assert.deepEqual({ complaints, elsewhere }, { complaints: [], elsewhere: [] });
  });
});
