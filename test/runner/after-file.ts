import { after } from 'node:test';

const hooks = new Set<() => unknown>();

/**
 * Calls the hook after each test file that may use the module that calls this, outside of all functions. `after` alone would
 * call it after the first file of a group only, since the others find the module loaded.
 */
export function afterFile(hook: () => unknown): void {
  hooks.add(hook);
  after(hook);
}

/** For the runner of a group. */
export async function callAfterFile(): Promise<void> {
  for (const hook of hooks) await hook();
}
