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

/** The contribution of a query word to the score: `weight × factor × field × share × boost`. */
export interface ExplainedWord {
  /** The query word, folded. */
  readonly word: string;
  /** The word of the document that counts, of a split word its parts; absent where the document has none. */
  readonly matched?: string;
  readonly form?: FoundForm;
  /** The text where it counts; of several parts that of the least. */
  readonly path?: string;
  readonly place?: 'name' | 'attribute' | 'text';
  /** By how rare it is; 0 if no document has it. */
  readonly weight: number;
  /** The factor of the form, relative to the word as written. */
  readonly factor: number;
  /** The factor of the place: by the length of the name or text, and the weight of the field in the settings. */
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
  /** The factor of the settings for the scores of such documents. */
  readonly boost: number;
  readonly words: readonly ExplainedWord[];
}
