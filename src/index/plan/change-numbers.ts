import { type WordChange, wordKey } from '../../domain/search/field-rules.ts';

/** A word that stands elsewhere by the rules of a project: as a number it is small enough to be kept for each document. */
export interface NumberedChange extends Pick<WordChange, 'ruled'> {
  /** `wordKey` */
  readonly key: string;
}

/** Values as numbers from 1 on, each once. */
export interface Numbering<T> {
  readonly values: readonly T[];
  /** The number of a value, by its name; `letters` of it take memory. */
  readonly numberOf: (name: string, value: T, letters: number) => number;
  /** About the memory that all values take. */
  readonly bytes: () => number;
}

/** About the memory of a value beside its letters. */
const valueBytes = 250;
const letterBytes = 6;

/** No values. */
export function createNumbering<T>(): Numbering<T> {
  const values: T[] = [];
  const numbers = new Map<string, number>();
  let bytes = 0;
  return {
    values,
    numberOf(name, value, letters) {
      const known = numbers.get(name);
      if (known !== undefined) return known;
      const number = values.push(value);
      numbers.set(name, number);
      bytes += valueBytes + letterBytes * letters;
      return number;
    },
    bytes: () => bytes,
  };
}

/** The number of a change: documents that have the same word at the same place have the same one. */
export function numberOfChange(
  { locale, word, ruled }: WordChange,
  numberOf: Numbering<NumberedChange>['numberOf'],
): number {
  const key = wordKey(locale, word);
  const name = ruled === 'nowhere' ? key : `${key}|${ruled.place}|${ruled.weight}`;
  return numberOf(name, { key, ruled }, word.length);
}
