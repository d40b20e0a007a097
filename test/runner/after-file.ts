import { after } from 'node:test';

/** Whether this process runs a group of test files. */
export const isGroup = process.argv[1]?.endsWith('.group.js') === true;

const fileHooks = new Set<() => unknown>();
const groupHooks = new Set<() => unknown>();

/**
 * Calls the hook after each test file that may use the module that calls this, outside of all functions. `after` alone would
 * call it after the first file of a group only, since the others find the module loaded.
 */
export function afterFile(hook: () => unknown): void {
  fileHooks.add(hook);
  after(hook);
}

/** Calls the hook after the last file of a group; never in a process that runs one file. */
export function afterGroup(hook: () => unknown): void {
  groupHooks.add(hook);
}

/** For the runner of a group. */
export async function callAfterFile(): Promise<void> {
  for (const hook of fileHooks) await hook();
}

/** For the runner of a group. */
export async function callAfterGroup(): Promise<void> {
  for (const hook of groupHooks) await hook();
}
