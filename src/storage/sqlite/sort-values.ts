import type { JsonObject, JsonValue } from '../../contract/json.ts';
import { isJsonObject } from '../../domain/json/object.ts';
import type { Path } from '../../domain/predicate/ast.ts';
import { arrayTestField, arrayTestNames, memberOf, valuesIn } from '../../domain/predicate/path.ts';
import { compareScalars, type Scalar, scalarOf } from '../../domain/predicate/scalar.ts';
import { systemColumnOf } from '../sql/compile-column.ts';

/** A row of `sort_value`, but for project and row number. */
export interface SortValue {
  readonly projection: 0 | 1;
  readonly path: string;
  /** Numbers, texts (points in time in canonical form), and booleans as one byte: in this order to SQLite. */
  readonly value: bigint | number | string | Uint8Array;
  readonly edge: number;
}

/**
 * Bits of `edge`. The first four are of the path as stored; `<< shortForm` the same of its short form, which differ
 * where a document has a field of its own under one of ArrayTestType's names.
 */
export const edges = { leastOfType: 1, greatestOfType: 2, least: 4, greatest: 8, instant: 256 } as const;
export const shortForm = 4;

/**
 * Follows the path of rows that name, once more, the documents with several values: a range with two ends, and a range
 * read in order, are to find those that have values on both sides of an end.
 */
export const severalSuffix = '\nseveral';

/** A path that `sort_value` holds, as stored; `short` is its short form where it has one. */
export interface SortPath {
  readonly stored: string;
  readonly names: Path;
  readonly short?: Path;
}

const builtIn = [
  ...[...arrayTestNames].filter((name) => name !== 'arrayOfObjectType'),
  'arrayOfObjectType.integerExample',
  'arrayOfObjectType.integerExampleInt32',
];

const known = new WeakMap<readonly string[], ReadonlyMap<string, SortPath>>();

/** The paths that `sort_value` holds, by stored path: the declared ones and ArrayTestType's. */
export function sortPathsOf(declaredPaths: readonly string[]): ReadonlyMap<string, SortPath> {
  const found = known.get(declaredPaths);
  if (found) return found;
  const paths = [...builtIn, ...declaredPaths].map((text) => toSortPath(text.split('.')));
  const made = new Map(paths.filter(({ names }) => !systemColumnOf(names)).map((path) => [path.stored, path]));
  known.set(declaredPaths, made);
  return made;
}

function toSortPath(declared: Path): SortPath {
  const names = arrayTestNames.has(declared[0]!) ? [arrayTestField, ...declared] : declared;
  const stored = names.join('.');
  const short = names[0] === arrayTestField ? names.slice(1) : [];
  return arrayTestNames.has(short[0] ?? '') ? { stored, names, short } : { stored, names };
}

/** Where the values of a path are stored, and how far its edge bits are shifted; undefined where they are not. */
export function storedSortPath(
  path: Path,
  declaredPaths: readonly string[],
): { readonly stored: string; readonly shift: number } | undefined {
  if (path.some((name) => name.includes('.'))) return undefined;
  const stored = toSortPath(path).stored;
  const shift = arrayTestNames.has(path[0]!) ? shortForm : 0;
  return sortPathsOf(declaredPaths).has(stored) ? { stored, shift } : undefined;
}

/** All rows of a document in one projection. */
export function sortValues(document: JsonObject, projection: 0 | 1, declaredPaths: readonly string[]): SortValue[] {
  return [...sortPathsOf(declaredPaths).values()].flatMap((path) => rowsOf(document, projection, path));
}

/** Adds to the lists the rows that a document lost and gained. Paths whose top-level field is the same are skipped. */
export function sortDifference(
  before: JsonObject | undefined,
  after: JsonObject | undefined,
  projection: 0 | 1,
  declaredPaths: readonly string[],
  removed: SortValue[],
  added: SortValue[],
): void {
  for (const path of sortPathsOf(declaredPaths).values()) {
    if (
      before &&
      after &&
      sameField(before, after, path.names) &&
      (!path.short || sameField(before, after, path.short))
    )
      continue;
    if (!before) {
      for (const row of rowsOf(after!, projection, path)) added.push(row);
      continue;
    }
    const lost = new Map(rowsOf(before, projection, path).map((row) => [identity(row), row]));
    for (const row of after ? rowsOf(after, projection, path) : []) if (!lost.delete(identity(row))) added.push(row);
    removed.push(...lost.values());
  }
}

