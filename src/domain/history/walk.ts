import { ServiceError } from '../../contract/errors.ts';
import type { ChangeLog, LoggedChange } from '../ports/change-log.ts';
import type { Documents, ResourceRecord, ResourceStore } from '../ports/resource-store.ts';
import { parseRecord } from '../resource/resource.ts';
import { documentsBefore } from './replaced.ts';

/** The source of versions. */
export interface HistorySource {
  readonly store: Pick<ResourceStore, 'get' | 'getByKey'>;
  readonly log: ChangeLog;
}

/** A resource at a point of its history: its documents, none, or what the log no longer tells. */
export type State = Documents | 'absent' | 'unknown';

/** A change between two states. */
export interface Step {
  readonly change: LoggedChange;
  readonly before: State;
  readonly after: State;
}

/** Changes per read of the log. */
const portion = 100;

/** True for documents that are known. */
export function isKnown(state: State): state is Documents {
  return typeof state !== 'string';
}

/**
 * The changes of a resource with the states around them, newest first, of all its incarnations, from the state that the
 * store has now as far back as the log goes. It costs a read of the log for each 100 changes that are passed.
 */
export async function* stepsBack(
  { store, log }: HistorySource,
  projectKey: string,
  id: string,
  signal?: AbortSignal,
): AsyncGenerator<Step, undefined> {
  const record = await store.get(projectKey, id);
  let state: State = record === undefined ? 'absent' : parseRecord(record).documents;
  // The log is read later than the record, so it may begin with changes that the record does not have yet.
  let isAhead = true;
  let below: number | undefined;
  for (;;) {
    signal?.throwIfAborted();
    const changes = await log.changesOf(projectKey, id, below, portion);
    for (const change of changes) {
      isAhead &&= !leadsTo(change, record);
      if (isAhead) continue;
      const before = stateBefore(change, state);
      yield { change, before, after: state };
      state = before;
    }
    if (changes.length < portion) return undefined;
    below = changes.at(-1)!.sequence;
  }
}

/** True if the change made the record what it is, or deleted the resource. */
function leadsTo(
  { origin: { type }, version, incarnation }: LoggedChange,
  record: ResourceRecord | undefined,
): boolean {
  const isGone = type === 'deleted' || type === 'forgotten';
  if (record === undefined || isGone) return isGone && record === undefined;
  return version === record.version && incarnation === record.incarnation;
}

/** Types of changes that may have created their resource. */
const creations: ReadonlySet<string> = new Set(['created', 'restored']);

function stateBefore({ origin: { type }, before, version, id }: LoggedChange, after: State): State {
  // A resource that is forgotten was deleted before.
  if (type === 'forgotten') return 'absent';
  if (before === null) return creations.has(type) ? 'absent' : 'unknown';
  if (type === 'deleted') return documentsBefore(before, undefined) ?? 'unknown';
  if (!isKnown(after)) return 'unknown';
  if (after.current.version !== version) throw doesNotFit(id);
  return documentsBefore(before, after) ?? 'unknown';
}

function doesNotFit(id: string): ServiceError {
  return new ServiceError('DataCorruption', `The change log of the resource '${id}' does not fit the resource.`);
}
