import type { Event, EventPage } from 'generic-resource-service-client/api-types';
import { pathOf } from '../api/client.ts';
import { isOfResource } from '../app/live.ts';
import { call, read } from '../app/session.ts';

/** Which changes are shown; empty texts: all. */
export interface FeedFilter {
  readonly type: string;
  /** Id or key of a resource. */
  readonly resource: string;
  /** Id of an API client. */
  readonly actor: string;
}

/** Lines that are kept; older ones are in the history of their resources. */
export const maxShown = 200;
/** Changes before the end that are looked through. */
const tail = '500';

/** Both lists as one: each event once, newest first. */
export function merged(first: readonly Event[], second: readonly Event[]): readonly Event[] {
  const byId = new Map([...first, ...second].map((event) => [event.id, event]));
  const newestFirst = (a: Event, b: Event) => Number(b.sequence ?? 0) - Number(a.sequence ?? 0);
  return [...byId.values()].sort(newestFirst).slice(0, maxShown);
}

/** True for an event that the filter lets through. */
export function isShown(event: Event, { type, resource, actor }: FeedFilter): boolean {
  if (type !== '' && event.type !== type) return false;
  if (actor !== '' && event.actor.clientId !== actor) return false;
  if (resource === '') return true;
  return isOfResource(event) && (event.resource.id === resource || event.resource.key === resource);
}

/** The query of the last changes. `resourceId`: instead of what a person wrote. */
export function feedQuery({ type, actor }: FeedFilter, resourceId: string): URLSearchParams {
  const query = new URLSearchParams({ tail, limit: tail });
  if (type !== '') query.set('types', type);
  if (resourceId !== '') query.set('resource', resourceId);
  if (actor !== '') query.set('actor', actor);
  return query;
}

/** The id of the resource that has the text as its key; else the text is an id itself. */
export async function resourceIdOf(projectKey: string, text: string, signal: AbortSignal): Promise<string> {
  if (text === '') return '';
  const query = new URLSearchParams({ fields: 'id' });
  const path = `${pathOf(projectKey, 'resource')}/key=${encodeURIComponent(text)}`;
  try {
    const { body } = await call(projectKey, { path, query, signal });
    return String((body as { id?: unknown }).id ?? text);
  } catch (error) {
    if (signal.aborted) throw error;
    return text;
  }
}

/** Reads the last changes, oldest first, page by page: a page may end before the last one. */
export async function readFeed(projectKey: string, filter: FeedFilter, signal: AbortSignal): Promise<readonly Event[]> {
  const path = pathOf(projectKey, 'events');
  const found: Event[] = [];
  let query = feedQuery(filter, await resourceIdOf(projectKey, filter.resource, signal));
  for (;;) {
    const page = await read<EventPage>(projectKey, { path, query, signal });
    found.push(...page.results);
    if (!page.hasMore) return found;
    query = new URLSearchParams(query);
    query.delete('tail');
    query.set('after', page.next);
  }
}
