import { canBeHead } from '../alternatives.ts';
import { isStopWord } from '../stop-words.ts';
import { isUnspaced } from '../written-forms.ts';

/** The words that can stand for a compound which no resource has. */

/** Fewer letters end too many words that are no compounds, and fewer before them are no first part. */
const [leastHead, leastFirstPart] = [4, 3];
const vowel = /[aeiouy]/;

/** The heads that a word has if it is a compound, the longest first: `damenschuhe` may be a kind of `schuhe`. */
export function headsOf(asked: string, locale: string): readonly string[] {
  if (isUnspaced(asked) || !canBeHead(asked, locale)) return [];
  const heads: string[] = [];
  for (let at = leastFirstPart; at <= asked.length - leastHead; at += 1) {
    const head = asked.slice(at);
    if (head.isWellFormed() && vowel.test(asked.slice(0, at)) && !isStopWord(head, locale)) heads.push(head);
  }
  return heads;
}

/** True if a word with some edits is rather the asked compound than its head: one letter is wrong in it, or two behind the first three. */
export function isMisspelled(word: string, asked: string, edits: 1 | 2): boolean {
  return edits === 1 || word.slice(0, leastFirstPart) === asked.slice(0, leastFirstPart);
}
