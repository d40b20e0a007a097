import { AsyncLocalStorage } from 'node:async_hooks';
import { pathToFileURL } from 'node:url';

const running = new AsyncLocalStorage<string>();

/** Runs code of the operator under a name. Work that it leaves running after it returned has this name too. */
export function runOperatorCode<T>(name: string, code: () => T): T {
  return running.run(name, code);
}

/** The name of the operator's code that is running, or that threw the current error; undefined for our own. */
export function operatorCode(): string | undefined {
  return running.getStore();
}

/** The default export of a module. Throws an error that names the file and what is wrong with it, which ends the start. */
export async function loadOperatorCode<T>(
  file: string,
  kind: string,
  problemOf: (value: unknown) => string | undefined,
): Promise<T> {
  const imported: { readonly default?: unknown } = await import(pathToFileURL(file).href).catch((cause) => {
    throw new Error(`${file}: the ${kind} cannot be loaded: ${reasonOf(cause)}`, { cause });
  });
  const problem = problemOf(imported.default);
  if (problem !== undefined) throw new Error(`${file}: ${problem}`);
  return imported.default as T;
}

/** Operators' code may throw anything. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
