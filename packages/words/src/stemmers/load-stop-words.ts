import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Loads the words of a language that say little by themselves, as they are written; loaded when a search needs them. */
export function loadStopWords(list: string): readonly string[] {
  return (require('stopword') as Readonly<Record<string, readonly string[]>>)[list]!;
}
