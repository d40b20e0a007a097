import { signal } from '@preact/signals';
import type { Event } from 'generic-resource-service-client/api-types';
import { ApiError, pathOf } from '../api/client.ts';
import { clientName } from './client-names.ts';
import { jsonLines, openStream } from './session.ts';

type Listener = (event: Event) => void;

/** True while changes of the project arrive. */
export const isLive = signal(false);

/**
 * Rises when the changes begin to arrive, and each time that some may have been missed. A room that shows a page reads it
 * anew then: what was stored before is in the page, and what is stored after it arrives.
 */
export const liveBeginnings = signal(0);

const listeners = new Set<Listener>();
const pauseMs = 3000;

/** Calls the listener for every change of the open project. Returns the function that ends it. */
export function onEvent(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** As `onEvent`, for changes of resources only. */
export function onResourceEvent(listener: Listener): () => void {
  return onEvent((event) => {
    if (isOfResource(event)) listener(event);
  });
}

/** False for variants of images, and for documents that a backend keeps. */
export function isOfResource({ resource }: Event): boolean {
  return resource.typeId === 'resource';
}

/** Who made a change, as people are shown it. */
export function actorName({ actor }: Pick<Event, 'actor'>): string {
  const { externalUserId, name, clientId } = actor;
  return externalUserId ?? name ?? (clientId === undefined ? '–' : clientName(clientId));
}

async function readLines(projectKey: string, after: string, signal: AbortSignal, onLine: Listener): Promise<void> {
  const query = new URLSearchParams({ after });
  const headers = { accept: 'application/x-ndjson' };
  const response = await openStream(projectKey, { path: pathOf(projectKey, 'events'), query, headers, signal });
  isLive.value = true;
  if (after === 'latest') liveBeginnings.value += 1;
  for await (const line of jsonLines(response)) onLine(line as unknown as Event);
}

/**
 * Follows the changes of a project until the returned function is called: one stream, which is closed while nobody looks
 * at the page. After a lost connection it goes on behind the last change.
 */
export function follow(projectKey: string): () => void {
  const ended = new AbortController();
  let open: AbortController | undefined;
  let after = 'latest';

  async function run(): Promise<void> {
    while (!ended.signal.aborted) {
      if (document.hidden)
        await new Promise((resolve) => document.addEventListener('visibilitychange', resolve, { once: true }));
      open = new AbortController();
      const signal = AbortSignal.any([ended.signal, open.signal]);
      try {
        await readLines(projectKey, after, signal, (event) => {
          after = event.id;
          // Heartbeats are of no resource.
          if (event.resource) for (const listener of listeners) listener(event);
        });
      } catch (error) {
        // Gone, for example after a restore: events were missed, so the page reads the current state.
        if (error instanceof ApiError && error.status === 410) after = 'latest';
      }
      isLive.value = false;
      if (!ended.signal.aborted) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }

  const whenHidden = () => {
    if (document.hidden) open?.abort();
  };
  document.addEventListener('visibilitychange', whenHidden);
  void run();
  return () => {
    ended.abort();
    document.removeEventListener('visibilitychange', whenHidden);
  };
}
