import { type Call, pathOf } from '../api/client.ts';

/** The call that reads a page of the history of a resource. */
export const historyCall = (projectKey: string, id: string, cursor?: string): Call => ({
  path: pathOf(projectKey, 'resource', id, 'history'),
  query: new URLSearchParams({
    ...{ diff: 'true', oldValues: 'true', limit: '20' },
    ...(cursor !== undefined && { cursor }),
  }),
});

/** The call that reads what a tab of a resource shows. */
export function shownCall(projectKey: string, id: string, tab: string | null): Call {
  if (tab === 'history') return historyCall(projectKey, id);
  const path = pathOf(projectKey, 'resource', id);
  return tab === 'staged' ? { path, query: new URLSearchParams({ staged: 'true' }) } : { path };
}
