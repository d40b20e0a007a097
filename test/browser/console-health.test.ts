import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { createApp } from '../../src/app.ts';
import { parseConfig } from '../../src/config/parse.ts';
import { noLog } from '../../src/telemetry/log.ts';
import { until } from '../until.ts';
import { assertSeen, skip, startTestConsole, type TestConsole } from './test-console.ts';

if (skip) process.stdout.write(`the health of the console in a browser: skipped, ${skip}\n`);

const admin = { ADMIN_CLIENT_ID: 'test-admin', ADMIN_CLIENT_SECRET: 'a secret for tests only' };

/** An interval as the API tells it; a bad one is slow, and the service fails in it. */
function sampleAt(secondsAgo: number, isBad: boolean) {
  return {
    ...{ at: new Date(Date.now() - secondsAgo * 1000).toISOString(), seconds: 10 },
    requests: {
      getResourceById: { '2xx': 800, '4xx': 3, p50Ms: 0.4, p99Ms: 2.1 },
      listResourcesSorted: { '2xx': 90, ...(isBad && { '5xx': 30 }), p50Ms: 3.2, p99Ms: isBad ? 1400 : 40 },
      streamEvents: { '2xx': 1, p50Ms: 90_000, p99Ms: 90_000 },
    },
    ...{ inFlight: 2, commits: { count: 40, writes: 55, p50Ms: 0.8, p99Ms: 4 } },
    ...{ queries: { short: { count: 120, waiting: 0, p99Ms: 4 } }, images: { running: 0, waiting: 0 } },
    events: { streams: 3, delivered: 55, lagSeconds: 0.1 },
    ...{ memory: { rssBytes: 190_000_000, heapBytes: 45_000_000 }, processors: 0.21, loopDelayMs: 2 },
    store: { bytes: 48_000_000, logBytes: 4_100_000 },
  };
}

const slowQuery = {
  ...{ at: '2026-11-22T17:05:04.120Z', projectKey: 'slow', operation: 'listResourcesSorted', totalMs: 412.5 },
  ...{ parameters: { where: ['key = "one"'], sort: ['key asc'] }, correlationId: 'sync-17', clientId: 'slow.importer' },
  run: {
    ...{ queue: 'long', totalMs: 412.4, ranMs: 390.1, rowsRead: 104_200 },
    plan: ['no index narrows the query: it reads every resource of the project'],
  },
};

