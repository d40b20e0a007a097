/**
 * `npm run bench:console`: what the console costs in a browser. Imports 1,000 resources into one project and many into
 * another one, then looks at both in Chromium: bytes of the first view, the time until the rows are there, pages by
 * cursor, a filter, how frames come while 500 rows scroll, and how far anything moves by itself.
 * Options: --large <count> (1000000), --trials <count> (5).
 */
import { parseArgs } from 'node:util';
import { type Browser, chromium, type Page } from 'playwright-core';
import { findChromium } from '../../test/optional-tools.ts';
import { draft } from '../documents.ts';
import { adminId, adminSecret, fetchToken, startService, temporaryFolder } from '../service.ts';
import { blankPage, observe, scrollFrames, shiftOf } from './page.ts';

const { values } = parseArgs({
  options: { large: { type: 'string', default: '1000000' }, trials: { type: 'string', default: '5' } },
});
const [small, large, trials] = [1000, Number(values.large), Number(values.trials)];
const linesAtOnce = 20_000;
const pages = 10;

const say = (text: string) => process.stdout.write(`${text}\n`);
const median = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;
const ms = (value: number) => `${value.toFixed(0)} ms`;

const folder = temporaryFolder();
const service = await startService(folder.path);
const address = `http://127.0.0.1:${service.port}`;

async function fill(project: string, count: number): Promise<number> {
  const begun = performance.now();
  for (let from = 0; from < count; from += linesAtOnce) {
    const token = await fetchToken(service.port, `manage_project:${project}`);
    const until = Math.min(count, from + linesAtOnce);
    const lines = Array.from({ length: until - from }, (_, at) => {
      const n = from + at;
      // A thousand resources match the filter, in each of the projects.
      return JSON.stringify({ ...(draft(n, `r-${n}`) as object), campaign: n < small ? 'spring' : `none-${n % 7}` });
    });
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' };
    const url = `${address}/${project}/resource/import`;
    const response = await fetch(url, { method: 'POST', headers, body: lines.join('\n') });
    const report = await response.text();
    if (!response.ok || report.includes('"status":"rejected"')) throw new Error(report.slice(0, 500));
  }
  return (performance.now() - begun) / 1000;
}

/** ms from the navigation until rows are in the page, and those of the pages that follow by cursor. */
async function browse(page: Page, project: string) {
  const first: number[] = [];
  const next: number[] = [];
  const filtered: number[] = [];
  const rowsAre = (text: string) => page.locator('.count').getByText(text).waitFor();
  for (let trial = 0; trial < trials; trial += 1) {
    await page.goto(`${address}/console/${project}/resources?columns=key,campaign,weightGrams`);
    first.push(await page.evaluate<number>('globalThis.bench.rowsMs'));
    for (let at = 2; at <= pages; at += 1) {
      if (at * 100 > small) break;
      next.push(await page.evaluate<number>(`globalThis.bench.moreMs(${at * 100})`));
    }
    // At its end the table would go on to the next page at once, and “100 of” be seen for a moment only.
    await page.locator('.rows').evaluate((element) => element.scrollTo(0, 0));
    const begun = performance.now();
    await page.getByLabel('Filter', { exact: true }).fill('campaign = "spring"');
    await page.keyboard.press('Enter');
    await page.waitForURL('**where=*');
    await rowsAre('100 of 1,000');
    filtered.push(performance.now() - begun);
  }
  return { first: median(first), next: median(next), filtered: median(filtered) };
}

async function measure(browser: Browser): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  page.setDefaultTimeout(300_000);
  await page.addInitScript(observe);
  const devtools = await context.newCDPSession(page);
  let bytes = 0;
  await devtools.send('Network.enable');
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.goto(`${address}/console/small/resources`, { waitUntil: 'networkidle' });
  const loginBytes = bytes;
  await page.getByLabel('Client id').fill(adminId);
  await page.getByLabel('Secret').fill(adminSecret);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.locator('.rows tbody a').first().waitFor();
  const code = await page.evaluate<number>(`
    performance.getEntriesByType('resource').filter(({ name }) => name.includes('/assets/'))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
  `);
  say(`| first view: page, style and script of the login, with headers | ${(loginBytes / 1000).toFixed(1)} KB |`);
  say(`| style and scripts with the table | ${(code / 1000).toFixed(1)} KB |`);

  const [few, many] = [await browse(page, 'small'), await browse(page, 'large')];
  say(`| | ${small.toLocaleString('en')} | ${large.toLocaleString('en')} | ratio |`);
  for (const [name, of] of [
    ['from the navigation until the rows are there', 'first'],
    ['the next page by cursor, until its rows are counted', 'next'],
    ['a filter, from its first letter until 100 of 1,000 are there', 'filtered'],
  ] as const)
    say(`| ${name} | ${ms(few[of])} | ${ms(many[of])} | ${(many[of] / few[of]).toFixed(2)} |`);

  await page.goto(`${address}/console/large/resources?columns=key,campaign,weightGrams`);
  for (const count of [200, 300, 400, 500]) await page.evaluate(`globalThis.bench.moreMs(${count})`);
  const table = await scrollFrames(page, '.rows');
  // What moves after a click is no shift: browsers leave out half a second, which a busy machine exceeds.
  const shift = await shiftOf(page);
  await page.goto(`${address}/console/large/search`);
  await page.locator('.hits').waitFor();
  const others = await shiftOf(page);
  const blank = await context.newPage();
  await blank.setContent(blankPage);
  const ceiling = await scrollFrames(blank, '#box');
  const frames = ({ count, late, blanks, worstMs }: typeof table) =>
    `${count} frames in 3 s, ${late} later than 25 ms (worst ${worstMs.toFixed(0)} ms), ${blanks} without rows`;
  say(`| 500 rows scroll: the table | ${frames(table)} |`);
  say(`| the ceiling: 500 plain rows | ${frames(ceiling)} |`);
  say(`| layout shift: a table, read and scrolled; the search | ${shift.toFixed(4)}; ${others.toFixed(4)} |`);
}

const browser = await chromium.launch({
  ...{ executablePath: findChromium() ?? '', args: ['--no-sandbox', '--disable-gpu'], timeout: 120_000 },
});
try {
  await fill('small', small);
  const seconds = await fill('large', large);
  say(`Filled ${large.toLocaleString('en')} in ${seconds.toFixed(0)} s.`);
  await measure(browser);
} finally {
  await browser.close();
  await service.stop();
  folder.remove();
}
