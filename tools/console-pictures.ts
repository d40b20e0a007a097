/**
 * `node tools/console-pictures.ts [room …]`: takes the pictures of docs/console.md, one for each room, of the sample
 * catalogue in a service of its own. Needs Chromium. Look at each of them before it is committed.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import sharp from 'sharp';
import { createApp } from '../src/app.ts';
import { parseConfig } from '../src/config/parse.ts';
import { noLog } from '../src/telemetry/log.ts';
import { findChromium } from '../test/optional-tools.ts';

const project = 'living';
const admin = { ADMIN_CLIENT_ID: 'anna', ADMIN_CLIENT_SECRET: 'a secret for pictures only' };
const viewport = { width: 1280, height: 800 };

const folder = mkdtempSync(join(tmpdir(), 'grs-pictures-'));
const settings = { DATA_DIR: folder, PORT: '0', SHED_DELAY_MS: '0', WEBHOOK_ADDRESSES: '127.0.0.1' };
const app = await createApp(parseConfig({ ...settings, ...admin }), { log: noLog });
const address = await app.server.listen();
const receiver = createServer((_request, response) => response.writeHead(204).end()).listen(0, '127.0.0.1');
await once(receiver, 'listening');

async function request(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
  const basic = Buffer.from(`${admin.ADMIN_CLIENT_ID}:${admin.ADMIN_CLIENT_SECRET}`).toString('base64');
  const scope = encodeURIComponent(`manage_project:${project} manage_api_clients:${project}`);
  const tokenPath = `/oauth/token?grant_type=client_credentials&scope=${scope}`;
  const answer = await fetch(`${address}${tokenPath}`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
  });
  const { access_token: token } = (await answer.json()) as { access_token: string };
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const sent = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const response = await fetch(`${address}/${project}/${path}`, sent);
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
}

/** A wave of a quiet afternoon, the same in each run. */
const wave = (at: number, low: number, high: number) =>
  low + ((high - low) * (2 + Math.sin(at / 23) + Math.sin(at / 7 + 2))) / 4;

/** The service has run for seconds only: its last hour is made up. */
function healthHistory() {
  const samples = Array.from({ length: 360 }, (_, at) => ({
    ...{ at: new Date(Date.now() - (360 - at) * 10_000).toISOString(), seconds: 10 },
    requests: {
      getResourceById: { '2xx': Math.round(wave(at, 600, 1400)), '4xx': 3, p50Ms: 0.4, p99Ms: wave(at, 1.5, 4) },
      listResourcesSorted: { '2xx': Math.round(wave(at + 40, 90, 220)), p50Ms: 3.2, p99Ms: wave(at + 9, 12, 38) },
      updateResource: { '2xx': Math.round(wave(at + 70, 20, 60)), '4xx': 1, p50Ms: 1.9, p99Ms: wave(at + 3, 5, 11) },
    },
    ...{ inFlight: 2, commits: { count: 40, writes: Math.round(wave(at + 70, 40, 90)), p50Ms: 0.8, p99Ms: 4 } },
    queries: { short: { count: Math.round(wave(at + 40, 90, 220)), waiting: 0, p99Ms: 4 } },
    ...{ images: { running: 0, waiting: 0 }, events: { streams: 3, delivered: 55, lagSeconds: 0.1 } },
    ...{ memory: { rssBytes: 190e6 + at * 2e4, heapBytes: 45e6 }, processors: wave(at, 0.08, 0.3), loopDelayMs: 2 },
    store: { bytes: 48e6 + at * 1e4, logBytes: 4_100_000 },
  }));
  return { intervalSeconds: 10, maxSamples: 360, samples };
}

const go = (page: Page, path: string) => page.goto(`${address}/console/${project}/${path}`);
const oneNamed = async (key: string) =>
  (await request('GET', `resource/key=${key}`)) as { id: string; version: number };

