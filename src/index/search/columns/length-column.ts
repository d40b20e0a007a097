import { maxLengthClass, nameLengthClass, textLengthClass } from '../../../domain/search/relevance.ts';
import { wordsOfDocument } from '../../../domain/search/words/document-words.ts';
import { type LengthKind, lengthTerm } from '../../terms/word-terms.ts';
import type { Column, ColumnMaker } from './column.ts';
import { eachEntry, rowsStaged } from './term-entries.ts';

const classes = maxLengthClass + 1;

/** The classes of the length of the name and of that of the text, by the number of a row, which has both. */
const classesOf = {
  n: Uint8Array.from({ length: classes * classes + 1 }, (_, value) => Math.floor(Math.max(0, value - 1) / classes)),
  t: Uint8Array.from({ length: classes * classes + 1 }, (_, value) => Math.max(0, value - 1) % classes),
};

/** Writes the length of one kind of each row into an array in their order. */
export function readLengthsOf(column: Column, kind: LengthKind, rows: Uint32Array, into: Uint8Array): void {
  column.rows.lookUp(rows, classesOf[kind], into);
}

/** The column of the classes of the lengths of names and of texts under a locale. */
export function lengthColumn(locale: string): ColumnMaker {
  return {
    build(scope, column, progress) {
      for (const kind of ['n', 't'] as const) {
        const from = lengthTerm('', locale, kind, 0).slice(0, -1);
        const skip = from.length;
        const times = kind === 'n' ? classes : 1;
        eachEntry(scope, 'c', { from, to: `${from}~` }, progress, (term, rows) => {
          const value = times * Number(term.slice(skip));
          column.rows.setAll(rows, 1 + value, (row) => column.rows.set(row, column.rows.get(row) + value));
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
