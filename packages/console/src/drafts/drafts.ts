import type { Call } from '../api/client.ts';
import { type Json, type JsonMap, sameJson } from '../api/json.ts';
import { actorName } from '../app/live.ts';
import { call } from '../app/session.ts';
import { type Difference, differences, type Path, pathText, valueAt } from '../model/paths.ts';
import { historyCall } from '../resource/read-calls.ts';
import { type FieldChange, isActionable } from '../resource/write.ts';

/** A field whose staged value is not what readers see. `before` is what they see, `after` the draft. */
export interface Draft extends Difference {
  /** Who staged it last, and when, as far as the history reaches. */
  readonly by?: string;
  readonly at?: string;
}

/** A save that waits for an answer, as it would replace drafts that the form does not show. */
export interface DraftQuestion {
  readonly drafts: readonly Draft[];
  /** The resource with the changes. */
  readonly merged: JsonMap;
  readonly request: Call;
  /** The save with the drafts staged again; undefined where that cannot be said. */
  readonly keep: Call | undefined;
  readonly isStaged: boolean;
}

/** An entry of the history, as far as it says who staged something. */
export interface StagingEntry {
  readonly at: string;
  readonly actor: Parameters<typeof actorName>[0]['actor'];
  readonly diff?: { readonly staged?: readonly { readonly path: string }[] };
}

/** The drafts of a resource. `entries`: its history, the newest first. */
export function draftsOf(current: JsonMap, staged: JsonMap, entries: readonly StagingEntry[]): readonly Draft[] {
  return differences(current, staged).map((difference) => {
    const entry = entries.find(({ diff }) =>
      diff?.staged?.some(({ path }) => overlaps(namesOf(path), difference.path)),
    );
    return entry ? { ...difference, by: actorName(entry), at: entry.at } : difference;
  });
}

/** The names in a JSON pointer. */
export function namesOf(pointer: string): Path {
  const names = pointer.split('/').slice(1);
  return names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** True if one of the places is the other, or is in it. The root is in no place: entries of the whole say nothing. */
export function overlaps(a: Path, b: Path): boolean {
  const depth = Math.min(a.length, b.length);
  return depth > 0 && a.slice(0, depth).every((name, at) => b[at] === name);
}

/**
 * The drafts that a save of the changes replaces and that the person has not seen in the form. `isWhole`: it overwrites
 * the resource with all that is staged.
 */
export function replacedDrafts(
  drafts: readonly Draft[],
  changes: readonly FieldChange[],
  { seen, staged, isWhole }: { readonly seen: JsonMap; readonly staged: JsonMap; readonly isWhole: boolean },
): readonly Draft[] {
  return drafts.filter((draft) => {
    if (isWhole) return true;
    return changes.some(({ path, value }) => {
      if (!overlaps(path, draft.path)) return false;
      const outer = path.length < draft.path.length ? path : draft.path;
      const isSame = path.length === draft.path.length && sameJson(value, draft.after);
      return !isSame && !sameJson(valueAt(seen, outer), valueAt(staged, outer));
    });
  });
}

/** The update actions that stage the drafts again after a save; undefined where no action can say one of them. */
export function keepActions(
  drafts: readonly Draft[],
  changes: readonly FieldChange[],
  staged: JsonMap,
): readonly JsonMap[] | undefined {
  const kept = new Map<string, { readonly path: Path; readonly value: Json | undefined }>();
  for (const draft of drafts) {
    for (const { path } of changes.filter((change) => overlaps(change.path, draft.path))) {
      const outer = path.length < draft.path.length ? path : draft.path;
      kept.set(pathText(outer), { path: outer, value: valueAt(staged, outer) });
    }
  }
  const again = [...kept.values()];
  if (!again.every(isActionable)) return undefined;
  return again.map(({ path, value }) => ({
    ...{ action: 'setField', path: pathText(path), staged: true },
    ...(value !== undefined && { value }),
  }));
}

/** Reads what is staged beside what readers see, and who staged it, as far as the history is kept. */
export async function readDrafts(
  projectKey: string,
  current: JsonMap,
  readStaged: () => Promise<JsonMap>,
): Promise<{ readonly staged: JsonMap; readonly drafts: readonly Draft[] }> {
  const [staged, page] = await Promise.all([
    readStaged(),
    call(projectKey, historyCall(projectKey, current.id as string)).catch(() => undefined),
  ]);
  const { results = [] } = (page?.body ?? {}) as { results?: unknown };
  return { staged, drafts: draftsOf(current, staged, results as readonly StagingEntry[]) };
}
