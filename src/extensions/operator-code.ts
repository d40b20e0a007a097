import { AsyncLocalStorage } from 'node:async_hooks';

const running = new AsyncLocalStorage<string>();

/** Runs code that an operator brought. What it leaves running behind its result is known by this name as well. */
export function runOperatorCode<T>(name: string, code: () => T): T {
  return running.run(name, code);
}

/** The name of the operator's code that is running, or that the current error comes from; undefined for our own. */
export function operatorCode(): string | undefined {
  return running.getStore();
}
