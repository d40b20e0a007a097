import { answerOf, isAcknowledged, type Recorded, tagOf, type WriteAttempt } from '../record.ts';
import { jsonOf, statesMet, type Timeline, timelinesOf } from '../timeline.ts';

const textOf = (attempt: WriteAttempt) => {
  const answer = answerOf(attempt)!;
  return `${answer.status} ${tagOf(answer)} ${answer.text}`;
};

/**
 * Repeats under one `Idempotency-Key` have one effect and one response: whoever asks after it was given gets it to the
 * byte, and nobody is refused for what the same request has done.
 */
export function findRepeats(recorded: Recorded): readonly string[] {
  const violations: string[] = [];
  const timelines = timelinesOf(recorded);
  for (const [name, attempts] of Map.groupBy(recorded.writes, (attempt) => attempt.name)) {
    const first = attempts.filter(isAcknowledged).toSorted((a, b) => a.end - b.end)[0];
    if (!first || attempts.length === 1) continue;
    for (const other of attempts) {
      const answer = answerOf(other);
      if (!answer || other === first) continue;
      if (isAcknowledged(other) && textOf(other) !== textOf(first)) {
        violations.push(`repeat: ${name} was answered ${textOf(first)}, and then ${textOf(other)}`);
      }
      if (isAcknowledged(other) || isPassing(answer)) continue;
      const isLater = other.start > first.end;
      if (isLater || isOwnEffect(other, first, timelines)) {
        violations.push(`repeat: ${name} was answered ${textOf(first)}, and refused: ${textOf(other)}`);
      }
    }
  }
  return violations;
}

/** What says that a repeat comes too early. */
const isPassing = ({ status, text }: { readonly status: number; readonly text: string }) =>
  status === 503 || text.includes('RequestInProgress');

/** A conflict with the version that the request itself has made, if it cannot have met another one with this number. */
function isOwnEffect(refused: WriteAttempt, first: WriteAttempt, timelines: ReadonlyMap<string, Timeline>): boolean {
  const [error] = (jsonOf(refused).errors ?? []) as readonly { readonly currentVersion?: number }[];
  const { id, version } = jsonOf(first);
  if (error?.currentVersion === undefined || error.currentVersion !== version) return false;
  const timeline = timelines.get(`${first.project}/${id}`);
  // The resource may have been deleted and created anew meanwhile.
  const met = timeline ? statesMet(timeline, refused).filter((state) => state.version === version) : [];
  return met.every(({ by }) => by.some(({ name }) => name === first.name));
}
