import { AsyncLocalStorage } from 'node:async_hooks';

const running = new AsyncLocalStorage<string>();

/** Runs code of the operator under a name. Work that it leaves running after it returned has this name too. */
export function runOperatorCode<T>(name: string, code: () => T): T {
  return running.run(name, code);
}

/** The name of the operator's code that is running, or that threw the current error; undefined for our own. */
export function operatorCode(): string | undefined {
  return running.getStore();
}
