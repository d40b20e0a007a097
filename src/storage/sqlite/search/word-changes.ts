import { type FieldRule, type RuledPlace, wordKey } from '../../../domain/search/field-rules.ts';
import { isPlainSpace } from '../../../domain/search/words/locales.ts';
import type { Choice } from '../../query/word-choices.ts';
import type { ChangedRows, WordChanges } from './changed-rows.ts';
import { type ChangeColumn, changeColumn } from './columns/change-column.ts';
import { valuesOf } from './columns/column.ts';
import { eachDocument } from './columns/documents.ts';
import type { IndexedWords } from './query-terms.ts';
import { intersect } from './row-sets.ts';
import type { SearchContext } from './search.ts';

interface ChangeContext extends Pick<SearchContext, 'db' | 'projectKey' | 'staged' | 'cache' | 'commits' | 'deadline'> {
  readonly indexed: IndexedWords;
  /** The rows of documents that have one of the fields. */
  readonly rowsWithFields: () => Uint32Array;
}

/** By a column of all documents once it is built; until then by reading those with the word. */
export function createWordChanges(context: ChangeContext, rules: readonly FieldRule[]): WordChanges {
  const { db, projectKey, staged, cache, commits } = context;
  const scope = { db, projectKey, staged };
  const known = new Map<string, ChangedRows | undefined>();
  const own = changeColumn(rules);
  const read = new Map<number, readonly number[]>();
  let withFields: Uint32Array | undefined;

  function valuesOfRows(rows: Uint32Array): { readonly maker: ChangeColumn; valuesOf(row: number): readonly number[] } {
    const name = `words ${JSON.stringify(rules)}`;
    const ready = cache.columns.of(scope, commits, name, () => changeColumn(rules), rows.length);
    if (typeof ready !== 'string') {
      return { maker: ready.maker, valuesOf: (row) => valuesOf(ready.column, ready.column.rows.get(row)) };
    }
    withFields ??= context.rowsWithFields();
    const missing = intersect([rows, withFields]).filter((row) => !read.has(row));
    eachDocument(scope, missing, (document, row) => {
      context.deadline.checkNow();
      read.set(row, own.read(document));
    });
    return { maker: own, valuesOf: (row) => read.get(row) ?? [] };
  }

  function changedRows(choice: Choice): ChangedRows | undefined {
    // A beginning of one letter may have many thousand words.
    context.deadline.checkNow();
    const key = wordKey(choice.locale, choice.word);
    context.indexed.load([choice]);
    const rows = context.indexed.of(choice, false);
    if (rows.length === 0) return undefined;
    const { maker, valuesOf: valuesOfRow } = valuesOfRows(rows);
    const isPlain = isPlainSpace(choice.locale);
    const gone: number[] = [];
    const places = new Map<number, RuledPlace>();
    for (const row of rows) {
      for (const value of valuesOfRow(row)) {
        const change = maker.changes[value - 1]!;
        if (change.key !== key) continue;
        if (change.ruled === 'nowhere') gone.push(row);
        else places.set(row, change.ruled);
      }
      // The index has the words of the locale there, of which the changes say which ones are plain.
      if (isPlain && !places.has(row) && gone.at(-1) !== row) gone.push(row);
    }
    return gone.length + places.size === 0 ? undefined : { gone: Uint32Array.from(gone), places };
  }

  return {
    of(choice) {
      const key = wordKey(choice.locale, choice.word);
      if (!known.has(key)) known.set(key, changedRows(choice));
      return known.get(key);
    },
  };
}
