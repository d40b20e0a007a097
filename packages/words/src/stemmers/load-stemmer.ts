import { createRequire } from 'node:module';

/** Maps a word to its stem. */
export type Stemmer = (word: string) => string;

const require = createRequire(import.meta.url);

/**
 * Loads the stemmer of a language when the first word needs it, and at once: all of them together would take a third
 * of the time that a start may take, and the stem of a word cannot be waited for.
 */
export function loadStemmer(module: string): Stemmer {
  return (require(`@orama/stemmers/${module}`) as { readonly stemmer: Stemmer }).stemmer;
}
