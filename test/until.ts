import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';

/** Far beyond what anything takes on a busy machine. */
const longestMs = 120_000;

/**
 * Asks until something holds, also of pages whose policy forbids the polling of the browser driver. Fails after two minutes with what was waited for, or with what
 * there is instead.
 */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what: string | (() => unknown) = holds.toString(),
): Promise<void> {
  const endMs = performance.now() + longestMs;
  while (!(await holds())) {
    if (performance.now() > endMs) {
      assert.fail(typeof what === 'string' ? `never came: ${what}` : `came instead: ${JSON.stringify(await what())}`);
    }
    await pause(10);
  }
}
