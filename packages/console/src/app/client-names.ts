import { effect, signal } from '@preact/signals';
import type { RegisteredApiClient } from 'generic-resource-service-client/api-types';
import { pathOf } from '../api/client.ts';
import type { Page } from '../model/pages.ts';
import { place } from './router.ts';
import { read, scopes, session } from './session.ts';

/** The names of the API clients of the open project by their ids, where the reader may see them. */
const names = signal<ReadonlyMap<string, string>>(new Map());

/** Clients whose names are read; further ones are shown by their ids. */
const most = '500';

async function readNames(projectKey: string): Promise<void> {
  const query = new URLSearchParams({ limit: most });
  const { results } = await read<Page<RegisteredApiClient>>(projectKey, {
    path: pathOf(projectKey, 'api-clients'),
    query,
  });
  names.value = new Map(results.map(({ id, name }) => [id, name]));
}

effect(() => {
  const { projectKey } = place.value;
  // Names are a help: where they cannot be read, the ids stand.
  if (projectKey !== undefined && scopes.value.has('manage_api_clients')) readNames(projectKey).catch(() => {});
});

/** The name of a client as far as it is known, else its id. */
export function clientName(id: string): string {
  return names.value.get(id) ?? (session.value?.clientId === id ? session.value.name : id);
}
