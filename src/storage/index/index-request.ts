import type { JsonObject } from '../../contract/json.ts';
import { documentsBefore, replacedBy } from '../../domain/history/replaced.ts';
import { parseStoredJson, stringifyJson } from '../../domain/json/parse.ts';
import type { Change, Documents } from '../../domain/ports/resource-store.ts';

/** Documents with more characters, about, are large: the others take a few milliseconds at most. */
export const largeCharacters = 16_384;

/** Both projections as texts; the shape of `DocumentTexts`. */
interface Texts {
  readonly current: string;
  readonly staged: string | null;
}

/**
 * The documents of a change for a thread that indexes it, as texts since raw numbers cannot be cloned. Of an update those after it
 * and what it replaced: to write and send a megabyte twice would hold up the calling thread for some milliseconds more.
 */
export interface IndexRequest {
  readonly projectKey: string;
  /** Of a deletion. */
  readonly before: Texts | undefined;
  /** Of an update: see `replacedBy`. */
  readonly replaced: string | undefined;
  readonly after: Texts | undefined;
}

/** What a thread has to know of a change. */
export function indexRequestOf(change: Change): IndexRequest {
  if (change.kind === 'delete') {
    const before = textsOf(change.before);
    return { projectKey: change.projectKey, before, replaced: undefined, after: undefined };
  }
  const { projectKey, current, staged = null } = change.next;
  const replaced = change.kind === 'update' ? replacedBy(change.before, change.after) : undefined;
  return { projectKey, before: undefined, replaced, after: { current, staged } };
}

function textsOf({ current, staged }: Documents): Texts {
  return { current: stringifyJson(current), staged: staged ? stringifyJson(staged) : null };
}

function documentsOf({ current, staged }: Texts): Documents {
  const parse = (text: string) => parseStoredJson(text) as JsonObject;
  return staged === null ? { current: parse(current) } : { current: parse(current), staged: parse(staged) };
}

/** The documents before and after the change, as the thread needs them. */
export function documentsOfRequest({ before, replaced, after }: Omit<IndexRequest, 'projectKey'>): {
  readonly before: Documents | undefined;
  readonly after: Documents | undefined;
} {
  const next = after && documentsOf(after);
  if (replaced !== undefined) return { before: documentsBefore(replaced, next), after: next };
  return { before: before && documentsOf(before), after: next };
}
