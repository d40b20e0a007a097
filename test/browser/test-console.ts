import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { findChromium } from '../optional-tools.ts';
import { startTestApi, type TestApi } from '../start-test-api.ts';

/** Debian's browser; the package brings none of its own. */
const executablePath = findChromium();

/** False, or why a suite that drives a browser is skipped. */
export const skip: string | false = executablePath === undefined ? 'there is no chromium here' : false;

const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'];
const quiet = ['--disable-background-networking', '--disable-component-update'];
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds on the page as it is now. */
export async function findings(page: Page): Promise<readonly string[]> {
  // The policy of the page refuses scripts that are added as elements.
  await page.evaluate(axe);
  const { violations } = (await page.evaluate('axe.run()')) as {
    violations: { id: string; nodes: { html: string }[] }[];
  };
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
}

/** A service with its console, and a browser. */
export interface TestConsole extends AsyncDisposable {
  readonly api: TestApi;
  readonly address: string;
  /** What scripts have complained of on all pages. */
  readonly complaints: readonly string[];
  /** Addresses of other hosts that a page has asked for. */
  readonly elsewhere: readonly string[];
  put(body: unknown, project?: string): ReturnType<TestApi['call']>;
  /** Opens a page in a context of its own, 1440 × 900 unless told. */
  openPage(options?: BrowserContextOptions): Promise<Page>;
  /** Logs the administrator in at a path of the console. */
  logIn(page: Page, path?: string): Promise<void>;
}

/** Starts both. The options are those of `startTestApi`. */
export async function startTestConsole(options?: Parameters<typeof startTestApi>[0]): Promise<TestConsole> {
  const api = await startTestApi(options);
  const address = await api.listen();
  const browser: Browser = await chromium.launch({ executablePath: executablePath ?? '', args: [...args, ...quiet] });
  const complaints: string[] = [];
  const elsewhere: string[] = [];
  return {
    ...{ api, address, complaints, elsewhere },
    put: (body, project = 'shop') => api.call({ method: 'PUT', path: `/${project}/resource`, body }),
    openPage: async (pageOptions = {}) => {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...pageOptions });
      const opened = await context.newPage();
      opened.setDefaultTimeout(60_000);
      opened.on('console', (message) => {
        // The browser itself reports statuses of 400 and more; those that are expected are looked at by the tests.
        if (!message.text().startsWith('Failed to load resource')) complaints.push(message.text());
      });
      opened.on('pageerror', (error) => complaints.push(error.message));
      opened.on('request', (request) => {
        if (!request.url().startsWith(address)) elsewhere.push(request.url());
      });
      return opened;
    },
    logIn: async (page, path = '/console/shop/resources') => {
      await page.goto(`${address}${path}`);
      await page.getByLabel('Client id').fill('test-admin');
      await page.getByLabel('Secret').fill('a secret for tests only');
      await page.getByRole('button', { name: 'Log in', exact: true }).click();
      await page.getByRole('navigation').waitFor();
    },
    [Symbol.asyncDispose]: async () => {
      await browser.close();
      await api.close();
    },
  };
}
