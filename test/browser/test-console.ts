import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { startTestApi, type TestApi } from '../start-test-api.ts';
import { until } from '../until.ts';
import { closeBrowser, openBrowser } from './open-browser.ts';

export { skip } from './open-browser.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** What axe finds on the page as it is now; by all its rules unless told. */
export async function findings(page: Page, ...rules: readonly string[]): Promise<readonly string[]> {
  // The policy of the page refuses scripts that are added as elements. A page that stays need not read it twice.
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe);
  const options = { resultTypes: ['violations'], preload: false, ...(rules.length > 0 && { runOnly: rules }) };
  const found = `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`;
  const violations = (await page.evaluate(found)) as readonly Violation[];
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
}

/** Rules of axe whose findings differ with the colours and the width of a page. */
const dependOnLook = ['color-contrast', 'target-size', 'scrollable-region-focusable'];

/**
 * Looks at the page as it is now in light colours, and at its other width in dark ones, by the rules that depend on these:
 * axe finds nothing, and nothing is wider than the screen. In the end the page is as wide as it was.
 */
export async function assertSeen(page: Page, what: string): Promise<void> {
  const before = page.viewportSize()!;
  const widths = [before.width, before.width === 390 ? 1440 : 390];
  for (const [at, width] of widths.entries()) {
    await page.setViewportSize({ width, height: before.height });
    await until(() => page.evaluate<boolean>(`innerWidth === ${width}`));
    const colorScheme = at === 0 ? 'light' : 'dark';
    await page.emulateMedia({ colorScheme });
    const found = await (at === 0 ? findings(page) : findings(page, ...dependOnLook));
    assert.deepEqual(found, [], `${what}, ${colorScheme}, ${width} pixels wide`);
    assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${what}, ${width} pixels`);
  }
  await page.setViewportSize(before);
  await until(() => page.evaluate<boolean>(`innerWidth === ${before.width}`));
}

/** Goes to an address of the console without loading the page anew, as the buttons of the browser do. */
export async function goWithin(page: Page, path: string): Promise<void> {
  await page.evaluate(
    `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
  );
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
  /** Logs the administrator in at a path of the console: by a link with a code, which takes less than typing. */
  logIn(page: Page, path?: string): Promise<void>;
  /**
   * Opens a path of the console in a tab of the one context in which the administrator is logged in, which may use the
   * clipboard: it has the files of the console already. Close the page, not its context.
   */
  openTab(path: string): Promise<Page>;
}

/** Starts both. The options are those of `startTestApi`. */
export async function startTestConsole(...options: Parameters<typeof startTestApi>): Promise<TestConsole> {
  const api = await startTestApi(...options);
  const address = await api.listen();
  const browser = await openBrowser();
  const complaints: string[] = [];
  const elsewhere: string[] = [];
  let shared: Promise<BrowserContext> | undefined;

  // Colours that are on their way are none that axe can judge.
  const openContext = (options: BrowserContextOptions) =>
    browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce', ...options });
  async function openIn(context: BrowserContext): Promise<Page> {
    const opened = await context.newPage();
    opened.on('console', (message) => {
      // The browser itself reports statuses of 400 and more; those that are expected are looked at by the tests.
      if (!message.text().startsWith('Failed to load resource')) complaints.push(message.text());
    });
    opened.on('pageerror', (error) => complaints.push(error.message));
    opened.on('request', (request) => {
      if (!request.url().startsWith(address)) elsewhere.push(request.url());
    });
    return opened;
  }
  async function logIn(page: Page, path = '/console/shop/resources'): Promise<void> {
    await page.goto(`${address}${path}#code=${api.app.consoleSessions!.createCode()}`);
    await page.getByRole('navigation').waitFor();
  }
  async function openShared(): Promise<BrowserContext> {
    const context = await openContext({ permissions: ['clipboard-read', 'clipboard-write'] });
    const first = await openIn(context);
    await logIn(first, '/console/begin/resources');
    await first.close();
    return context;
  }

  return {
    ...{ api, address, complaints, elsewhere, logIn },
    put: (body, project = 'shop') => api.call({ method: 'PUT', path: `/${project}/resource`, body }),
    openPage: async (pageOptions = {}) => openIn(await openContext(pageOptions)),
    openTab: async (path) => {
      shared ??= openShared();
      const opened = await openIn(await shared);
      await opened.goto(`${address}${path}`);
      await opened.getByRole('navigation').first().waitFor();
      return opened;
    },
    [Symbol.asyncDispose]: async () => {
      await closeBrowser();
      await api.close();
    },
  };
}
