import { maxLengthClass, nameLengthClass, textLengthClass } from '../../../../domain/search/relevance.ts';
import { wordsOfDocument } from '../../../../domain/search/words/document-words.ts';
import { lengthTerm } from '../../../index/word-terms.ts';
import { put } from './column.ts';
import type { ColumnMaker } from './columns.ts';
import { eachEntry, rowsStaged } from './term-entries.ts';

/** Both lengths of a row in one number above 0. */
export interface Lengths {
  readonly name: number;
  readonly text: number;
}

const classes = maxLengthClass + 1;

/** The lengths that a number of the column stands for. */
export function lengthsOf(value: number): Lengths {
  const packed = Math.max(0, value - 1);
  return { name: Math.floor(packed / classes), text: packed % classes };
}

/** The column of the classes of the lengths of names and of texts under a locale. */
export function lengthColumn(locale: string): ColumnMaker {
  return {
    *build(scope, column) {
      for (const kind of ['n', 't'] as const) {
        const from = lengthTerm('', locale, kind, 0).slice(0, -1);
        const skip = from.length;
        const times = kind === 'n' ? classes : 1;
        yield* eachEntry(scope, 'c', { from, to: `${from}~`, through: true }, (term, row) => {
          put(column, row, Math.max(1, column.rows.get(row)) + times * Number(term.slice(skip)));
        });
      }
      return rowsStaged(scope);
    },
    read(document) {
      const words = wordsOfDocument(document).get(locale);
      if (!words) return [];
      return [1 + classes * nameLengthClass(words.nameLength) + textLengthClass(words.textLength)];
    },
    bytes: () => 0,
  };
}
