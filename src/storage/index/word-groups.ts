import type { WordsByLocale } from './word-terms.ts';

/** Words under a locale, as a JSON array of texts, each once. */
export type WordGroup = readonly [locale: string, words: string];

/** Words of a group: some milliseconds to insert them. */
const groupSize = 8192;

/**
 * The words that a document gained, sorted, so that they lie side by side in the table. Of many words under a
 * locale there are several groups.
 */
export function groupWords(gained: WordsByLocale): readonly WordGroup[] {
  return [...gained].flatMap(([locale, words]) => {
    const sorted = [...new Set(words)].sort();
    const pieces = Array.from({ length: Math.ceil(sorted.length / groupSize) }, (_, at) => at * groupSize);
    return pieces.map((from): WordGroup => [locale, JSON.stringify(sorted.slice(from, from + groupSize))]);
  });
}