function sameField(before: JsonObject, after: JsonObject, names: Path): boolean {
  return memberOf(before, names[0]!) === memberOf(after, names[0]!);
}

function identity({ path, value, edge }: SortValue): string {
  return `${path}|${typeof value}|${edge}|${value}`;
}

function rowsOf(document: JsonObject, projection: 0 | 1, { stored, names, short }: SortPath): SortValue[] {
  const ownShort = short && memberOf(document, short[0]!) !== undefined;
  const marked: Marked[] = [];
  if (mayHave(document, names)) markEdges(valuesIn(document, names), short && !ownShort ? bothForms : [0], marked);
  if (ownShort) markEdges(valuesIn(document, short), [shortForm], marked);
  if (marked.length === 0) return [];
  return [...marked.map((each) => toRow(projection, stored, each)), ...rowsOfSeveral(projection, stored, marked)];
}

/** False where the first names already lead nowhere, as most of the paths of most documents do. */
function mayHave(document: JsonObject, names: Path): boolean {
  const first = memberOf(document, names[0]!);
  if (first === undefined || names.length === 1 || !isJsonObject(first)) return first !== undefined;
  return memberOf(first, names[1]!) !== undefined;
}

const bothForms = [0, shortForm];

interface Marked {
  readonly scalar: Scalar;
  edge: number;
}

/** Marks the least and greatest of the values, of all and of each type. */
function markEdges(values: readonly JsonValue[], shifts: readonly number[], marked: Marked[]): void {
  const ends = new Map<string, { least: Scalar; greatest: Scalar }>();
  const widen = (group: string, scalar: Scalar) => {
    const end = ends.get(group);
    if (!end) ends.set(group, { least: scalar, greatest: scalar });
    else if (compareScalars(scalar, end.least) < 0) end.least = scalar;
    else if (compareScalars(scalar, end.greatest) > 0) end.greatest = scalar;
  };
  for (const value of values) {
    const scalar = scalarOf(value);
    if (!scalar) continue;
    widen(scalar.type, scalar);
    widen('all', scalar);
  }
  for (const [group, { least, greatest }] of ends) {
    const all = group === 'all';
    mark(marked, least, all ? edges.least : edges.leastOfType, shifts);
    mark(marked, greatest, all ? edges.greatest : edges.greatestOfType, shifts);
  }
}

function mark(marked: Marked[], scalar: Scalar, edge: number, shifts: readonly number[]): void {
  let found = marked.find((each) => each.scalar.type === scalar.type && each.scalar.value === scalar.value);
  if (!found) {
    found = { scalar, edge: scalar.type === 'instant' ? edges.instant : 0 };
    marked.push(found);
  }
  for (const shift of shifts) found.edge |= edge << shift;
}

/** Of a document with several values its least one, of all and of each type, under the path of such documents. */
function rowsOfSeveral(projection: 0 | 1, stored: string, marked: readonly Marked[]): SortValue[] {
  const isLeastOnly = ({ edge }: Marked) =>
    [0, shortForm].some((shift) => {
      const bits = edge >> shift;
      const ofType = (bits & edges.leastOfType) !== 0 && (bits & edges.greatestOfType) === 0;
      return ofType || ((bits & edges.least) !== 0 && (bits & edges.greatest) === 0);
    });
  return marked.filter(isLeastOnly).map((each) => toRow(projection, stored + severalSuffix, each));
}

function toRow(projection: 0 | 1, path: string, { scalar, edge }: Marked): SortValue {
  const { value } = scalar;
  return { projection, path, value: typeof value === 'boolean' ? Uint8Array.of(value ? 1 : 0) : value, edge };
}
