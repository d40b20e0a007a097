import type { Documents } from '../../../domain/ports/resource-store.ts';
import type { DocumentTexts } from '../../row/stored-row.ts';
import { entriesOf, type Indexed, indexResource } from '../index/index-columns.ts';
import type { TermHash } from '../index/term-hash.ts';

/** What a change does to the indexes. Plain data. */
export interface IndexedChange extends Pick<Indexed, 'compared' | 'comparedStaged'> {
  /** Rows of `ordered_value` that go and come. */
  readonly lostEntries: readonly string[];
  readonly gainedEntries: readonly string[];
  /** As the column has them. */
  readonly terms: string;
  /** The number of the terms. */
  readonly termCount: number;
  /** Locale and word: see `Indexed`. */
  readonly words: Indexed['words'];
}

/** Computes it for a resource that becomes `after`, whose row has the texts; `before` is absent where it is created. */
export function indexChange(
  projectKey: string,
  before: Documents | undefined,
  after: Documents,
  texts: DocumentTexts,
  paths: readonly string[],
  hash: TermHash,
): IndexedChange {
  const lost = before ? entriesOf(projectKey, before, paths) : [];
  const { entries, terms, ...indexed } = indexResource(projectKey, after, texts, paths, before);
  return {
    ...{ ...indexed, lostEntries: without(lost, entries), gainedEntries: without(entries, lost) },
    ...{ terms: hash.arrayOf(terms), termCount: terms.length },
  };
}

function without(entries: readonly string[], others: readonly string[]): readonly string[] {
  if (others.length === 0) return entries;
  const known = new Set(others);
  return entries.filter((entry) => !known.has(entry));
}
