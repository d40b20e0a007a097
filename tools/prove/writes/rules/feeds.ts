import { canonical, type LoggedEvent, type Recorded } from '../record.ts';

const shown = ({ sequence, type, resource }: LoggedEvent) => `${sequence} (${type} ${resource.id})`;

/**
 * Whoever follows a project gets each event once, in the order of the log, with what was there after it. Each event has an
 * id of its own among those of all projects, which a receiver of several may rely on.
 */
export function findFeeds({ followed, logs }: Recorded): readonly string[] {
  return [...findEqualIds(logs), ...findUnfaithful({ followed, logs })];
}

function findEqualIds(logs: Recorded['logs']): readonly string[] {
  const all = [...logs].flatMap(([project, log]) => log.map((event) => ({ project, event })));
  const byId = Map.groupBy(all, ({ event }) => event.id);
  return [...byId].flatMap(([id, those]) => {
    const named = those.map(({ project, event }) => `${shown(event)} of ${project}`);
    return those.length > 1 ? [`ambiguous: ${id} is ${named.join(' and ')}`] : [];
  });
}

function findUnfaithful({ followed, logs }: Pick<Recorded, 'followed' | 'logs'>): readonly string[] {
  return followed.flatMap(({ project, by, events }) => {
    const title = `${by} of ${project}`;
    const violations: string[] = [];
    const log = logs.get(project) ?? [];
    const logged = new Map(log.map((event) => [event.id, event]));
    for (const [at, event] of events.entries()) {
      const before = events[at - 1];
      if (before && before.sequence >= event.sequence) {
        violations.push(`disorder: ${title}: ${shown(event)} came after ${shown(before)}`);
      }
      const its = logged.get(event.id);
      if (!its) violations.push(`unlogged: ${title}: ${shown(event)} is not in the log`);
      else if (its.data && event.data && canonical(its.data) !== canonical(event.data)) {
        violations.push(
          `altered: ${title}: ${shown(event)} had ${canonical(event.data)}, and then ${canonical(its.data)}`,
        );
      }
    }
    const got = new Set(events.map(({ id }) => id));
    const missing = log.filter(({ id }) => !got.has(id));
    if (missing.length > 0) {
      violations.push(`skipped: ${title}: ${missing.length} of ${log.length} events, such as ${shown(missing[0]!)}`);
    }
    return violations;
  });
}
