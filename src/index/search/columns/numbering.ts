/** Values as numbers from 1 on, each once. */
interface Numbering<T> {
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
