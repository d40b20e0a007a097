import { malformedParameter } from '../../../contract/errors.ts';
import type { JsonValue } from '../../../contract/json.ts';
import { parseStoredJson, stringifyJson } from '../../json/parse.ts';
import { pathsOfList } from '../../json/path-syntax.ts';
import { isJsonArray, isJsonObject, type ObjectInProgress, setOwn } from '../../json/values.ts';
import { maxPathNames } from '../../paging.ts';
import { collectInTurns } from '../../turns.ts';

/** Responses with some fields only. Numbers keep every digit, and members their order. */

/** Some members: all of one, or some of its own members. */
export type Selection = ReadonlyMap<string, Selection | 'all'>;
type SelectionInProgress = Map<string, SelectionInProgress | 'all'>;

export interface Fields {
  readonly selection: Selection;
  /** Equal for requests with the same fields in any order. */
  readonly identity: string;
}

/** Every selection contains the fields that identify a resource and its state. */
const always = ['id', 'version', 'key'] as const;

const maxFields = 200;

/** Reads dotted paths, separated by commas in one or several texts; undefined for none. Throws `ServiceError` InvalidInput. */
export function parseFields(texts: readonly string[]): Fields | undefined {
  if (texts.length === 0) return undefined;
  const paths = texts.flatMap((text) => {
    const listed = pathsOfList(text);
    if (listed) return listed;
    const about = `"${text.slice(0, 100)}": expected dotted paths without indexes, separated by commas`;
    throw malformedParameter('fields', about);
  });
  if (paths.length > maxFields) throw malformedParameter('fields', `expected at most ${maxFields} paths`);
  if (paths.some((names) => names.length > maxPathNames)) {
    throw malformedParameter('fields', `a path has at most ${maxPathNames} names`);
  }
  const selection = selectionOf([...always.map((each) => [each]), ...paths]);
  return { selection, identity: identityOf(selection) };
}

/** The members at some paths. */
export function selectionOf(paths: readonly (readonly string[])[]): Selection {
  const selection: SelectionInProgress = new Map();
  for (const names of paths) add(selection, names);
  return selection;
}

/** A whole member includes its parts. */
function add(selection: SelectionInProgress, [first, ...rest]: readonly string[]): void {
  const known = selection.get(first!);
  if (known === 'all') return;
  if (rest.length === 0) {
    selection.set(first!, 'all');
    return;
  }
  const parts = known ?? new Map();
  selection.set(first!, parts);
  add(parts, rest);
}

function identityOf(selection: Selection): string {
  const parts = [...selection].sort(([a], [b]) => (a < b ? -1 : 1));
  return parts.map(([each, of]) => JSON.stringify(each) + (of === 'all' ? '' : `(${identityOf(of)})`)).join();
}

/** The text of a document with the selected fields only. What the document lacks is absent. */
export function selectFields(document: string, { selection }: Fields): string {
  return stringifyJson(select(parseStoredJson(document), selection) ?? {});
}

/** Selects the fields of a page, whose documents may be large. */
export function selectFieldsInTurns(documents: readonly string[], fields: Fields): Promise<readonly string[]> {
  return collectInTurns(documents.values().map((document) => selectFields(document, fields)));
}

/** The selected members of an object; of an array those of its elements, without elements that are no objects. */
function select(value: JsonValue, selection: Selection): JsonValue | undefined {
  if (isJsonArray(value)) return value.map((item) => select(item, selection)).filter((item) => item !== undefined);
  if (!isJsonObject(value)) return undefined;
  const selected: ObjectInProgress = {};
  for (const name of Object.keys(value)) {
    const wanted = selection.get(name);
    if (wanted === undefined) continue;
    const part = wanted === 'all' ? value[name] : select(value[name]!, wanted);
    if (part !== undefined) setOwn(selected, name, part);
  }
  return selected;
}

/** A value without the selected members: of an array those of its elements. */
export function omit(value: JsonValue, selection: Selection): JsonValue {
  if (isJsonArray(value)) return value.map((item) => omit(item, selection));
  if (!isJsonObject(value)) return value;
  const left: ObjectInProgress = {};
  for (const name of Object.keys(value)) {
    const unwanted = selection.get(name);
    if (unwanted !== 'all') setOwn(left, name, unwanted ? omit(value[name]!, unwanted) : value[name]!);
  }
  return left;
}
