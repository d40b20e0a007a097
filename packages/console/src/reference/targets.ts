import { pathOf } from '../api/client.ts';
import type { JsonMap } from '../api/json.ts';
import { call, read } from '../app/session.ts';
import { listPath, type Page } from '../model/pages.ts';
import { projectTypes, whereType } from '../types/project-types.ts';

/** Reads what a reference leads to; undefined for one that is still empty. Throws `ApiError`. */
export async function readTarget(
  projectKey: string,
  id: string | undefined,
  key: string | undefined,
  signal: AbortSignal,
): Promise<JsonMap | undefined> {
  const written = key ?? id ?? '';
  if (written === '') return undefined;
  const collection = pathOf(projectKey, 'resource');
  const path =
    key === undefined ? pathOf(projectKey, 'resource', written) : `${collection}/key=${encodeURIComponent(key)}`;
  return (await call(projectKey, { path, signal })).body as JsonMap;
}

const found = async (projectKey: string, path: string, query: URLSearchParams, signal: AbortSignal) => {
  query.set('limit', '20');
  return (await read<Page>(projectKey, { path, query, signal })).results;
};

/** Words of a text without a language are found by any of them. */
const languages = () => [...new Set(['en', ...navigator.languages.map((language) => language.split('-')[0]!)])];

/**
 * Resources that a text may mean: those whose key begins with it, then those whose texts have its words. The last changed
 * ones for no text. `type`: only those of a type.
 */
export async function findTargets(
  projectKey: string,
  text: string,
  type: string | undefined,
  signal: AbortSignal,
): Promise<readonly JsonMap[]> {
  const list = listPath(projectKey);
  const where = type === undefined || !projectTypes.value ? {} : { where: whereType(projectTypes.value, type) };
  if (text === '') {
    return found(projectKey, list, new URLSearchParams({ ...where, sort: 'lastModifiedAt desc' }), signal);
  }
  const quoted = (value: string) => JSON.stringify(value);
  const byKey = new URLSearchParams({ ...where, sort: 'key asc', withTotal: 'false' });
  byKey.append('where', `key >= ${quoted(text)} and key < ${quoted(`${text}\u{10FFFF}`)}`);
  const search = pathOf(projectKey, 'resource', 'searchApiPattern');
  const pages = await Promise.all([
    found(projectKey, list, byKey, signal),
    ...languages().map((language) =>
      found(projectKey, search, new URLSearchParams({ ...where, [`text.${language}`]: text, prefix: 'true' }), signal),
    ),
  ]);
  return [...new Map(pages.flat().map((document) => [document.id, document])).values()].slice(0, 30);
}
