import type { DatabaseSync } from 'node:sqlite';
import type { Documents } from '../../../domain/ports/resource-store.ts';
import { groupWords, type WordGroup } from '../../index/word-groups.ts';
import { type ChangeRecord, documentsBefore } from '../../row/change-record.ts';
import { resultCode } from '../open/connection.ts';
import { createPartlyIndexedList } from '../open/partly-indexed.ts';
import { createRecordReader } from './change-records.ts';
import type { RowDifference } from './follower.ts';
import { createDocumentReader } from './indexed-documents.ts';
import type { TermMerger } from './merge-index.ts';
import type { TermWriter } from './term-writer.ts';
import type { VocabularyWriter } from './vocabulary-writer.ts';

/**
 * Writes the terms of large documents in portions, each in a transaction of its own, so that the writes of others are committed
 * in between. Each portion may be written again: after a crash all those of a change are.
 */
export interface Portions {
  /** The projects of changes that are indexed in part: their queries have to wait. */
  projects(): ReadonlySet<string>;
  /** Whether the difference of a row is left to portions: because it is large, or comes after one of the row that is. */
  takes(difference: RowDifference): boolean;
  /** Whether a change of a row is left to portions. */
  hasRow(row: number): boolean;
  /** Leaves a difference to portions, inside the open transaction, which has it counted and in its orders. */
  add(difference: RowDifference): void;
  /** Writes who waits for portions, once in the transaction. */
  flush(): void;
  /** Writes the next portion, inside the open transaction. */
  write(): void;
  /** Whether a change is left to these portions. */
  isOwn(sequence: number): boolean;
  /** Whether another process has left changes that are indexed in part. */
  hasLeftovers(): boolean;
  committed(): void;
  rolledBack(): void;
}

/** Characters of terms in a portion: some milliseconds, merging included. A difference with more of them is large. */
export const portionCharacters = 131_072;

/** So much of a portion has terms whose words may be gone: each is looked for in the index. */
const lostShare = 1 / 8;

/** What is left of a change, first things first. */
interface Portioned {
  readonly difference: RowDifference;
  readonly steps: Iterator<() => void>;
  /** The step that the open transaction, or the next one, runs: it is kept until it is committed. */
  step: (() => void) | undefined;
}

export interface PortionParts {
  readonly termWriter: TermWriter;
  readonly vocabulary: VocabularyWriter;
  readonly merger: TermMerger;
  /** See `portionCharacters`. */
  readonly characters: number;
}

/** Pieces of terms separated by spaces, of about so many characters. */
function* piecesOf(terms: string, characters: number): Generator<string> {
  for (let from = 0; from < terms.length; ) {
    const space = terms.indexOf(' ', from + characters);
    const until = space < 0 ? terms.length : space;
    yield terms.slice(from, until);
    from = until + 1;
  }
}

function wordsOf({ terms }: RowDifference): readonly WordGroup[] {
  return 'gained' in terms ? groupWords(terms.gained) : terms.addedWords;
}

/**
 * The work of a change: its terms first, then words that came, then those that nobody has any more. `mayBeDone`: some of it may
 * have been done by a process that ended. Then terms are added before they are removed, since FTS5 counts how many there are, and
 * takes fewer than none for damage.
 */
function* stepsOf(difference: RowDifference, parts: PortionParts, mayBeDone = false): Generator<() => void> {
  const { projectKey, row, sequence, terms } = difference;
  const { termWriter, vocabulary, merger, characters } = parts;
  for (const removed of [terms.removed, terms.removedText]) {
    for (const piece of piecesOf(removed, characters)) {
      if (mayBeDone) yield () => termWriter.replace(row, '', piece);
      yield () => merger.wrote(termWriter.replace(row, piece, ''));
    }
  }
  for (const added of [terms.added, terms.addedText]) {
    for (const piece of piecesOf(added, characters)) {
      yield () => merger.wrote(termWriter.replace(row, '', piece));
    }
  }
  for (const group of wordsOf(difference)) yield () => vocabulary.addGroups(projectKey, [group], sequence);
  for (const piece of piecesOf(terms.removedText, Math.ceil(characters * lostShare)))
    yield () => vocabulary.remove([piece]);
}

