import { isPlainSpace } from '#words';
import { type FieldRule, kindOfPlace, type RuledPlace, wordKey } from '../../domain/search/field-rules.ts';
import { inAttribute, inName, type Place } from '../../domain/search/words/document-words.ts';
import { eachDocument } from '../query/rows.ts';
import { intersect } from '../terms/row-sets.ts';
import { type ChangeColumn, changeColumn, changeColumnName } from './columns/change-column.ts';
import { FollowedColumn } from './columns/column.ts';
import type { SearchBase } from './query-terms.ts';
import type { SearchContext } from './search.ts';
import type { Choice } from './words/word-choices.ts';

/** The rows where a word stands elsewhere than the index says. */
export interface ChangedRows {
  /** The word is only in fields whose words are not found; ascending. */
  readonly gone: Uint32Array;
  readonly places: ReadonlyMap<number, RuledPlace>;
}

/** The rows of a word without those that have it nowhere; with `isShort` only in names and attributes. */
export function withoutGone(rows: Uint32Array, { gone, places }: ChangedRows, isShort: boolean): Uint32Array {
  const out = new Set(gone);
  if (isShort) for (const [row, { place }] of places) if (place < inAttribute) out.add(row);
  return out.size === 0 ? rows : rows.filter((row) => !out.has(row));
}

interface ChangeContext extends SearchBase, Pick<SearchContext, 'postings'> {
  /** The rows of documents that have one of the fields. */
  readonly rowsWithFields: () => Uint32Array;
}

/** The changes by the rules of fields: of a column of all documents once it is built, until then of the documents with the word. */
export class FieldChanges {
  readonly #context: ChangeContext;
  readonly #rules: readonly FieldRule[];
  /** By `wordKey`. */
  readonly #changed = new Map<string, ChangedRows | undefined>();
  /** Cached reads of documents, by row. */
  readonly #read = new Map<number, readonly number[]>();
  readonly #maker: ChangeColumn;
  #withFields: Uint32Array | undefined;

  constructor(context: ChangeContext, rules: readonly FieldRule[]) {
    this.#context = context;
    this.#rules = rules;
    this.#maker = changeColumn(rules);
  }

  /** Undefined where the index is right. */
  of(choice: Choice): ChangedRows | undefined {
    const key = wordKey(choice.locale, choice.word);
    if (!this.#changed.has(key)) this.#changed.set(key, this.#changedRows(choice));
    return this.#changed.get(key);
  }

  #changedRows(choice: Choice): ChangedRows | undefined {
    const { deadline, postings } = this.#context;
    // A beginning of one letter may have many thousand words.
    deadline.checkNow();
    const placed = postings.placed(choice);
    const { rows } = placed;
    if (rows.length === 0) return undefined;
    const { maker, valuesOf: valuesOfRow } = this.#valuesOfRows(rows);
    const ruledBy = createRuling(maker, choice);
    const gone: number[] = [];
    const places = new Map<number, RuledPlace>();
    const { of, usual } = placed.places;
    for (let at = 0; at < rows.length; at += 1) {
      const ruled = ruledBy(valuesOfRow(rows[at]!), (of.length === 0 ? usual : of[at]!) as Place);
      if (ruled === 'nowhere') gone.push(rows[at]!);
      else if (ruled) places.set(rows[at]!, ruled);
    }
    return gone.length + places.size === 0 ? undefined : { gone: Uint32Array.from(gone), places };
  }

  #valuesOfRows(rows: Uint32Array): { readonly maker: ChangeColumn; valuesOf(row: number): readonly number[] } {
    const { cache, commits, deadline, rowsWithFields } = this.#context;
    const make = () => new FollowedColumn(this.#context, changeColumn(this.#rules));
    const ready = cache.columns.of(this.#context, commits, changeColumnName(this.#rules), rows.length, make);
    if (ready) {
      const { column, maker } = ready;
      return { maker, valuesOf: (row) => column.valuesOf(column.rows.get(row)) };
    }
    this.#withFields ??= rowsWithFields();
    const missing = intersect([rows, this.#withFields]).filter((row) => !this.#read.has(row));
    eachDocument(this.#context, missing, (document, row) => {
      deadline.checkNow();
      this.#read.set(row, this.#maker.read(document));
    });
    return { maker: this.#maker, valuesOf: (row) => this.#read.get(row) ?? [] };
  }
}

/** Says where a word stands that the index has at a place, by the values of its row; undefined where that is right. */
type Ruling = (values: readonly number[], place: Place) => RuledPlace | 'nowhere' | undefined;

function createRuling(maker: ChangeColumn, { locale, word }: Choice): Ruling {
  const key = wordKey(locale, word);
  const isPlain = isPlainSpace(locale);
  /** By place and weight, one object for all rows. */
  const ruledPlaces = Array.from({ length: inName + 1 }, () => new Map<number, RuledPlace>());

  function ruledPlace(place: Place, weight: number): RuledPlace {
    const byWeight = ruledPlaces[place]!;
    const known = byWeight.get(weight) ?? { place, weight };
    byWeight.set(weight, known);
    return known;
  }

  return (values, place) => {
    for (const value of values) {
      const own = maker.ruledBy(value, key);
      if (own === 'nowhere') return own;
      if (own) return own.place === place && own.weight === 1 ? undefined : own;
    }
    // The index has the words of the locale there, of which the changes say which ones are plain.
    const weight = isPlain ? 0 : maker.usualWeight(values, locale, kindOfPlace(place));
    if (weight === 0) return 'nowhere';
    return weight === 1 ? undefined : ruledPlace(place, weight);
  };
}