/** What is done before each picture. */
const rooms: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  console: async (page) => {
    await go(page, 'resources?columns=key,name.en,material,stock');
    await page.getByRole('link', { name: 'sample-oak-chair', exact: true }).click();
    await page.mouse.move(0, 0);
    await page.locator('.pictures img').first().waitFor();
  },
  'console-history': async (page) => {
    const { id } = await oneNamed('sample-oak-chair');
    await go(page, `resources/${id}?tab=history&columns=key,name.en,material,stock`);
    await page.locator('.history li').nth(1).waitFor();
  },
  'console-import': async (page) => {
    await go(page, 'resources?open=import');
    const text = 'key,name.en,stock:number,colour\nsample-oak-chair,Oak chair,9,brown\npine-stool,Pine stool,4,white\n';
    await page
      .locator('dialog input[type=file]')
      .setInputFiles({ name: 'spring.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText('2 lines checked').waitFor();
  },
  'console-types': async (page) => {
    await go(page, 'types');
    await page.getByText('refers to').last().scrollIntoViewIfNeeded();
  },
  'console-search': async (page) => {
    await go(page, `search?${new URLSearchParams({ text: 'oak chiar', fuzzy: 'true', facets: 'material' })}`);
    await page.locator('.why summary').first().click();
    await page.locator('.facet').first().waitFor();
  },
  'search-question': async (page) => {
    const text = 'Which round table of oak fits a small dining room with six chairs?';
    await go(page, `search?${new URLSearchParams({ text, fuzzy: 'true' })}`);
    await page.locator('.hit-title').first().waitFor();
  },
  'search-group': async (page) => {
    await go(page, `search?${new URLSearchParams({ text: '-lamp', group: 'material' })}`);
    await page.locator('.hit-title').first().waitFor();
  },
  'search-settings': async (page) => {
    await request('PUT', 'settings/search', {
      version: 0,
      synonyms: [{ locale: 'en', words: ['sofa', 'couch', 'settee'] }],
      boosts: [{ where: 'stock > 0', factor: 2 }],
      pins: [{ locale: 'en', text: 'chair', pinned: ['key=sample-oak-chair'] }],
    });
    await go(page, 'search/settings');
    await page.getByLabel('First', { exact: true }).waitFor();
    await page.getByLabel('First', { exact: true }).scrollIntoViewIfNeeded();
  },
  'search-texts': async (page) => {
    for (const [text, times] of [
      ['oak chair', 12],
      ['lamp', 7],
      ['hammock', 5],
      ['couch', 3],
    ] as const) {
      const path = `resource/searchApiPattern?${new URLSearchParams({ 'text.en': text })}`;
      for (let time = 0; time < times; time += 1) await request('GET', path);
    }
    await go(page, 'search/searches');
    await page.getByText('hammock').waitFor();
  },
  'console-images': async (page) => {
    await go(page, 'images');
    await page.locator('.thumb img').first().waitFor();
  },
  'console-events': async (page) => {
    await go(page, 'events');
    await page.locator('.events tbody tr').nth(3).waitFor();
    await page.locator('.cards .state').first().waitFor();
  },
  'console-backend': async (page) => {
    await go(page, 'backends');
    await page.getByRole('row', { name: /Oak chair/ }).waitFor();
  },
  'console-access': async (page) => {
    await go(page, 'access');
    await page.getByRole('table').getByText('Night import').waitFor();
  },
  'console-health': async (page) => {
    await page.route('**/health/history*', (route) => route.fulfill({ json: healthHistory() }));
    await go(page, 'health');
    await page.locator('.chart svg').first().waitFor();
  },
};

const browser = await chromium.launch({ executablePath: findChromium() ?? '', args: ['--no-sandbox'] });
try {
  const context = await browser.newContext({ viewport, colorScheme: 'light', reducedMotion: 'reduce', locale: 'en' });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  await page.goto(`${address}/console/${project}/resources#code=${app.consoleSessions!.createCode()}`);
  await page.getByRole('button', { name: 'Load the sample catalogue' }).click();
  await page.getByText('15 of 15').waitFor();

  for (const [path, value] of [
    ['price.centAmount', 15_900],
    ['material', 'oak, oiled'],
  ] as const) {
    const { id, version } = await oneNamed('sample-oak-chair');
    await request('POST', `resource/${id}`, { version, actions: [{ action: 'setField', path, value }] });
  }
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/index`;
  await request('POST', 'subscriptions', {
    url,
    key: 'search-index',
    description: 'Keeps the search of the shop fresh',
  });
  for (const key of ['sample-cork-lamp', 'sample-oak-table']) {
    const found = (await request('GET', `resource/key=${key}`).catch(() => undefined)) as
      | { id: string; version: number }
      | undefined;
    if (!found) continue;
    const actions = [{ action: 'setField', path: 'stock', value: 7 }];
    await request('POST', `resource/${found.id}`, { version: found.version, actions });
  }
  const price = (centAmount: number) => ({ centAmount, currencyCode: 'EUR' });
  await request('POST', 'resource/namespace-action', {
    lineItems: [
      { name: 'Oak chair', count: 2, price: price(15_900) },
      { name: 'Cork lamp', count: 1, price: price(4900) },
    ],
  });
  for (const [name, scopes] of [
    ['Night import', ['manage_test']],
    ['Shop front', ['view_test']],
    ['Search index', ['view_test', 'manage_subscriptions']],
  ] as const)
    await request('POST', 'api-clients', { name, scopes });

  const wanted = process.argv.slice(2);
  for (const [name, prepare] of Object.entries(rooms)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    await prepare(page);
    await page.waitForFunction(`
      [...document.images].every((image) => image.complete || image.getBoundingClientRect().top > innerHeight)
    `);
    const file = new URL(`../docs/${name}.png`, import.meta.url);
    const bytes = await sharp(await page.screenshot())
      .png({ palette: true, colours: 128, effort: 10 })
      .toBuffer();
    writeFileSync(file, bytes);
    process.stdout.write(`docs/${name}.png: ${Math.ceil(bytes.length / 1000)} KB\n`);
  }
} finally {
  await browser.close();
  receiver.closeAllConnections();
  receiver.close();
  await app.close();
  rmSync(folder, { recursive: true, force: true });
}
