import {
  type Attempt,
  answerOf,
  canonical,
  isAcknowledged,
  type LoggedEvent,
  nameOf,
  type Recorded,
  type WriteAttempt,
} from './record.ts';
import type { Fields } from './write.ts';

/** What a resource was from one of its events to the next. */
export interface State {
  readonly index: number;
  readonly event: LoggedEvent | undefined;
  /** 0 where there is none. */
  readonly version: number;
  /** How often a resource of this id was created before; its tags are those of this incarnation. */
  readonly incarnation: number;
  readonly data: LoggedEvent['data'];
  /** The attempts at the write that made it. */
  readonly by: readonly WriteAttempt[];
  /** The earliest and the latest moment at which it can have begun. */
  earliest: number;
  latest: number;
}

export interface Timeline {
  readonly project: string;
  readonly id: string;
  readonly states: readonly State[];
}

const isAbsent = (type: string) => type === 'deleted' || type === 'forgotten';

/** The states of every resource, by project and id, from the logs. The first of each is that there is none. */
export function timelinesOf({ logs, writes }: Recorded): ReadonlyMap<string, Timeline> {
  const attempts = Map.groupBy(writes, ({ name }) => name);
  const timelines = new Map<string, Timeline & { states: State[] }>();
  for (const [project, events] of logs) {
    for (const event of events) {
      if (event.resource.typeId !== 'resource') continue;
      const { id, version } = event.resource;
      const address = `${project}/${id}`;
      const timeline = timelines.get(address) ?? { project, id, states: [nothing] };
      timelines.set(address, timeline);
      const last = timeline.states.at(-1)!;
      const by = attempts.get(nameOf(event) ?? '') ?? [];
      timeline.states.push({
        index: timeline.states.length,
        event,
        version: isAbsent(event.type) ? 0 : version,
        incarnation: last.incarnation + Number(event.type === 'created'),
        data: event.data,
        by,
        earliest: by.length === 0 ? 0 : Math.min(...by.map(({ start }) => start)),
        latest: Math.min(Number.POSITIVE_INFINITY, ...by.filter(isAcknowledged).map(({ end }) => end)),
      });
    }
  }
  return timelines;
}

const nothing: State = {
  ...{ index: 0, event: undefined, version: 0, incarnation: 0, data: undefined, by: [] },
  ...{ earliest: 0, latest: 0 },
};

/** The state whose current projection is this document. */
export function stateOfDocument({ states }: Timeline, document: Fields): State | undefined {
  const text = canonical(document);
  return states.findLast(({ data }) => data && canonical(data.current) === text);
}

/** True where the state may have been the one that a request met. */
export function mayMeet({ states }: Timeline, { index, earliest }: State, { start, end }: Attempt): boolean {
  return earliest <= end && (states[index + 1]?.latest ?? Number.POSITIVE_INFINITY) >= start;
}

/** The states that a request may have met. */
export function statesMet(timeline: Timeline, attempt: Attempt): readonly State[] {
  return timeline.states.filter((state) => mayMeet(timeline, state, attempt));
}

/** Notes that a request met a state: it had begun before the end, and the next one began after the start. */
export function noteMet({ states }: Timeline, state: State, { start, end }: Attempt): void {
  if (state.index > 0) state.latest = Math.min(state.latest, end);
  const next = states[state.index + 1];
  if (next) next.earliest = Math.max(next.earliest, start);
}

/** States begin one after the other. Returns those that cannot have. */
export function settle({ states }: Timeline): readonly State[] {
  for (const [at, state] of states.entries()) {
    if (at > 0) state.earliest = Math.max(state.earliest, states[at - 1]!.earliest);
  }
  for (let at = states.length - 2; at > 0; at -= 1) {
    states[at]!.latest = Math.min(states[at]!.latest, states[at + 1]!.latest);
  }
  return states.filter(({ index, earliest, latest }) => index > 0 && earliest > latest);
}

/** The JSON of an answer. */
export function jsonOf(attempt: Attempt): Fields {
  return JSON.parse(answerOf(attempt)?.text || '{}');
}
