import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { until } from '../until.ts';
import { closeBrowser, openBrowser, skip } from './open-browser.ts';

/** The documentation as a static site, as `npm run docs:build` makes it and a web server serves it. */
const site = fileURLToPath(new URL('../../site/', import.meta.url));
const isInstalled = existsSync(join(site, 'node_modules/axe-core'));
const notInstalled = isInstalled ? false : 'npm run docs:build was not run yet';
if (notInstalled || skip) {
  process.stdout.write(
    `the documentation site${notInstalled ? '' : ' in a browser'}: skipped, ${notInstalled || skip}\n`,
  );
}

const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

function serveFiles(folder: string): Server {
  return createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '', 'http://site').pathname);
    const file = join(folder, path.endsWith('/') ? `${path}index.html` : path);
    if (!existsSync(file)) return response.writeHead(404).end();
    return response.writeHead(200, { 'content-type': types[extname(file)] ?? '' }).end(readFileSync(file));
  });
}

const looks: Readonly<Record<string, BrowserContextOptions>> = {
  'a phone, light': { viewport: { width: 390, height: 844 }, colorScheme: 'light', hasTouch: true },
  'a desktop, dark': { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' },
};

test('the documentation site is built, without a link that leads nowhere', { skip: notInstalled }, () => {
  const { status, stdout, stderr } = spawnSync('npm', ['run', 'build'], { cwd: site, encoding: 'utf8' });
  assert.equal(status, 0, `${stdout}${stderr}`);
});

describe('the documentation site in a browser', { skip: notInstalled || skip }, () => {
  let server: Server;
  let browser: Browser;
  let address = '';

  before(async () => {
    server = serveFiles(join(site, 'dist')).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await openBrowser();
  });
  after(async () => {
    await closeBrowser();
    server?.closeAllConnections();
    server?.close();
  });

  async function open(path: string, look: BrowserContextOptions, elsewhere: string[] = []): Promise<Page> {
    // Transitions are in the way of a reading of colours.
    const page = await browser.newPage({ ...look, reducedMotion: 'reduce' });
    page.on('request', (request) => {
      if (!request.url().startsWith(address) && !request.url().startsWith('data:')) elsewhere.push(request.url());
    });
    await page.goto(`${address}${path}`, { waitUntil: 'networkidle' });
    // What is clicked on before the scripts of the page run has no effect.
    await until(() => page.evaluate<boolean>('document.querySelector("#app")?.__vue_app__ !== undefined'));
    return page;
  }

  /** What axe finds, as lines. */
  async function violationsOf(page: Page): Promise<readonly string[]> {
    await page.addScriptTag({ path: join(site, 'node_modules/axe-core/axe.min.js') });
    return page.evaluate(async () => {
      interface Found {
        readonly id: string;
        readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
      }
      const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: readonly Found[] }> } };
      const { violations } = await axe.run();
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
      );
    });
  }

  for (const [name, look] of Object.entries(looks)) {
    test(`on ${name}: fits the screen, asks no other host, and axe finds nothing`, async () => {
      for (const path of ['/', '/getting-started.html', '/interface.html', '/configuration.html']) {
        const elsewhere: string[] = [];
        const page = await open(path, look, elsewhere);
        const isWider = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
        assert.equal(isWider, false, `${path} scrolls sideways`);
        assert.deepEqual(await violationsOf(page), [], path);
        assert.deepEqual(elsewhere, []);
        await page.context().close();
      }
    });
  }

  test('the search finds a section by its words', async () => {
    const page = await open('/', looks['a desktop, dark']!);
    await page
      .getByRole('button', { name: /search/i })
      .first()
      .click();
    await page.getByRole('searchbox').fill('revertStagedChanges');
    const found = page.locator('.VPLocalSearchBox .result').first();
    await found.waitFor();
    await found.click();
    await page.waitForURL(/\/[a-z-]+\.html#?/);
    // The address changes before the page does.
    await page.locator('main', { hasText: 'revertStagedChanges' }).waitFor();
    await page.context().close();
  });

  test('the appearance is that of the system until it is switched', async () => {
    const page = await open('/', looks['a desktop, dark']!);
    const isDark = () => page.evaluate('document.documentElement.classList.contains("dark")');
    assert.equal(await isDark(), true);
    await page.getByRole('switch').first().click();
    await until(() => page.evaluate<boolean>('!document.documentElement.classList.contains("dark")'));
    await page.context().close();
  });

  test('on a phone every guide is in the navigation', async () => {
    const page = await open('/getting-started.html', looks['a phone, light']!);
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Editorial workflow' }).click();
    await page.getByRole('heading', { level: 1, name: /Editorial workflow/ }).waitFor();
    await page.context().close();
  });

  test('llms.txt names every guide as Markdown, which is there; no page links out of the site', async () => {
    const text = await (await fetch(`${address}/llms.txt`)).text();
    const links = [...text.matchAll(/\]\((\/[^)]+\.md)\)/g)].map(([, link]) => link!);
    assert.ok(links.includes('/getting-started.md') && links.length > 15, text);
    for (const link of [...links, '/openapi.json']) assert.equal((await fetch(`${address}${link}`)).status, 200, link);
    const page = await (await fetch(`${address}/getting-started.html`)).text();
    assert.match(page, /examples\/client\.ts/);
    assert.doesNotMatch(page, /href="[^"]*examples/);
  });
});
