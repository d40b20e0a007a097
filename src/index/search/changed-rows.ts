import type { RuledPlace } from '../../domain/search/field-rules.ts';
import { inAttribute } from '../../domain/search/words/document-words.ts';
import type { Choice } from './words/word-choices.ts';

/** The rows where a word stands elsewhere than the index says. */
export interface ChangedRows {
  /** The word is only in fields whose words are not found; ascending. */
  readonly gone: Uint32Array;
  readonly places: ReadonlyMap<number, RuledPlace>;
}

/** The effect of the rules of a project, word by word. */
export interface WordChanges {
  /** Undefined where the index is right. */
  of(choice: Choice): ChangedRows | undefined;
}

/** The rows of a word without those that have it nowhere; with `isShort` only in names and attributes. */
export function withoutGone(rows: Uint32Array, { gone, places }: ChangedRows, isShort: boolean): Uint32Array {
  const out = new Set(gone);
  if (isShort) for (const [row, { place }] of places) if (place < inAttribute) out.add(row);
  return out.size === 0 ? rows : rows.filter((row) => !out.has(row));
}
