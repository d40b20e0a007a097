import { lengthClass } from '../../../../domain/search/relevance.ts';
import { lengthIn, wordsOfDocument } from '../../../../domain/search/words/document-words.ts';
import { lengthTerm } from '../../../index/word-terms.ts';
import { setValues } from './column.ts';
import type { ColumnMaker } from './columns.ts';
import { eachEntry, rowsStaged } from './term-entries.ts';

/** The column of the length of what a search in a locale reads: 1 plus the class of the length. */
export function lengthColumn(locale: string): ColumnMaker {
  return {
    *build(scope, column) {
      // Text under no locale first: the entry of the locale, where there is one, includes it and replaces it.
      for (const space of ['', locale]) {
        const range = { from: lengthTerm('', space, 0), to: lengthTerm('', space, 7), through: true };
        yield* eachEntry(scope, 'c', range, (term, row) => setValues(column, row, [Number(term.at(-1)) + 1]));
      }
      return rowsStaged(scope);
    },
    read: (document) => [lengthClass(lengthIn(wordsOfDocument(document), locale)) + 1],
    bytes: () => 0,
  };
}
