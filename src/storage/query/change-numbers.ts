import type { JsonObject } from '../../contract/json.ts';
import { changesOf, type FieldRule, type WordChange, wordKey } from '../../domain/search/field-rules.ts';

/**
 * The words that stand elsewhere by the rules of a project, as numbers: many documents have the same ones, and a number is
 * small enough to be kept for each.
 */
export interface ChangeNumbers {
  /** The change that a number stands for: the first one is 1. */
  readonly changes: readonly NumberedChange[];
  /** Those of a document. */
  numbersOf(document: JsonObject): readonly number[];
  /** About the memory that all changes take. */
  bytes(): number;
}

export interface NumberedChange extends Pick<WordChange, 'ruled'> {
  /** `wordKey` */
  readonly key: string;
}

/** About the memory of a change beside the characters of its word. */
const changeBytes = 250;

/** Numbers for the changes of some rules. */
export function createChangeNumbers(rules: readonly FieldRule[]): ChangeNumbers {
  const changes: NumberedChange[] = [];
  const numbers = new Map<string, number>();
  let bytes = 0;

  function numberOf({ locale, word, ruled }: WordChange): number {
    const key = wordKey(locale, word);
    const name = ruled === 'nowhere' ? key : `${key}|${ruled.place}|${ruled.weight}`;
    const known = numbers.get(name);
    if (known !== undefined) return known;
    const number = changes.push({ key, ruled });
    numbers.set(name, number);
    bytes += changeBytes + 6 * word.length;
    return number;
  }

  return {
    changes,
    numbersOf: (document) => changesOf(document, rules).map(numberOf),
    bytes: () => bytes,
  };
}
