import type { JsonValue } from '../../../contract/json.ts';
import { isJsonArray, isJsonObject } from '../../../domain/json/values.ts';
import type { Change } from '../../../domain/ports/resource-store.ts';
import { type IndexRequest, indexRequestOf, largeCharacters } from '../../index/index-request.ts';
import type { WordGroup } from '../../index/word-groups.ts';
import { createThreadOnDemand } from '../../threads/thread-on-demand.ts';
import type { LargeDifference } from './index-thread.ts';

/** Terms that a large document loses and gains, of its values and of its words, and the words that it gains. */
export type IndexColumns = readonly [
  removed: string,
  added: string,
  removedText: string,
  addedText: string,
  addedWords: readonly WordGroup[],
];

/** The same by names. */
export function namedColumns([removed, added, removedText, addedText, addedWords]: IndexColumns): LargeDifference {
  return { removed, added, removedText, addedText, addedWords };
}

/**
 * Computes how a change of a large document changes the index, in a thread: dividing a megabyte of text into words takes
 * up to a second, during which the writer would commit nothing. It does the others by itself.
 */
export interface Indexer {
  differenceOfLarge(change: Change): Promise<LargeDifference> | undefined;
  close(): Promise<void>;
}

/** An indexer without a thread, which starts with the first large document, and ends when none has come for a while. */
export function createIndexer(declaredPaths: readonly string[], idleMs?: number): Indexer {
  const thread = createThreadOnDemand<IndexRequest, LargeDifference>(
    new URL('./index-thread.ts', import.meta.url),
    { declaredPaths },
    idleMs,
  );

  function difference(change: Change): Promise<LargeDifference> {
    const request = indexRequestOf(change);
    return thread.ask(request.projectKey, request);
  }

  return {
    differenceOfLarge: (change) => (isLarge(change) ? difference(change) : undefined),
    close: thread.close,
  };
}

function isLarge(change: Change): boolean {
  const next = change.kind === 'delete' ? undefined : change.next;
  const written = next ? next.current.length + (next.staged?.length ?? 0) : 0;
  if (written > largeCharacters || change.kind === 'create') return written > largeCharacters;
  const { current, staged } = change.before;
  return charsLeft(staged, charsLeft(current, largeCharacters)) < 0;
}

/** About how many of so many characters a value leaves; negative as soon as it has more. */
function charsLeft(value: JsonValue | undefined, chars: number): number {
  if (typeof value === 'string') return chars - value.length;
  if (chars < 0 || typeof value !== 'object' || value === null) return chars - 1;
  let left = chars;
  if (isJsonArray(value)) {
    for (let at = 0; at < value.length && left >= 0; at += 1) left = charsLeft(value[at], left - 1);
  } else if (isJsonObject(value)) {
    for (const name in value) {
      if (left < 0) break;
      left = charsLeft(value[name], left - name.length);
    }
  }
  return left;
}
