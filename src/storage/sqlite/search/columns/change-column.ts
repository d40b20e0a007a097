import type { JsonObject } from '../../../../contract/json.ts';
import {
  type FieldRule,
  type RuledPlace,
  ruledDocument,
  type UsualWeight,
  wordKey,
} from '../../../../domain/search/field-rules.ts';
import type { ColumnMaker } from './build-column.ts';
import { rowsOfProject } from './term-entries.ts';

/** The column of what the rules of a project change in documents: each value is one word, or what most words weigh. */
export interface ChangeColumn extends ColumnMaker {
  /** Where a word stands by the value; undefined if it is of another word, by `wordKey`. */
  ruledBy(value: number, key: string): RuledPlace | 'nowhere' | undefined;
  /** What most words weigh by the value; undefined if it is of one word. */
  usualBy(value: number): UsualWeight | undefined;
}

interface Value {
  readonly key: string;
  readonly ruled: RuledPlace | 'nowhere';
}

/** About the memory of a value beside the characters of its word. */
const valueBytes = 250;

/** The column of some rules. */
export function changeColumn(rules: readonly FieldRule[]): ChangeColumn {
  const values: (Value | UsualWeight)[] = [];
  const numbers = new Map<string, number>();
  let bytes = 0;

  function numberOf(name: string, value: Value | UsualWeight): number {
    const known = numbers.get(name);
    if (known !== undefined) return known;
    const number = values.push(value);
    numbers.set(name, number);
    bytes += valueBytes + 6 * name.length;
    return number;
  }

  function read(document: JsonObject): readonly number[] {
    const { usual, changes } = ruledDocument(document, rules);
    return [
      ...usual.map((each) => numberOf(`${each.locale}|${each.kind}|${each.weight}|`, each)),
      ...changes.map(({ locale, word, ruled }) => {
        const key = wordKey(locale, word);
        const name = ruled === 'nowhere' ? key : `${key}|${ruled.place}|${ruled.weight}`;
        return numberOf(name, { key, ruled });
      }),
    ];
  }

  return {
    // Terms do not say in which field a word stands.
    *build(scope) {
      const rows = rowsOfProject(scope);
      yield;
      return rows;
    },
    read,
    bytes: () => bytes,
    ruledBy(value, key) {
      const found = values[value - 1]!;
      return 'key' in found && found.key === key ? found.ruled : undefined;
    },
    usualBy(value) {
      const found = values[value - 1]!;
      return 'kind' in found ? found : undefined;
    },
  };
}
