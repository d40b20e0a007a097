import type { JsonObject } from '../../contract/json.ts';
import { stringifyJson } from '../json/parse.ts';
import type { LoggedChange } from '../ports/change-log.ts';
import { fieldsBetween, recordedFields } from './changed-fields.ts';
import { provenanceOf } from './event.ts';
import { jsonPatch } from './json-patch.ts';
import { type HistorySource, isKnown, type State, type Step, stepsBack } from './walk.ts';

/** A change in the history of a resource, as responses have it (contract/events.ts). */
type HistoryEntry = ReturnType<typeof entryOf>;

export interface HistoryOptions {
  /** Only changes with a smaller sequence. */
  readonly below: number | undefined;
  /** 1–500 */
  readonly limit: number;
  readonly diff: 'none' | 'patch' | 'patchWithOldValues';
}

/** Differences take memory: a page ends early once its patches have about this many characters. */
const maxPatchCharacters = 4_000_000;

/**
 * A page of the history of a resource, of all resources that had this id, newest first. `next`: `below` for the page after this one;
 * undefined if this is the last one.
 */
export async function historyPage(
  source: HistorySource,
  projectKey: string,
  id: string,
  options: HistoryOptions,
  signal?: AbortSignal,
): Promise<{ readonly entries: readonly HistoryEntry[]; readonly next: number | undefined }> {
  const { below, limit, diff } = options;
  const changes = await source.log.changesOf(projectKey, id, below, limit);
  const fields = new Map(changes.map((change) => [change.sequence, recordedFields(change)]));
  const next = changes.length === limit ? changes.at(-1)!.sequence : undefined;
  const needsDocuments = diff !== 'none' || [...fields.values()].includes('documentsNeeded');
  if (!needsDocuments) return { entries: changes.map((change) => entryOf(change, fields.get(change.sequence))), next };

  const entries = new Map<number, HistoryEntry>();
  const last = changes.at(-1)?.sequence ?? 0;
  let characters = 0;
  for await (const step of stepsBack(source, projectKey, id, signal)) {
    const { sequence } = step.change;
    if (sequence < last) break;
    if (!fields.has(sequence)) continue;
    const entry = entryOf(step.change, fields.get(sequence), step, diff);
    entries.set(sequence, entry);
    characters += entry.diff === undefined ? 0 : stringifyJson(entry.diff as unknown as JsonObject).length;
    if (characters > maxPatchCharacters) {
      const fitting = changes.filter((change) => change.sequence >= sequence);
      return { entries: fitting.map(entryFor), next: sequence };
    }
  }
  return { entries: changes.map(entryFor), next };

  /** Pruned meanwhile, or not yet in the record that the store returned: what its own record tells. */
  function entryFor(change: LoggedChange): HistoryEntry {
    return entries.get(change.sequence) ?? entryOf(change, fields.get(change.sequence));
  }
}

function entryOf(
  change: LoggedChange,
  recorded: ReturnType<typeof recordedFields>,
  step?: Step,
  diff: HistoryOptions['diff'] = 'none',
) {
  const { key, version } = change;
  const isBetween = step !== undefined && isKnown(step.before) && isKnown(step.after);
  const between = isBetween ? fieldsBetween(step.before, step.after) : undefined;
  const { type, ...others } = provenanceOf(change, recorded === 'documentsNeeded' ? between : recorded);
  const patch = step && diff !== 'none' ? diffOf(step, diff === 'patchWithOldValues') : undefined;
  return { version, type, ...(key !== undefined && { key }), ...others, ...(patch && { diff: patch }) };
}

/** JSON Patches over whole documents, system fields included; `staged` is absent if nothing was staged on either side. */
function diffOf({ before, after }: Step, oldValues: boolean) {
  if (before === 'unknown' || after === 'unknown' || before === after) return undefined;
  const current = jsonPatch(currentOf(before), currentOf(after), oldValues);
  if (!hasStaged(before) && !hasStaged(after)) return { current };
  return { current, staged: jsonPatch(stagedOf(before), stagedOf(after), oldValues) };
}

const currentOf = (state: State) => (isKnown(state) ? state.current : undefined);
const stagedOf = (state: State) => (isKnown(state) ? (state.staged ?? state.current) : undefined);
const hasStaged = (state: State) => isKnown(state) && state.staged !== undefined;
