import { lengthClass } from '../../../../domain/search/relevance.ts';
import { lengthIn, wordsOfDocument } from '../../../../domain/search/words/document-words.ts';
import { lengthTerm } from '../../../index/word-terms.ts';
import { type ColumnMaker, setValues } from './columns.ts';
import { eachEntry, rowsStaged } from './term-entries.ts';

/** The column of the length of what a search in a locale reads: the class of the length and 1. */
export function lengthColumn(locale: string): ColumnMaker {
  return {
    *build(place, column) {
      // What stands under no locale first: a document that has the locale too is told of by that.
      for (const space of ['', locale]) {
        const range = { from: lengthTerm('', space, 0), to: lengthTerm('', space, 7), through: true };
        yield* eachEntry(place, 'c', range, (term, row) => setValues(column, row, [Number(term.at(-1)) + 1]));
      }
      return rowsStaged(place);
    },
    read: (document) => [lengthClass(lengthIn(wordsOfDocument(document), locale)) + 1],
    bytes: () => 0,
  };
}
