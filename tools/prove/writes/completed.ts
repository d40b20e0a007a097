import type { Followed, LoggedEvent } from './record.ts';

/**
 * The log of a project with what those who followed it were told of events whose data was forgotten since. The id of an
 * event names it among those of its project alone: this does not rely on more than it proves.
 */
export function completed(
  project: string,
  log: readonly LoggedEvent[],
  followed: readonly Followed[],
): readonly LoggedEvent[] {
  const told = new Map<string, LoggedEvent>();
  for (const { events } of followed.filter((each) => each.project === project)) {
    for (const event of events) if (event.data || !told.has(event.id)) told.set(event.id, event);
  }
  return log.map((event) => ({ ...told.get(event.id), ...event, ...authorOf(told.get(event.id)) }));
}

const authorOf = (event: LoggedEvent | undefined) => ({
  ...(event?.correlationId !== undefined && { correlationId: event.correlationId }),
});