/** Prepares it on a connection that writes. */
export function createPortions(db: DatabaseSync, parts: PortionParts): Portions {
  const list = createPartlyIndexedList(db);
  let waiting: Portioned[] = [];
  /** Added in the open transaction. */
  let added: Portioned[] = [];
  /** What the open transaction does of the first one: nothing, a step, or the last one; another process may have done that. */
  let done: 'nothing' | 'step' | 'all' = 'nothing';

  const all = () => [...waiting, ...added];
  const hasRow = (row: number) => all().some(({ difference }) => difference.row === row);

  const isOwn = (sequence: number) => all().some(({ difference }) => difference.sequence === sequence);

  return {
    isOwn,
    hasLeftovers: () => list.read().some(([sequence]) => !isOwn(sequence)),
    projects: () => new Set(all().map(({ difference }) => difference.projectKey)),
    hasRow,
    takes(difference) {
      if (hasRow(difference.row)) return true;
      const { terms } = difference;
      if ('gained' in terms) return false;
      const { removed, added: more, removedText, addedText } = terms;
      return removed.length + more.length + removedText.length + addedText.length > parts.characters;
    },
    add(difference) {
      const { row, before, after } = difference;
      // A row is in the index until its last term is gone: FTS5 counts them.
      if (!before && after) parts.termWriter.begin(row);
      added.push({ difference, steps: stepsOf(difference, parts), step: undefined });
    },
    flush() {
      if (added.length === 0) return;
      list.add(added.map(({ difference: { sequence, row, projectKey } }) => [sequence, row, projectKey]));
    },
    write() {
      const first = waiting[0];
      if (!first) return;
      const { sequence, row, before, after } = first.difference;
      done = 'all';
      if (!list.read().some(([other]) => other === sequence)) return;
      first.step ??= first.steps.next().value as (() => void) | undefined;
      if (first.step) {
        first.step();
        done = 'step';
        return;
      }
      if (before && !after) parts.termWriter.end(row);
      list.remove(sequence);
    },
    committed() {
      if (done === 'all') waiting.shift();
      else if (done === 'step') waiting[0]!.step = undefined;
      done = 'nothing';
      waiting = all();
      added = [];
    },
    rolledBack() {
      done = 'nothing';
      added = [];
    },
  };
}

/** Writes a portion in a transaction of its own. Throws where SQLite does, with nothing written. */
export function writePortion(db: DatabaseSync, portions: Pick<Portions, 'write' | 'committed' | 'rolledBack'>): void {
  db.exec('BEGIN IMMEDIATE');
  try {
    portions.write();
    db.exec('COMMIT');
    portions.committed();
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    portions.rolledBack();
    throw error;
  }
}

/**
 * Writes what another process has left of the changes that are indexed in part, inside the open transaction. `differenceOf`
 * computes the difference of a change from the documents before and after it. Returns the rows for which it cannot, because a record
 * or the row is damaged: it leaves these as they are.
 */
export function finishPortions(
  db: DatabaseSync,
  parts: PortionParts,
  isOwn: (sequence: number) => boolean,
  differenceOf: (
    record: ChangeRecord,
    before: Documents | undefined,
    after: Documents | undefined,
  ) => readonly RowDifference[],
): readonly number[] {
  const list = createPartlyIndexedList(db);
  const documentsIn = createDocumentReader(db);
  const recordsFrom = createRecordReader(db, 'row = ? AND sequence >= ?');
  const damaged: number[] = [];

  function differencesOf(sequence: number, row: number) {
    const { changes, isIntact } = recordsFrom(row, sequence);
    const [record, ...later] = changes;
    if (record?.sequence !== sequence || !isIntact) throw new Error(`the record of change ${sequence} is damaged`);
    const after = later.reduceRight((next, { before }) => documentsBefore(before, next), documentsIn(row));
    const before = documentsBefore(record.before, after);
    return { differences: differenceOf(record, before, after), isGone: before !== undefined && after === undefined };
  }

  for (const [sequence, row] of [...list.read()].sort(([a], [b]) => a - b)) {
    if (isOwn(sequence) || damaged.includes(row)) continue;
    try {
      const { differences, isGone } = differencesOf(sequence, row);
      for (const difference of differences) for (const step of stepsOf(difference, parts, true)) step();
      if (isGone) parts.termWriter.end(row);
      list.remove(sequence);
    } catch (error) {
      if (resultCode(error) !== undefined) throw error;
      damaged.push(row);
    }
  }
  return damaged;
}
