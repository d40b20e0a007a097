import type { Rung } from './query.ts';

/** In which form a document has a word that is asked for. */
export type FoundForm =
  | 'written'
  | 'inflected'
  | 'joined'
  | 'synonym'
  | 'split'
  | 'compound'
  | 'beginning'
  | 'head'
  | 'typos';

/** What a word of the query adds to the score: `weight × factor × field × share × boost`. */
export interface ExplainedWord {
  /** As it was asked, folded. */
  readonly word: string;
  /** The word of the document that counts, of a split word its parts; absent where the document has none. */
  readonly matched?: string;
  readonly form?: FoundForm;
  /** The text where it counts; of several parts that of the least. */
  readonly path?: string;
  readonly place?: 'name' | 'attribute' | 'text';
  /** By how rare it is; 0 if no document has it. */
  readonly weight: number;
  /** What the form is worth beside the word as it is written. */
  readonly factor: number;
  /** What the place is worth, by the length of name or text and by the weight of the field in the settings. */
  readonly field: number;
  /** 0 if the document does not have the word. */
  readonly score: number;
}

export interface Explanation {
  /** The sum of the scores of the words. */
  readonly score: number;
  /** The rung that the document is on: the first whose condition it meets. */
  readonly rung: Rung;
  /** The locale of the text that fits best, as it was asked. */
  readonly locale: string;
  /** On the rung `most`, the share of the weights of the words that the document has; else 1. */
  readonly share: number;
  /** What the settings multiply the scores of such documents by. */
  readonly boost: number;
  readonly words: readonly ExplainedWord[];
}
