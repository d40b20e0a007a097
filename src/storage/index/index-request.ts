import { stringifyJson } from '../../domain/json/parse.ts';
import type { Change, Documents } from '../../domain/ports/resource-store.ts';

/** Documents with more characters, about, are large: the others take a few milliseconds at most. */
export const largeCharacters = 16_384;

/** Both projections as texts; the shape of `DocumentTexts`. */
interface Texts {
  readonly current: string;
  readonly staged: string | null;
}

/** The documents of a change for a thread that indexes it, as texts since raw numbers cannot be cloned. */
export interface IndexRequest {
  readonly projectKey: string;
  readonly before: Texts | undefined;
  readonly after: Texts | undefined;
}

/** What a thread has to know of a change. */
export function indexRequestOf(change: Change): IndexRequest {
  const { projectKey } = change.kind === 'delete' ? change : change.next;
  const before = change.kind === 'create' ? undefined : change.before;
  const next = change.kind === 'delete' ? undefined : change.next;
  return {
    projectKey,
    before: before && textsOf(before),
    after: next && { current: next.current, staged: next.staged ?? null },
  };
}

function textsOf({ current, staged }: Documents): Texts {
  return { current: stringifyJson(current), staged: staged ? stringifyJson(staged) : null };
}
