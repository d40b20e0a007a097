import { changesOf, type FieldRule, type WordChange, wordKey } from '../../../../domain/search/field-rules.ts';
import type { ColumnMaker } from './build-column.ts';
import { rowsOfProject } from './term-entries.ts';

/** The column of the words that stand elsewhere by the rules of the project: each value is a change of one word. */
export interface ChangeColumn extends ColumnMaker {
  /** The change that a value stands for. */
  readonly changes: readonly NumberedChange[];
}

export interface NumberedChange extends Pick<WordChange, 'ruled'> {
  /** `wordKey` */
  readonly key: string;
}

/** About the memory of a change beside the characters of its word. */
const changeBytes = 250;

/** The column of some rules. */
export function changeColumn(rules: readonly FieldRule[]): ChangeColumn {
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
    // Terms do not say in which field a word stands.
    *build(scope) {
      const rows = rowsOfProject(scope);
      yield;
      return rows;
    },
    read: (document) => changesOf(document, rules).map(numberOf),
    bytes: () => bytes,
  };
}
