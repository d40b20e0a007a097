import { type Browser, chromium } from 'playwright-core';
import { findChromium } from '../optional-tools.ts';

/** Debian's browser; the package brings none of its own. */
const executablePath = findChromium();

/** False, or why a suite that drives a browser is skipped. */
export const skip: string | false = executablePath === undefined ? 'there is no chromium here' : false;

const args = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
  ...['--disable-background-networking', '--disable-component-update'],
];

/** Patience for a machine that does much else. */
const timeout = 120_000;

/** Starts a browser, whose pages wait long for what a test waits for. Close it when the tests are over. */
export async function openBrowser(): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: executablePath ?? '', args, timeout });
  browser.on('context', (context) => context.setDefaultTimeout(timeout));
  return browser;
}
