import type { Referrer, Referrers } from 'generic-resource-service-client/api-types';
import { pathOf } from '../api/client.ts';
import { read } from '../app/session.ts';
import { type ProjectTypes, projectTypes } from '../types/project-types.ts';

export const pageSize = 20;

/** True if some type of the open project declares references: otherwise the service knows of none. */
export const hasReferences = (types: ProjectTypes | undefined): boolean =>
  Object.values(types?.types ?? {}).some(({ references }) => Object.keys(references).length > 0);

/** Who refers to a resource, by id, beginning after an id. Throws `ApiError`. */
export async function readReferrers(
  projectKey: string,
  id: string,
  after?: string,
  signal?: AbortSignal,
): Promise<readonly Referrer[]> {
  const query = new URLSearchParams({ limit: String(pageSize), ...(after !== undefined && { after }) });
  const path = `${pathOf(projectKey, 'resource', id)}/references`;
  return (await read<Referrers>(projectKey, { path, query, signal })).results;
}

/** True if the service keeps a resource while this one refers to it. */
function isRestricting({ type = '', paths }: Referrer): boolean {
  const { references = {} } = projectTypes.value?.types[type] ?? {};
  return paths.some((path) => references[path]?.onDelete !== 'keep');
}

/** What the question before a deletion says of those who refer to the resource; undefined where nobody does. */
export async function deletionHint(projectKey: string, id: string): Promise<string | undefined> {
  if (!hasReferences(projectTypes.value)) return undefined;
  // The service itself decides: where they cannot be read, the question says nothing of them.
  const found = await readReferrers(projectKey, id).catch(() => []);
  const others = found.filter((referrer) => referrer.id !== id);
  if (others.length === 0) return undefined;
  const restricting = others.filter(isRestricting);
  const named = restricting.length > 0 ? restricting : others;
  const names = named.slice(0, 3).map(({ id: own, key = own }) => key);
  const more = named.length > names.length || found.length === pageSize ? ' and others' : '';
  return restricting.length > 0
    ? `The service will refuse this, since other resources refer to it: ${names.join(', ')}${more}. Change these first.`
    : `Other resources refer to it: ${names.join(', ')}${more}. Their references will lead to nothing.`;
}
