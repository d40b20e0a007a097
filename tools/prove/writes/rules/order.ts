import { mayLeaveAsIs, toldOf } from '../changes.ts';
import { type Attempt, answerOf, canonical, isAcknowledged, type Recorded } from '../record.ts';
import {
  jsonOf,
  mayMeet,
  noteMet,
  type State,
  settle,
  stateOfDocument,
  type Timeline,
  timelinesOf,
} from '../timeline.ts';
import type { Fields } from '../write.ts';

const time = (ns: number) => (Number.isFinite(ns) ? `${Math.round(ns / 1e4) / 100} ms` : 'never');
const shown = ({ version, event, by }: State) => `${event?.type} version ${version} by ${by[0]?.name}`;

/** A document that an attempt was shown, and so the state that it met. */
interface Sight {
  readonly attempt: Attempt;
  readonly title: string;
  readonly document: Fields;
}

function* sightsOf({ reads, writes }: Recorded): Generator<Sight> {
  for (const attempt of reads) {
    if (!isAcknowledged(attempt)) continue;
    const { kind } = attempt.read;
    if (kind !== 'one' && kind !== 'key') continue;
    yield { attempt, title: `read of ${JSON.stringify(attempt.read)}`, document: jsonOf(attempt) };
  }
  // A draft that changes nothing is shown what is there, at some time before its response.
  for (const attempt of writes) {
    if (!isAcknowledged(attempt) || attempt.write.kind === 'complex' || !mayLeaveAsIs(attempt.write)) continue;
    const document = toldOf(attempt.write, answerOf(attempt)!).resource!;
    yield { attempt, title: `unchanged ${attempt.name}`, document };
  }
}

/**
 * Each resource is what one copy would have been: its changes happened one after the other, in the order of the log, each
 * between its request and its response, and every read was shown what was there between its own.
 */
export function findOrder(recorded: Recorded): readonly string[] {
  const violations: string[] = [];
  const timelines = timelinesOf(recorded);
  const attempts = Map.groupBy(recorded.writes, ({ name }) => name);
  const firstMs = Math.min(...recorded.writes.map(({ start }) => start));
  for (const { attempt, title, document } of sightsOf(recorded)) {
    const timeline = timelines.get(`${attempt.project}/${document.id}`);
    const state = timeline && stateOfDocument(timeline, document);
    if (!timeline || !state) {
      const isForgotten = timeline?.states.some(({ data, version }) => !data && version === document.version);
      if (!isForgotten) violations.push(`unlogged: ${title} was shown ${canonical(document)}`);
      continue;
    }
    // A repeat is shown what it did at first.
    if ('name' in attempt && (state.by[0]?.name === attempt.name || attempts.get(attempt.name as string)!.length > 1))
      continue;
    if (!mayMeet(timeline, state, attempt)) violations.push(staleness(title, timeline, state, attempt, firstMs));
    else noteMet(timeline, state, attempt);
  }
  for (const timeline of timelines.values()) {
    for (const state of settle(timeline)) {
      const { earliest, latest } = state;
      const at = `after ${time(earliest - firstMs)} and before ${time(latest - firstMs)}`;
      violations.push(`order: ${timeline.project}/${timeline.id}: ${shown(state)} must be ${at}`);
    }
  }
  return [...violations, ...findAbsent(recorded, timelines)];
}

function staleness(title: string, { states }: Timeline, state: State, { start, end }: Attempt, first: number): string {
  const next = states[state.index + 1];
  const from = `${shown(state)} (from ${time(state.earliest - first)}`;
  const until = `until ${next ? `${shown(next)}, ${time(next.latest - first)}` : 'the end'})`;
  return `stale: ${title} from ${time(start - first)} to ${time(end - first)} was shown ${from} ${until}`;
}

/** A 404 of an id: at some time during the request there was no such resource. */
function findAbsent({ reads }: Recorded, timelines: ReadonlyMap<string, Timeline>): readonly string[] {
  return reads.flatMap((attempt) => {
    if (attempt.read.kind !== 'one' || answerOf(attempt)?.status !== 404) return [];
    const timeline = timelines.get(`${attempt.project}/${attempt.read.id}`);
    if (!timeline || timeline.states.some((state) => state.version === 0 && mayMeet(timeline, state, attempt)))
      return [];
    return [`hidden: ${attempt.project}/${attempt.read.id} was not found though it was there all the time`];
  });
}
