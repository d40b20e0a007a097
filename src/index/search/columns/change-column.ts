import type { JsonObject } from '../../../contract/json.ts';
import {
  type FieldRule,
  type PlaceKind,
  type RuledPlace,
  ruledDocument,
  type UsualWeight,
  wordKey,
} from '../../../domain/search/field-rules.ts';
import { escapeText } from '../../terms/term-encoding.ts';
import type { ColumnMaker } from './column.ts';
import { createNumbering } from './numbering.ts';
import { rowsOfProject } from './term-entries.ts';

/** The column of what the rules of a project change in documents: each value is one word, or what most words weigh. */
export interface ChangeColumn extends ColumnMaker {
  /** Where a word stands by the value; undefined if it is of another word, by `wordKey`. */
  ruledBy(value: number, key: string): Ruled | undefined;
  /** The weight of most words of a locale at places of a kind, by the values of a document. */
  usualWeight(values: readonly number[], locale: string, kind: PlaceKind): number;
  /** Says of a value whether it is a word of a space that begins so, and which one, as terms write it. */
  beginningWith(
    space: string,
    word: string,
  ): (value: number) => { readonly word: string; readonly ruled: Ruled } | undefined;
}

type Ruled = RuledPlace | 'nowhere';

/** A word that stands elsewhere by the rules of a project: as a number it is small enough to be kept for each document. */
interface NumberedChange {
  /** `wordKey` */
  readonly key: string;
  readonly ruled: Ruled;
}

/** The cache key of the column of some rules. */
export function changeColumnName(rules: readonly FieldRule[]): string {
  return `words ${JSON.stringify(rules)}`;
}

/** The column of some rules. */
export function changeColumn(rules: readonly FieldRule[]): ChangeColumn {
  const { values, numberOf, bytes } = createNumbering<NumberedChange | UsualWeight>();

  function read(document: JsonObject): number[] {
    const { usual, changes } = ruledDocument(document, rules);
    return [
      ...usual.map((each) => numberOf(`${each.locale}|${each.kind}|${each.weight}|`, each, each.locale.length)),
      ...changes.map(({ locale, word, ruled }) => {
        const key = wordKey(locale, word);
        const name = ruled === 'nowhere' ? key : `${key}|${ruled.place}|${ruled.weight}`;
        return numberOf(name, { key, ruled }, word.length);
      }),
    ];
  }

  return {
    // Terms do not say in which field a word stands.
    build: rowsOfProject,
    read,
    bytes,
    ruledBy(value, key) {
      const found = values[value - 1]!;
      return 'key' in found && found.key === key ? found.ruled : undefined;
    },
    usualWeight(of, locale, kind) {
      for (const value of of) {
        const found = values[value - 1]!;
        if ('kind' in found && found.locale === locale && found.kind === kind) return found.weight;
      }
      return 1;
    },
    beginningWith(space, word) {
      const known = new Map<number, { readonly word: string; readonly ruled: Ruled } | undefined>();
      const [start, beginning] = [wordKey(space, '').length, wordKey(space, word)];
      return (value) => {
        if (known.has(value)) return known.get(value);
        const found = values[value - 1]!;
        const begins = 'key' in found && found.key.startsWith(beginning);
        const made = begins ? { word: escapeText(found.key.slice(start)), ruled: found.ruled } : undefined;
        known.set(value, made);
        return made;
      };
    },
  };
}
