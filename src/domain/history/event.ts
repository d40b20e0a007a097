import type { JsonObject } from '../../contract/json.ts';
import { stringifyJson } from '../json/parse.ts';
import { type LoggedChange, noResource } from '../ports/change-log.ts';
import type { Documents } from '../ports/resource-store.ts';
import { type ChangedFields, fieldsBetween, recordedFields } from './changed-fields.ts';
import { type HistorySource, isKnown, type State, stepsBack } from './walk.ts';

/** A change as those who follow a project see it: with `id` and, if asked for, `data` an Event of the interface (contract/events.ts). */
export type Event = ReturnType<typeof eventOf>;

/** Who made a change whose fields are known, how and when, as events and histories show it. */
export function provenanceOf({ origin }: LoggedChange, changedFields: ChangedFields | undefined) {
  const { type, at, clientId, externalUserId, correlationId, cause, actions } = origin;
  return {
    type,
    at,
    actor: { clientId, ...(externalUserId !== undefined && { externalUserId }) },
    ...(correlationId !== undefined && { correlationId }),
    cause,
    ...(actions && { actions }),
    ...(changedFields && { changedFields }),
  };
}

/** The event of a change whose fields are known. Variants of images and documents of the backend are named by their key. */
export function eventOf(change: LoggedChange, changedFields: ChangedFields | undefined) {
  const { sequence, id, key, version } = change;
  const { type, ...others } = provenanceOf(change, changedFields);
  const resource =
    id === noResource
      ? ({ typeId: type === 'imageUploaded' ? 'image-variant' : 'backend-document', id: key!, version } as const)
      : ({ typeId: 'resource', id, ...(key !== undefined && { key }), version } as const);
  return { sequence, type, resource, ...others };
}

/** An Event of the interface as JSON text. `id` is its position; `data` the JSON text of both projections. */
export function eventText(id: string, event: Event, data: string | undefined): string {
  const text = stringifyJson({ id, ...event } as unknown as JsonObject);
  return data === undefined ? text : `${text.slice(0, -1)},"data":${data}}`;
}

/** A change with all that its event may show. */
export interface Described {
  readonly change: LoggedChange;
  readonly event: Event;
  /** The resource after the change, where it was asked for, exists then and is still known. */
  readonly after?: Documents | undefined;
}

/**
 * Describes changes of a project, in their order. Documents are read only where they are needed: for `withDocuments`, and
 * for changes after which something new is staged, or nothing any more.
 */
export async function describeChanges(
  source: HistorySource,
  projectKey: string,
  changes: readonly LoggedChange[],
  withDocuments = false,
  signal?: AbortSignal,
): Promise<readonly Described[]> {
  const fields = changes.map(recordedFields);
  const wanted = new Map<string, Set<number>>();
  for (const [at, { id, sequence, origin }] of changes.entries()) {
    const hasDocuments = id !== noResource && origin.type !== 'deleted' && origin.type !== 'forgotten';
    if (fields[at] !== 'documentsNeeded' && !(withDocuments && hasDocuments)) continue;
    const sequences = wanted.get(id) ?? new Set();
    wanted.set(id, sequences.add(sequence));
  }
  // The reads of a turn of the event loop may share a snapshot from before the log was read, which lacks the last of these changes.
  if (wanted.size > 0) await new Promise((resolve) => setImmediate(resolve));
  const states = new Map<number, { readonly before: State; readonly after: State }>();
  for (const [id, sequences] of wanted) {
    const last = Math.min(...sequences);
    for await (const { change, before, after } of stepsBack(source, projectKey, id, signal)) {
      if (sequences.has(change.sequence)) states.set(change.sequence, { before, after });
      if (change.sequence <= last) break;
    }
  }
  return changes.map((change, at) => {
    const state = states.get(change.sequence);
    const recorded = fields[at];
    const known = recorded === 'documentsNeeded' ? state && between(state.before, state.after) : recorded;
    const event = eventOf(change, known);
    return { change, event, after: withDocuments && state && isKnown(state.after) ? state.after : undefined };
  });
}

function between(before: State, after: State): ChangedFields | undefined {
  return isKnown(before) && isKnown(after) ? fieldsBetween(before, after) : undefined;
}

/** Both projections as the `data` of an event: JSON text. */
export function dataText({ current, staged }: Documents): string {
  return stringifyJson(staged ? { current, staged } : { current });
}
