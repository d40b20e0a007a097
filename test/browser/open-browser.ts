import { type Browser, chromium } from 'playwright-core';
import { findChromium } from '../optional-tools.ts';
import { afterGroup, isGroup } from '../runner/after-file.ts';

/** Debian's browser; the package brings none of its own. */
const executablePath = findChromium();

/** False, or why a suite that drives a browser is skipped. */
export const skip: string | false = executablePath === undefined ? 'there is no chromium here' : false;

const args = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
  ...['--disable-background-networking', '--disable-component-update'],
];

/** Patience for a machine that does much else. */
export const patienceMs = 300_000;

/** The browser of this process: to start one takes a second of CPU time. */
let shared: Promise<Browser> | undefined;

async function launch(): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: executablePath ?? '', args, timeout: patienceMs });
  browser.on('context', (context) => context.setDefaultTimeout(patienceMs));
  return browser;
}

/** The browser of this process, which starts with its first user. Call `closeBrowser` when the tests of a file are over. */
export function openBrowser(): Promise<Browser> {
  shared ??= launch();
  return shared;
}

/** Closes what was opened in the browser, with its connections. */
export async function closePages(): Promise<void> {
  for (const context of (await shared)?.contexts() ?? []) await context.close();
}

/** Closes what the tests of a file have opened; the browser itself after the last file of a group. */
export async function closeBrowser(): Promise<void> {
  await closePages();
  if (!isGroup) await endBrowser();
}

async function endBrowser(): Promise<void> {
  const ending = shared;
  shared = undefined;
  await (await ending)?.close();
}
afterGroup(endBrowser);