describe('the health of the service in a browser', { skip }, () => {
  let console: TestConsole;

  before(async () => {
    console = await startTestConsole();
  });
  after(async () => {
    await console?.[Symbol.asyncDispose]();
  });

  /** Answers for the service: with the last hour, in whose last minutes it is well or not, and with a slow query. */
  async function answer(page: Page, isBad: boolean): Promise<void> {
    const samples = Array.from({ length: 360 }, (_, at) => sampleAt((360 - at) * 10, isBad && at > 350));
    await page.route('**/health/history*', (route) =>
      route.fulfill({ json: { intervalSeconds: 10, maxSamples: 360, samples } }),
    );
    await page.route('**/health/slow-queries', (route) => route.fulfill({ json: { results: [slowQuery] } }));
  }

  const chart = (page: Page, name: string) =>
    page.locator('.chart', { has: page.getByRole('heading', { name, exact: true }) });

  test('what is red says what it means; streams are not slow; a query tells its plan and leads to its list', async () => {
    await console.put({ key: 'one' }, 'slow');
    const page = await console.openPage();
    await answer(page, true);
    await console.logIn(page, '/console/slow/health');
    await page.getByText('2 problems.').waitFor();
    const red = await page.locator('.chart.red h2').allTextContents();
    assert.deepEqual(red, ['Failed requests', 'Slowest requests']);
    await page.getByText('The log names each of them').waitFor();
    await chart(page, 'Slowest requests').getByText('1.4 s', { exact: true }).waitFor();
    const label = await chart(page, 'Requests').getByRole('img').getAttribute('aria-label');
    assert.match(label ?? '', /^Requests: 92.4 now, 92.4 at most/);
    // One points at a time, and sees the value of it.
    await chart(page, 'Slowest requests')
      .getByRole('img')
      .hover({ position: { x: 2, y: 20 } });
    await chart(page, 'Slowest requests').getByText('40 ms', { exact: true }).waitFor();
    await page.getByText('As a table').click();
    assert.equal(await page.getByRole('region', { name: 'As a table' }).locator('tbody tr').count(), 60);

    await page.getByText('no index narrows the query: it reads every resource of the project').waitFor();
    await page.getByText('scanned 104,200 resources').waitFor();
    await page.getByText('ran 390 ms, waited 22.3 ms').waitFor();
    await page.getByRole('link', { name: 'Open this list' }).click();
    await page.getByText('1 of 1').waitFor();
    assert.equal(new URL(page.url()).searchParams.get('where'), 'key = "one"');
    await page.context().close();
  });

  test('nothing is asked while nobody looks, and at once when somebody does again', async () => {
    const page = await console.openPage();
    await page.clock.install();
    await answer(page, false);
    let asked = 0;
    page.on('request', (request) => {
      if (request.url().includes('/health/history')) asked += 1;
    });
    const refreshed = () => page.waitForResponse('**/health/slow-queries');
    await console.logIn(page, '/console/hidden/health');
    await page.getByText('Everything is healthy.').waitFor();
    const again = refreshed();
    await page.clock.runFor(10_000);
    await again;
    assert.equal(asked, 2);
    const show = (isHidden: boolean) =>
      page.evaluate(`
        Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      `);
    await show(true);
    await page.clock.runFor(120_000);
    assert.equal(asked, 2);
    const shown = refreshed();
    await show(false);
    await shown;
    assert.equal(asked, 3);
    await page.context().close();
  });

  test('who may not see the service is told so, and is not led there', async () => {
    const { id, secret } = (
      await console.api.call({
        ...{ method: 'POST', path: '/limited/api-clients', scope: 'manage_api_clients:limited' },
        body: { name: 'Reader', scopes: ['view_test'] },
      })
    ).json;
    const page = await console.openPage();
    await page.goto(`${console.address}/console/limited/access`);
    await page.getByLabel('Client id').fill(id);
    await page.getByLabel('Secret').fill(secret);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.getByText('which you do not have here').waitFor();
    assert.equal(await page.getByRole('link', { name: 'Health' }).count(), 0);
    await page.goto(`${console.address}/console/limited/health`);
    await page.getByText('Only the administrator can see the health of the service.').waitFor();
    await page.context().close();
  });

  test('axe finds nothing in light and dark colours, on a phone and a desktop, and nothing is wider than the screen', async () => {
    const page = await console.openPage({ viewport: { width: 390, height: 844 } });
    await answer(page, true);
    await console.logIn(page, '/console/axe/health');
    await page.getByText('2 problems.').waitFor();
    await page.getByText('As a table').click();
    await assertSeen(page, 'health');
    await page.context().close();
  });

  test('a restart of the service is told, and the page goes on by itself in the same session', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'grs-restart-'));
    // The issuer does not change with the port, so that sessions outlive a restart.
    const settings = { DATA_DIR: folder, ISSUER: 'http://console.test', SHED_DELAY_MS: '0', ...admin };
    const start = (port: string) => createApp(parseConfig({ ...settings, PORT: port }), { log: noLog });
    let app = await start('0');
    const page = await console.openPage();
    await page.clock.install();
    try {
      const address = await app.server.listen();
      await page.goto(`${address}/console/restart/health`);
      await page.getByLabel('Client id').fill(admin.ADMIN_CLIENT_ID);
      await page.getByLabel('Secret').fill(admin.ADMIN_CLIENT_SECRET);
      await page.getByRole('button', { name: 'Log in', exact: true }).click();
      await page.getByRole('heading', { name: 'Slow queries' }).waitFor();
      await app.close();
      const isToldToBeAway = async () => {
        await page.clock.runFor(10_000);
        return page.getByText('Not refreshed: the service did not answer.').isVisible();
      };
      await until(isToldToBeAway);
      app = await start(new URL(address).port);
      await app.server.listen();
      await until(async () => !(await isToldToBeAway()));
      await page.getByRole('link', { name: 'Access' }).click();
      await page.getByText('No program has access to this project yet.').waitFor();
    } finally {
      await page.context().close();
      await app.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('the service tells its last hour, by itself, and requests of now are in it', async () => {
    const page = await console.openPage();
    await console.logIn(page, '/console/real/health');
    await chart(page, 'Requests').locator('svg').waitFor();
    await page
      .getByText('Everything is healthy.')
      .or(page.getByText(/^\d+ problems?\.$/))
      .waitFor();
    await page.getByRole('heading', { name: 'Operations' }).waitFor();
    // The requests of this page itself are counted once the next interval has ended.
    await page.getByRole('rowheader', { name: 'renewConsoleSession' }).waitFor();
    await page.getByText('No query was slow.').or(page.getByText('Open this list')).first().waitFor();
    await page.context().close();
  });
});
