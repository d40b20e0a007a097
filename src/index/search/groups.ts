import { malformedParameter } from '../../contract/errors.ts';
import type { Path } from '../../domain/predicate/ast.ts';
import { leastTerm } from '../../domain/search/facet-values.ts';
import { columnOf } from './columns/column-filter.ts';
import { fewRows } from './columns/columns.ts';
import { columnOfDocuments } from './facets.ts';
import type { SearchContext } from './search.ts';

/** Rows of which each is the first of its group, in the order of the search. */
export interface FirstRows {
  readonly rows: readonly number[];
  /** The number of all groups. */
  readonly total: number;
  readonly groupOf: (row: number) => { readonly value?: string; readonly count: number };
}

/**
 * The first row of each group of matches, up to so many. `ordered` returns the first rows in the order of the search: more and more of them are asked for,
 * until enough are first ones. A row without a value is a group of its own.
 */
export function firstOfGroups(
  context: SearchContext,
  path: Path,
  rows: Uint32Array,
  wanted: number,
  ordered: (count: number) => readonly number[],
): FirstRows {
  const valueIn = groupValues(context, path, rows);
  const counts = new Map<string, number>();
  let alone = 0;
  for (const row of rows) {
    const value = valueIn(row);
    if (value === undefined) alone += 1;
    else counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const total = counts.size + alone;
  const groupOf: FirstRows['groupOf'] = (row) => {
    const value = valueIn(row);
    return value === undefined ? { count: 1 } : { value, count: counts.get(value)! };
  };
  for (let count = Math.min(rows.length, 4 * wanted); wanted > 0; count = Math.min(rows.length, 4 * count)) {
    context.deadline.checkNow();
    const seen = new Set<string>();
    const first = ordered(count).filter((row) => {
      const value = valueIn(row);
      return value === undefined || seen.size < seen.add(value).size;
    });
    if (first.length >= Math.min(wanted, total) || count === rows.length) {
      return { rows: first.slice(0, wanted), total, groupOf };
    }
  }
  return { rows: [], total, groupOf };
}

/** The value of the group of each row. */
function groupValues(context: SearchContext, path: Path, rows: Uint32Array): (row: number) => string | undefined {
  const ready = columnOf(context, path, rows.length);
  if (!ready && rows.length > fewRows) {
    throw malformedParameter(
      'group',
      `${path.join('.')} has too many different values to group ${rows.length} resources by; narrow the search to ${fewRows} resources`,
    );
  }
  const { column, maker } = ready ?? columnOfDocuments(context, path, rows);
  /** By the number of a value or of several ones. */
  const terms = new Map<number, string | undefined>();
  return (row) => {
    const number = column.rows.get(row);
    if (!terms.has(number)) {
      terms.set(number, leastTerm(column.valuesOf(number).flatMap((value) => maker.scalars[value - 2] ?? [])));
    }
    return terms.get(number);
  };
}
