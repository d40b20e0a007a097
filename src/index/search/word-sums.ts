import { rungs as allRungs, type Rung } from '../../contract/search-pages.ts';

/** How the rows match one text: arrays in the order of the rows. */
export interface Marks {
  /** The number of the rung, `never` where the row does not match the text. Absent where all rows are on the first one. */
  readonly rungs: Uint8Array | undefined;
  readonly scores: Float64Array;
}

export interface MarksOnRungs extends Marks {
  readonly rungs: Uint8Array;
}

const rungNumbers = Object.fromEntries(allRungs.map((rung, at) => [rung, at])) as Readonly<Record<Rung, number>>;
export const rungNumber = (rung: Rung) => rungNumbers[rung];
/** The number for a row that does not match. */
export const never = 255;

/** The values of a word in the rows: without typos, and with them; the same array if no typo matched. */
export interface WordValues {
  readonly strict: Float64Array;
  readonly loose: Float64Array;
}

interface WeighedValues extends WordValues {
  readonly strictWeight: number;
  readonly looseWeight: number;
  readonly isRequired: boolean;
  readonly isDeciding: boolean;
}

/** What rows have of a text, added up word by word: of many words most rows have few. */
export class WordSums {
  /** Of the words as they are, and of those with typos where a row lacks them as they are. */
  readonly #strict: Float64Array;
  readonly #loose: Float64Array;
  /** Required words that are there as they are, and in any way; their number. */
  readonly #strictWords: Uint8Array;
  readonly #looseWords: Uint8Array;
  #required = 0;
  readonly #deciding: Uint8Array;
  /** The weights of the required words that are there, and of all that any row has. */
  readonly #weights: Float64Array;
  #wholeWeight = 0;

  constructor(rows: number) {
    [this.#strict, this.#loose, this.#weights] = [0, 0, 0].map(() => new Float64Array(rows)) as Sums;
    [this.#strictWords, this.#looseWords, this.#deciding] = [0, 0, 0].map(() => new Uint8Array(rows)) as Counts;
  }

  add({ strict, loose, strictWeight, looseWeight, isRequired, isDeciding }: WeighedValues): void {
    const [decides, requires, shared] = [Number(isDeciding), Number(isRequired), isRequired ? looseWeight : 0];
    this.#wholeWeight += shared;
    this.#required += requires;
    const [strictScores, looseScores, weights] = [this.#strict, this.#loose, this.#weights];
    const [strictWords, looseWords, deciding] = [this.#strictWords, this.#looseWords, this.#deciding];
    for (let at = 0; at < strict.length; at += 1) {
      const [own, other] = [strict[at]!, loose[at]!];
      if (own > 0) {
        const score = strictWeight * own;
        strictScores[at]! += score;
        looseScores[at]! += score;
        strictWords[at]! += requires;
      } else if (other > 0) looseScores[at]! += looseWeight * other;
      else continue;
      looseWords[at]! += requires;
      deciding[at]! += decides;
      weights[at]! += shared;
    }
  }

  /** With `count` all words have to be there, or so many of the deciding ones, else any. */
  marks(hasWords: boolean, count: number | undefined): MarksOnRungs {
    const scores = this.#loose;
    const rungs = new Uint8Array(scores.length);
    for (let at = 0; at < rungs.length; at += 1) {
      const rung = this.#rungOf(at, hasWords, count);
      rungs[at] = rung === undefined ? never : rungNumbers[rung];
      if (rung === undefined) scores[at] = 0;
      else if (rung === 'all') scores[at] = this.#strict[at]!;
      else if (rung === 'most') scores[at]! *= this.#weights[at]! / this.#wholeWeight;
    }
    return { rungs, scores };
  }

  /** Undefined where a row does not match. */
  #rungOf(at: number, hasWords: boolean, count: number | undefined): Rung | undefined {
    const deciding = this.#deciding[at]!;
    if (hasWords && this.#strictWords[at] === this.#required) return 'all';
    if (count === undefined) return deciding > 0 ? 'any' : undefined;
    if (hasWords && this.#looseWords[at] === this.#required) return 'typos';
    return deciding > 0 && deciding >= count ? 'most' : undefined;
  }
}

type Sums = [Float64Array<ArrayBuffer>, Float64Array<ArrayBuffer>, Float64Array<ArrayBuffer>];
type Counts = [Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>];

/** The marks for a single word, whose weight is 1: its values are the scores. */
export function markWord({ strict, loose }: WordValues, looseRung: number): Marks {
  // All rows match, so all of them have the word in one of the forms that count.
  if (loose === strict) return { rungs: undefined, scores: strict };
  const rungs = new Uint8Array(strict.length);
  for (let at = 0; at < strict.length; at += 1) {
    rungs[at] = strict[at]! > 0 ? rungNumber('all') : loose[at]! > 0 ? looseRung : never;
  }
  return { rungs, scores: strict.map((value, at) => (value > 0 ? value : loose[at]!)) };
}
