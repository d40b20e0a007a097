import { changesOf, mayLeaveAsIs, singlesOf, type ToldChange, toldOf } from '../changes.ts';
import { answerOf, canonical, isAcknowledged, type LoggedEvent, nameOf, type Recorded } from '../record.ts';

const shown = (events: readonly LoggedEvent[]) =>
  events.map(({ type, resource }) => `${type} ${resource.id} version ${resource.version}`).join(', ');

/** 503 `OutcomeUnknown` refuses nothing. */
function isRefusal(answer: unknown): boolean {
  if (typeof answer !== 'object' || answer === null) return answer === 'refused';
  const { status, text } = answer as { readonly status: number; readonly text: string };
  return status >= 400 && !text.includes('OutcomeUnknown') && !text.includes('RequestInProgress');
}

/**
 * What was acknowledged is in the log, exactly once and with its content; what was refused is not. A write without a
 * response may be in it, once.
 */
export function findEffects({ logs, writes }: Recorded): readonly string[] {
  const violations: string[] = [];
  const events = Map.groupBy([...logs.values()].flat(), (event) => nameOf(event) ?? '');
  for (const [name, attempts] of Map.groupBy(writes, (attempt) => attempt.name)) {
    const { write, project } = attempts[0]!;
    // These have rules of their own.
    if (['document', 'upload', 'variant'].includes(write.kind)) continue;
    const there = events.get(name) ?? [];
    const title = `${write.kind} ${name} in ${project}`;
    if (attempts.every(({ answer }) => isRefusal(answer)) && there.length > 0) {
      violations.push(`refused: ${title} was refused, but the log has its ${shown(there)}`);
    }
    if (there.length > singlesOf(write).length) violations.push(`twice: ${title} is in the log as ${shown(there)}`);
    const acknowledged = attempts.find(isAcknowledged);
    if (!acknowledged || write.kind === 'forget') continue;
    const answer = answerOf(acknowledged)!;
    const isMany = write.kind === 'batch' || write.kind === 'import';
    const told = isMany ? changesOf(write, answer) : [toldOf(write, answer)];
    const log = logs.get(project) ?? [];
    const left = [...there];
    for (const change of told) {
      const at = left.findIndex(({ resource }) => resource.id === change.id && resource.version === change.version);
      const [event] = at < 0 ? [] : left.splice(at, 1);
      const other = event || isMany || !mayLeaveAsIs(write) ? undefined : sameIn(log, change);
      if (!event && !other && !isForgotten(log, change)) {
        violations.push(
          `lost: ${title} was acknowledged with ${change.id} version ${change.version}, which the log has not`,
        );
      }
      const { data } = event ?? {};
      if (data && change.resource && canonical(data.current) !== canonical(change.resource)) {
        violations.push(`altered: ${title}: told ${canonical(change.resource)}, logged ${canonical(data.current)}`);
      }
    }
    // An import that was cut off has lines that were not told.
    const isWhole = write.kind !== 'import' || answer.text.includes('"complete":true');
    if (left.length > 0 && isWhole) violations.push(`untold: ${title} also made ${shown(left)}`);
  }
  return violations;
}

/** The event that made what a write found as it would have made it. */
function sameIn(log: readonly LoggedEvent[], { id, version, resource }: ToldChange): LoggedEvent | undefined {
  const text = resource && canonical(resource);
  return log.find(
    ({ resource: its, data }) =>
      its.id === id && its.version === version && (!text || !data || canonical(data.current) === text),
  );
}

/** What was forgotten before anybody read it has no correlation id. */
function isForgotten(log: readonly LoggedEvent[], { id, version }: ToldChange): boolean {
  return log.some(
    ({ resource, correlationId }) => correlationId === undefined && resource.id === id && resource.version === version,
  );
}
