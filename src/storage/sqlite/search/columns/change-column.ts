import type { FieldRule } from '../../../../domain/search/field-rules.ts';
import { type ChangeNumbers, createChangeNumbers } from '../../../query/change-numbers.ts';
import type { ColumnMaker } from './build-column.ts';
import { rowsOfProject } from './term-entries.ts';

/** The column of the words that stand elsewhere by the rules of the project: each value is a change of one word. */
export type ChangeColumn = ColumnMaker & Pick<ChangeNumbers, 'changes'>;

/** The column of some rules. */
export function changeColumn(rules: readonly FieldRule[]): ChangeColumn {
  const { changes, numbersOf, bytes } = createChangeNumbers(rules);
  return {
    changes,
    // Terms do not say in which field a word stands.
    *build(scope) {
      const rows = rowsOfProject(scope);
      yield;
      return rows;
    },
    read: numbersOf,
    bytes,
  };
}
