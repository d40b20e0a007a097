import { answerOf, isAcknowledged, type Recorded, tagOf, type WriteAttempt } from '../record.ts';

const textOf = (attempt: WriteAttempt) => {
  const answer = answerOf(attempt)!;
  return `${answer.status} ${tagOf(answer)} ${answer.text}`;
};

/**
 * Repeats under one `Idempotency-Key` have one effect and one response: whoever asks after it was given gets it to the
 * byte, and nobody is refused for what the same request has done.
 */
export function findRepeats({ writes }: Recorded): readonly string[] {
  const violations: string[] = [];
  for (const [name, attempts] of Map.groupBy(writes, (attempt) => attempt.name)) {
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
      if (isLater || isOwnEffect(answer.text, answerOf(first)!.text)) {
        violations.push(`repeat: ${name} was answered ${textOf(first)}, and refused: ${textOf(other)}`);
      }
    }
  }
  return violations;
}

/** What says that a repeat comes too early. */
const isPassing = ({ status, text }: { readonly status: number; readonly text: string }) =>
  status === 503 || text.includes('RequestInProgress');

/** A conflict with the version that the request itself has made. */
function isOwnEffect(refusal: string, response: string): boolean {
  const { currentVersion } = (JSON.parse(refusal).errors?.[0] ?? {}) as { readonly currentVersion?: number };
  return currentVersion !== undefined && currentVersion === JSON.parse(response).version;
}
