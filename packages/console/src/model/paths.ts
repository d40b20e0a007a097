import { isMap, type Json, type JsonMap, sameJson } from '../api/json.ts';

/** Fields of the service itself, which a client cannot set. */
export const systemFields: ReadonlySet<string> = new Set([
  'id',
  'version',
  'key',
  'createdAt',
  'lastModifiedAt',
  'createdBy',
  'lastModifiedBy',
  'hasStagedChanges',
]);

/** A place in a document: names of members, from the outside in. */
export type Path = readonly string[];

/** A path as update actions write it: names that would be read otherwise stand in backticks. */
export const pathText = (path: Path): string => joined(path, (name) => mistakable.test(name));

const mistakable = /^$|[.`]|\[(?:\*|\d{1,6})\]/;

/** A path as the service writes it in errors, and predicates need it: all names but plain ones stand in backticks. */
export const fieldText = (path: Path): string => joined(path, (name) => !/^[-_A-Za-z0-9]+$/.test(name));

const joined = (path: Path, isQuoted: (name: string) => boolean): string =>
  path.map((name) => (isQuoted(name) ? `\`${name.replaceAll('`', '``')}\`` : name)).join('.');

/** The id of an element that is about a name: attributes that refer to elements separate their ids by spaces. */
export const elementId = (kind: string, name: string): string =>
  `${kind}-${name.replaceAll(/[\s%]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)}`;

/** The id of the element that names the field at a path. */
export const labelId = (path: Path): string => elementId('label', pathText(path));

/** The value at a path, or undefined. */
export function valueAt(document: Json | undefined, path: Path): Json | undefined {
  let value = document;
  for (const name of path) {
    if (!isMap(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

/** The document with another value at a path; without the member where the value is undefined. */
export function withValue(document: JsonMap, [name, ...rest]: Path, value: Json | undefined): JsonMap {
  if (name === undefined) return document;
  const own = Object.hasOwn(document, name) ? document[name] : undefined;
  const next = rest.length === 0 ? value : withValue(isMap(own) ? own : {}, rest, value);
  const entries = Object.entries(document).filter(([other]) => other !== name || next !== undefined);
  if (next === undefined) return Object.fromEntries(entries);
  if (!Object.hasOwn(document, name)) return Object.fromEntries([...entries, [name, next]]);
  return Object.fromEntries(entries.map(([other, old]) => [other, other === name ? next : old]));
}

/** A member that differs between two documents. Lists are compared as a whole. */
export interface Difference {
  readonly path: Path;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

/** The differences by path, in the order of the documents, without the fields of the service. */
export function differences(before: JsonMap, after: JsonMap, at: Path = []): readonly Difference[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name): readonly Difference[] => {
    if (at.length === 0 && systemFields.has(name)) return [];
    const [from, to] = [
      Object.hasOwn(before, name) ? before[name] : undefined,
      Object.hasOwn(after, name) ? after[name] : undefined,
    ];
    if (sameJson(from, to)) return [];
    const path = [...at, name];
    // An update action takes no empty name: the object around it is changed as a whole.
    const hasEmptyName = [...Object.keys(isMap(from) ? from : {}), ...Object.keys(isMap(to) ? to : {})].some(
      (inner) => inner === '',
    );
    if (isMap(from) && isMap(to) && !hasEmptyName) return differences(from, to, path);
    return [{ path, before: from, after: to }];
  });
}
