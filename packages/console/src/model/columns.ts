import { isMap, type JsonMap } from '../api/json.ts';
import { store, stored } from '../browser/stored.ts';
import type { Path } from './paths.ts';

/** More paths than these are not offered: a document may have thousands. */
const maxPaths = 200;
const maxDepth = 4;
const firstColumns = 6;

/** Paths to the values in the rows, those in most rows first. Lists are values. */
export function pathsIn(rows: readonly JsonMap[]): readonly string[] {
  const counts = new Map<string, number>();
  const visit = (value: JsonMap, at: Path) => {
    for (const [name, inner] of Object.entries(value)) {
      if (counts.size > maxPaths * 4) return;
      const path = [...at, name];
      if (isMap(inner) && path.length < maxDepth) visit(inner, path);
      else counts.set(path.join('.'), (counts.get(path.join('.')) ?? 0) + 1);
    }
  };
  for (const row of rows.slice(0, 100)) visit(row, []);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([path]) => path)
    .slice(0, maxPaths);
}

const notShownFirst =
  /^(?:id|version|createdAt|createdBy\..*|lastModifiedBy\..*|hasStagedChanges|objectTypeProperty\b.*)$/;

/** Columns where nobody has chosen any: the key, some fields, and when the resource was changed. */
export function defaultColumns(rows: readonly JsonMap[]): readonly string[] {
  const paths = pathsIn(rows).filter(
    (path) => path !== '' && !notShownFirst.test(path) && path !== 'key' && path !== 'lastModifiedAt',
  );
  const hasKeys = rows.some((row) => row.key !== undefined);
  return [hasKeys ? 'key' : 'id', ...paths.slice(0, firstColumns), 'version', 'lastModifiedAt'];
}

const storageName = (projectKey: string) => `columns-${projectKey}`;

/** The columns that were chosen last in this browser. */
export const rememberedColumns = (projectKey: string): readonly string[] | undefined =>
  stored(storageName(projectKey))?.split(',');

export function rememberColumns(projectKey: string, columns: readonly string[]): void {
  store(storageName(projectKey), columns.join(','));
}
