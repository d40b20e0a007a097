import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { noLog } from '../../src/telemetry/log.ts';
import { png } from '../images/pictures.ts';
import { until } from '../until.ts';
import { type Receiver, startReceiver, status } from '../webhooks/receiver.ts';
import { assertSeen, findings, goWithin, skip, startTestConsole, type TestConsole } from './test-console.ts';

if (skip) process.stdout.write(`events and images of the console in a browser: skipped, ${skip}\n`);

/** Two attempts, then an event is a dead letter. */
const deliveryTiming = { retryDelaysMs: [0, 20], saveMs: 50, pollMs: 50 };

describe('events and images of the console in a browser', { skip }, () => {
  let console: TestConsole;
  let page: Page;
  const room = (project: string, rest = 'events') => `${console.address}/console/${project}/${rest}`;
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await console.api.call({ method, path, ...(body !== undefined && { body }) });
    assert.ok(response.status < 300, `${method} ${path}: ${response.text}`);
    return response.json;
  };
  const write = (project: string, key: string, fields: object = {}) =>
    call('PUT', `/${project}/resource`, { key, ...fields });
  const subscribe = (project: string, receiver: Receiver, draft: object = {}) =>
    call('POST', `/${project}/subscriptions`, { url: receiver.url, ...draft });
  const rowsWith = (text: string): Locator => page.locator('.events tbody tr', { hasText: text });
  const letters = async (project: string, id: string): Promise<readonly { id: string }[]> =>
    (await call('GET', `/${project}/subscriptions/${id}/dead-letters`)).results;

  before(async () => {
    console = await startTestConsole({ WEBHOOK_ADDRESSES: '127.0.0.1' }, noLog, { deliveryTiming });
    page = await console.openTab('/console/begin/resources');
  });
  after(async () => {
    await console?.[Symbol.asyncDispose]();
  });

  test('no change is lost or shown twice, whether it comes before the page, after it, or before the stream', async () => {
    await write('live', 'first');
    const [pages, stream] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    // The stream begins only after the page was read: what is written in between is in neither of them.
    await page.route('**/live/events?after=latest*', async (route) => {
      await stream.promise;
      await route.continue();
    });
    await page.goto(room('live'));
    await rowsWith('first').waitFor();
    await write('live', 'between');
    stream.resolve();
    await page.getByText('Live', { exact: true }).waitFor();
    await rowsWith('between').waitFor();
    // The page is read before a change and arrives after it.
    await page.route('**/live/events?tail=*', async (route) => {
      const response = await route.fetch();
      await pages.promise;
      await route.fulfill({ response });
    });
    await page.getByLabel('Type').selectOption('created');
    await write('live', 'early');
    await rowsWith('early').waitFor();
    pages.resolve();
    await rowsWith('first').waitFor();
    for (const key of ['first', 'between', 'early']) assert.equal(await rowsWith(key).count(), 1, key);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  test('type, resource and author narrow the feed, in the address and live', async () => {
    await page.goto(room('filtered'));
    await page.getByText('Nothing has changed yet.').waitFor();
    const { id, version } = await write('filtered', 'one');
    await write('filtered', 'two');
    await rowsWith('two').waitFor();
    await page.getByLabel('Resource').fill('one');
    // A change that arrives meanwhile takes away nothing that is being typed.
    await write('filtered', 'three');
    await rowsWith('three').waitFor();
    await page.getByRole('button', { name: 'Apply' }).click();
    await rowsWith('two').waitFor({ state: 'detached' });
    const actions = [{ action: 'setField', path: 'color', value: 'red' }];
    await call('POST', `/filtered/resource/${id}`, { version, actions });
    await rowsWith('updated').getByText('color').waitFor();
    assert.equal(await page.locator('.events tbody tr').count(), 2);
    await page.getByLabel('Type').selectOption('updated');
    await rowsWith('created').waitFor({ state: 'detached' });
    const asked = new URL(page.url()).searchParams;
    assert.deepEqual([asked.get('resource'), asked.get('type')], ['one', 'updated']);
    await page.reload();
    await rowsWith('updated').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await rowsWith('two').getByRole('button', { name: 'Administrator' }).click();
    await page.waitForURL('**/filtered/events?actor=test-admin');
    await rowsWith('two').waitFor();
    // An API client is shown by its name.
    const { json: made } = await console.api.call({
      ...{ method: 'POST', path: '/filtered/api-clients', scope: 'manage_api_clients:filtered' },
      body: { name: 'Nightly sync', scopes: ['manage_test:filtered'] },
    });
    const authorization = `Basic ${Buffer.from(`${made.id}:${made.secret}`).toString('base64')}`;
    const token = await console.api.call({
      ...{ method: 'POST', path: '/oauth/token?grant_type=client_credentials', headers: { authorization } },
      scope: 'none',
    });
    const { status } = await console.api.call({
      ...{ method: 'PUT', path: '/filtered/resource', body: { key: 'four' } },
      ...{ headers: { authorization: `Bearer ${token.json.access_token}` }, scope: 'none' },
    });
    assert.equal(status, 201);
    await page.goto(room('filtered'));
    await rowsWith('four').getByRole('button', { name: 'Nightly sync' }).click();
    await page.waitForURL(`**/filtered/events?actor=${made.id}`);
    await page.goto(room('filtered', 'events?actor=nobody'));
    await page.getByText('No change matches these filters.').waitFor();
  });

  test('a subscription is made, tested, edited, paused and resumed; its secret is changed with an overlap', async () => {
    const receiver = await startReceiver();
    await page.goto(room('told'));
    await page.getByText('There are no subscriptions yet.').waitFor();
    await page.getByRole('button', { name: 'New subscription' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Address').fill(receiver.url);
    await dialog.getByLabel('Only resources that match').fill('type == "product"');
    await dialog.getByRole('button', { name: 'New subscription' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('Only resources that match').fill('type = "product"');
    await dialog.getByRole('button', { name: 'New subscription' }).click();
    const secret = (await dialog.locator('code', { hasText: 'whsec_' }).textContent()) ?? '';
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('link', { name: receiver.url }).click();
    await page.getByText('Everything has been delivered.').waitFor();

    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.locator('.deliveries tr', { hasText: 'test' }).getByText('HTTP 204').waitFor();
    const [sent] = receiver.received;
    new Webhook(secret).verify(sent!.body, sent!.headers);

    await page.getByRole('button', { name: 'Edit' }).click();
    await dialog.getByLabel('created').check();
    await dialog.getByLabel('Only resources that match').fill('');
    await dialog.getByLabel('Key').fill('index');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('index · created · All resources').waitFor();
    const [found] = (await call('GET', '/told/subscriptions')).results;
    assert.deepEqual([found.types, found.where, found.key, found.version], [['created'], undefined, 'index', 2]);

    await page.getByRole('button', { name: 'Change the secret' }).click();
    await dialog.getByLabel('Keep signing with the old secret for').selectOption('an hour');
    await dialog.getByRole('button', { name: 'Change the secret' }).click();
    const changed = (await dialog.locator('code', { hasText: 'whsec_' }).textContent()) ?? '';
    assert.notEqual(changed, secret);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByText(/^Signed with 2 secrets, the old one until /).waitFor();
    await write('told', 'signed');
    await until(() => receiver.received.length >= 2);
    const { body, headers } = receiver.received[1]!;
    for (const one of [secret, changed]) new Webhook(one).verify(body, headers);

    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Deliveries are paused. They resume where they stopped.').waitFor();
    await write('told', 'later');
    await page.getByRole('button', { name: 'Resume' }).click();
    await until(() => receiver.received.length >= 3);
    await page.locator('.deliveries tbody tr').nth(2).waitFor();
    await page.getByText('Everything has been delivered.').waitFor();

    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('There are no subscriptions yet.').waitFor();
  });

  test('dead letters are read, replayed one by one or all, and deleted', async () => {
    const receiver = await startReceiver();
    receiver.answer(status(500));
    const { id } = await subscribe('dead', receiver);
    for (const key of ['a', 'b', 'c', 'd']) await write('dead', key);
    await until(async () => (await letters('dead', id)).length === 4);
    await page.goto(room('dead', `events/${id}`));
    await page.getByText('receiver down').waitFor();
    assert.match((await page.locator('.deliveries').textContent()) ?? '', /created.*2HTTP 500.*created.*1HTTP 500/s);
    await page.getByRole('tab', { name: 'Dead letters' }).click();
    const rows = page.locator('.letters tbody tr');
    await rows.nth(3).waitFor();
    assert.match((await rows.first().textContent()) ?? '', /created.*2HTTP 500/s);
    await rows.first().getByRole('button', { name: 'Read' }).click();
    const payload = JSON.parse((await page.locator('.payload').textContent()) ?? '');
    assert.deepEqual([payload.type, payload.resource.key], ['created', 'a']);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();

    await rows.first().getByRole('button', { name: 'Replay' }).click();
    await page.getByText('Not delivered: HTTP 500').waitFor();
    await page.getByRole('button', { name: 'Dismiss the notice' }).click();
    assert.equal(await rows.count(), 4);
    receiver.answer(status(204));
    await rows.first().getByRole('button', { name: 'Replay' }).click();
    await rows.nth(3).waitFor({ state: 'detached' });
    await rows.first().getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await rows.nth(2).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Replay all' }).click();
    await page.getByText('No dead letters').waitFor();
    assert.deepEqual(await letters('dead', id), []);
    const keys = receiver.received.slice(-3).map(({ event }) => event.resource.key);
    assert.deepEqual(keys, ['a', 'c', 'd'], 'what was deleted is never sent');
  });

  test('images are put into order, sent with progress, published, and discarded', async () => {
    const [buffer, mimeType] = [await png(300, 200), 'image/png'];
    await page.goto(room('pictures', 'images'));
    await page.getByText('No product variant has images yet.').waitFor();
    await page.getByLabel('SKU of the variant').fill('oak-1');
    const files = ['one.png', 'two.png', 'three.png'].map((name) => ({ name, mimeType, buffer }));
    const input = page.locator('input[type=file]');
    await input.setInputFiles([...files, { name: 'notes.txt', mimeType: 'text/plain', buffer }]);
    await page.getByText('notes.txt: is not a JPEG, PNG or GIF').waitFor();
    // By keyboard, then by dragging.
    await page.getByRole('button', { name: 'Send two.png earlier' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('.upload', { hasText: 'three.png' }).dragTo(page.locator('.upload', { hasText: 'two.png' }));
    const send = page.getByRole('button', { name: 'Send 3 images' });
    const names = async () => (await page.locator('.upload').allTextContents()).map((text) => text.split('.')[0]);
    await until(async () => (await names()).join() === 'three,two,one,notes', names);
    await send.click();
    const variant = page.locator('.variants > li', { hasText: 'oak-1' });
    await variant.getByText('3 images').waitFor();
    await page.getByRole('button', { name: 'Clear the list' }).click();
    const stored = (await call('GET', '/pictures/resource/images?sku=oak-1&staged=true')).results[0];
    assert.deepEqual(
      stored.images.map((url: string) => /\/images\/(\w+)-/.exec(url)?.[1]),
      ['three', 'two', 'one'],
    );
    await variant.locator('.thumb').first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('300 × 200').first().waitFor();
    assert.match((await dialog.getByRole('row', { name: 'small' }).textContent()) ?? '', /150 × 100/);
    await dialog.getByRole('button', { name: 'Close' }).click();

    await variant.getByRole('button', { name: 'Publish' }).click();
    await variant.getByText('staged', { exact: true }).waitFor({ state: 'detached' });
    // A single file is sent at once; what a service refuses is told with the reason.
    await input.setInputFiles({ name: 'broken.png', mimeType, buffer: Buffer.from('no image') });
    await page.getByRole('alert').waitFor();
    assert.match((await page.getByRole('alert').textContent()) ?? '', /^broken\.png: /);
    await input.setInputFiles({ name: 'four.png', mimeType, buffer });
    await variant.getByText('4 images').waitFor();
    await page.getByLabel('Show').selectOption('What readers see');
    await variant.getByText('3 images').waitFor();
    await page.getByLabel('Show').selectOption('What is staged');
    await variant.getByText('4 images').waitFor();
    await variant.getByRole('button', { name: 'Discard staged changes' }).click();
    await dialog.getByRole('button', { name: 'Discard staged changes' }).click();
    await variant.getByText('3 images').waitFor();

    // By keyboard, where the focus goes with the picture, then by dragging; only what is staged changes.
    const order = async (staged: boolean) => {
      const { results } = await call('GET', `/pictures/resource/images?sku=oak-1&staged=${staged}`);
      const urls: readonly string[] = results[0].images;
      return urls.map((url) => /\/images\/(\w+)-/.exec(url)?.[1]).join();
    };
    const isOrder = (expected: string, staged = true) =>
      until(
        async () => (await order(staged)) === expected,
        () => expected,
      );
    await variant.getByRole('button', { name: 'Move oak-1 1 later' }).focus();
    // Pressed again as soon as it has moved.
    await page.evaluate(`new MutationObserver((_, observer) => {
      const pressed = document.activeElement;
      if (pressed?.getAttribute('aria-label') !== 'Move oak-1 2 later') return;
      observer.disconnect();
      setTimeout(() => pressed.click());
    }).observe(document.querySelector('.variants'), { subtree: true, childList: true, attributes: true })`);
    await page.keyboard.press('Enter');
    await isOrder('two,one,three');
    await page.locator('[aria-label="Move oak-1 3 earlier"]:focus').waitFor();
    const items = variant.locator('.thumbs > li');
    await items.nth(2).dragTo(items.nth(0));
    await isOrder('three,two,one');
    await variant.getByText('staged', { exact: true }).waitFor({ state: 'detached' });
    await variant.locator('.thumb').nth(1).click();
    await dialog.getByLabel('What it shows').fill('An oak in autumn');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await variant.getByRole('img', { name: 'An oak in autumn', includeHidden: true }).waitFor();
    await variant.locator('.thumb').nth(0).click();
    assert.deepEqual(await findings(page), []);
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await dialog.getByText('discarding what is staged brings it back').waitFor();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await variant.getByText('2 images').waitFor();
    assert.deepEqual([await order(true), await order(false)], ['two,one', 'three,two,one']);
    await page.getByLabel('Show').selectOption('What readers see');
    await variant.getByText('3 images').waitFor();
    await page.getByText('Readers see changes at once').waitFor();
    await variant.getByRole('button', { name: 'Move oak-1 3 earlier' }).click();
    await isOrder('three,one,two', false);
    await isOrder('two,one');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByLabel('Show').selectOption('What is staged');
    const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    assert.ok((wide as number) <= 0, `${wide} pixels too wide`);
    assert.deepEqual(await findings(page), []);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(room('pictures', 'images?sku=none'));
    await page.getByText('No variant has this SKU.').waitFor();
  });

  test('images are dropped anywhere on their field, and one that is on its way is cancelled', async () => {
    await page.goto(room('dropped', 'images'));
    await page.getByText('No product variant has images yet.').waitFor();
    const held = Promise.withResolvers<void>();
    await page.route('**/dropped/resource/images?filename=*', async (route) => {
      await held.promise;
      await route.continue().catch(() => undefined);
    });
    const bytes = [...(await png(20, 20))].join();
    // As a text: this file knows no types of browsers.
    const data = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([new Uint8Array([${bytes}])], 'dropped.png', { type: 'image/png' }));
      return transfer;
    })()`);
    const field = page.getByRole('group', { name: 'Upload images' });
    await field.dispatchEvent('drop', { dataTransfer: data });
    await page.getByRole('button', { name: 'Cancel dropped.png' }).click();
    await page.getByText('cancelled').waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    held.resolve();
    await page.getByRole('button', { name: 'Send dropped.png again' }).click();
    await page.locator('.thumb img').waitFor();
    await page.getByText('1 image', { exact: true }).waitFor();
  });

  test('axe finds nothing in light and dark colours, on a phone and a desktop, and nothing is wider than the screen', async () => {
    const project = 'seen';
    const receiver = await startReceiver();
    receiver.answer(status(500));
    const { id } = await subscribe(project, receiver, { where: 'a = 1', key: 'seen' });
    await write(project, 'seen', { a: 1 });
    await until(async () => (await letters(project, id)).length === 1);
    const body = await png(300, 200);
    const headers = { 'content-type': 'image/png' };
    await console.api.call({ method: 'POST', path: `/${project}/resource/images?sku=a`, headers, body });
    const own = await console.openTab(`/console/${project}/events`);
    await own.setViewportSize({ width: 390, height: 844 });
    const goOn = (rest: string) => goWithin(own, `/console/${project}/${rest}`);
    await own.locator('.cards .state').waitFor();
    await assertSeen(own, 'events');
    await own.getByRole('button', { name: 'New subscription' }).click();
    await assertSeen(own, 'new subscription');
    await own.keyboard.press('Escape');
    await goOn(`events/${id}`);
    await own.locator('.deliveries').waitFor();
    await assertSeen(own, 'deliveries');
    await goOn(`events/${id}?tab=letters`);
    await own.locator('.letters').waitFor();
    await assertSeen(own, 'dead letters');
    await goOn('images');
    await own.locator('.thumb img').waitFor();
    await own
      .locator('input[type=file]')
      .setInputFiles(['one.png', 'two.png'].map((name) => ({ name, mimeType: 'image/png', buffer: body })));
    await own.locator('.upload').nth(1).waitFor();
    await assertSeen(own, 'images');
    await own.locator('.thumb').first().click();
    await assertSeen(own, 'details of an image');
    await own.close();
  });

  test('nothing was asked of another host, and no script complained', () => {
    const { complaints, elsewhere } = console;
    assert.deepEqual({ complaints, elsewhere }, { complaints: [], elsewhere: [] });
  });
});
