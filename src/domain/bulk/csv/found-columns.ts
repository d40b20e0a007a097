import type { JsonObject, JsonValue } from '../../../contract/json.ts';
import { systemFieldNames } from '../../../contract/resource.ts';
import { isJsonObject } from '../../json/values.ts';
import { type Column, columnOf, maxColumns, maxPathNames } from './csv-columns.ts';

/** A field that occurs: of its own a column, or an object whose fields are columns. */
interface Field {
  /** Undefined: the field is one column. */
  inner: Map<string, Field> | undefined;
}

/** Columns that are always there, before all others. */
const leadingNames: readonly string[] = ['id', 'key', 'version'];

/** The documents have more top-level fields than a CSV has columns. */
export class TooManyColumns extends Error {
  override readonly name = 'TooManyColumns';
}

export type ColumnFinder = ReturnType<typeof createColumnFinder>;

/**
 * Finds the columns of a CSV with all fields of some documents: each scalar and array has one, and so has an object that is
 * empty, or a scalar or array in another document. Fields with `null` count as absent.
 */
export function createColumnFinder() {
  const fields = new Map<string, Field>(leadingNames.map((name) => [name, { inner: undefined }]));
  let count = fields.size;

  function add(object: JsonObject, inside: Map<string, Field>, depth: number): void {
    for (const [name, value] of Object.entries(object)) {
      if (!isPresent(name, value, depth)) continue;
      const inner = innerOf(value, depth);
      const known = inside.get(name);
      if (known === undefined) {
        const field: Field = { inner: inner && new Map() };
        inside.set(name, field);
        if (!inner) count += 1;
        else add(inner, field.inner!, depth + 1);
      } else if (known.inner) {
        if (inner) add(inner, known.inner, depth + 1);
        else join(known);
      }
    }
  }

  /** Makes an object one column. */
  function join(field: Field): void {
    count -= columnsIn(field) - 1;
    field.inner = undefined;
  }

  return {
    /** Throws `TooManyColumns`. */
    add(document: JsonObject): void {
      add(document, fields, 1);
      // Objects with very many fields, such as those with ids as names, are one column.
      while (count > maxColumns) {
        const widest = [...fields.values()].reduce((most, each) => (columnsIn(each) > columnsIn(most) ? each : most));
        if (!widest.inner) throw new TooManyColumns();
        join(widest);
      }
    },
    /** True if the columns have every value of a document. */
    covers: (document: JsonObject): boolean => covers(document, fields, 1),
    /** `id`, `key` and `version`, the fields of the client by their names, then those that only the service sets. */
    columns: (): readonly Column[] => [...pathsIn(fields, [])].sort(byPlace).map(columnOf),
  };
}

function columnsIn({ inner }: Field): number {
  return inner ? [...inner.values()].reduce((sum, field) => sum + columnsIn(field), 0) : 1;
}

function isPresent(name: string, value: JsonValue, depth: number): boolean {
  // Every resource has this one, if only as an empty object.
  if (depth === 1 && name === 'objectTypeProperty' && isJsonObject(value) && Object.keys(value).length === 0)
    return false;
  return value !== null;
}

/** An object whose fields may be columns. */
function innerOf(value: JsonValue, depth: number): JsonObject | undefined {
  if (!isJsonObject(value) || depth === maxPathNames) return undefined;
  return Object.values(value).some((each) => each !== null) ? value : undefined;
}

function covers(object: JsonObject, fields: ReadonlyMap<string, Field>, depth: number): boolean {
  return Object.entries(object).every(([name, value]) => {
    if (!isPresent(name, value, depth)) return true;
    const field = fields.get(name);
    if (field === undefined || !field.inner) return field !== undefined;
    const inner = innerOf(value, depth);
    return inner !== undefined && covers(inner, field.inner, depth + 1);
  });
}

function* pathsIn(fields: ReadonlyMap<string, Field>, outer: readonly string[]): Iterable<readonly string[]> {
  for (const [name, { inner }] of fields) {
    const path = [...outer, name];
    if (inner) yield* pathsIn(inner, path);
    else yield path;
  }
}

const systemFields = [...systemFieldNames];

/** The order of columns: stable, whatever the order of the documents. */
function byPlace(left: readonly string[], right: readonly string[]): number {
  const [before, after] = [placeOf(left[0]!), placeOf(right[0]!)];
  if (before !== after) return before - after;
  const at = left.findIndex((name, index) => name !== right[index]);
  return (left[at] ?? '') < (right[at] ?? '') ? -1 : 1;
}

function placeOf(first: string): number {
  const leading = leadingNames.indexOf(first);
  if (leading >= 0) return leading;
  const own = leadingNames.length;
  return systemFieldNames.has(first) ? own + 1 + systemFields.indexOf(first) : own;
}
