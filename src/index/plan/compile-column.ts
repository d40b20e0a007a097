import type { AtPath, Literal, Path, ValueRange } from '../../domain/predicate/ast.ts';
import { disjointIntervals, type Interval, intervalsOf } from '../../domain/predicate/intervals.ts';
import { literalForms, plainForms, type Scalar } from '../../domain/predicate/scalar.ts';
import { joined, raw, type Sql, type SqlValue, sql } from './sql.ts';

/** The type of a system field in every document; `id` and `key` are plain text (decision 7). */
const columnTypes = {
  id: 'string',
  key: 'string',
  version: 'number',
  createdAt: 'instant',
  lastModifiedAt: 'instant',
} as const satisfies Record<string, Scalar['type']>;

/** A system field that has a column, and so an index, of its own. */
export type SystemColumn = keyof typeof columnTypes;

/** The columns of `resource r` that hold system fields. */
export const columns: Readonly<Record<SystemColumn, Sql>> = {
  id: raw('r.id'),
  key: raw('r.key'),
  version: raw('r.version'),
  createdAt: raw('r.created_at'),
  lastModifiedAt: raw('r.modified_at'),
};

const columnNames: ReadonlySet<string> = new Set(Object.keys(columnTypes));

/** The column of a path; undefined for the paths of the client's own fields. */
export function systemColumnOf(path: Path): SystemColumn | undefined {
  return path.length === 1 && columnNames.has(path[0]!) ? (path[0] as SystemColumn) : undefined;
}

/** The scalars that literals stand for beside a column: only those of its type, since no others compare. */
export function columnForms(column: SystemColumn, literals: readonly Literal[]): readonly Scalar[] {
  const type = columnTypes[column];
  const forms = type === 'string' ? plainForms : literalForms;
  return literals.flatMap(forms).filter((scalar) => scalar.type === type);
}

/** The intervals that ranges stand for beside a column, without overlaps. */
export function columnIntervals(column: SystemColumn, ranges: readonly ValueRange[]): readonly Interval[] {
  return disjointIntervals(intervalsOf(ranges, (literal) => columnForms(column, [literal])));
}

function boundValue({ value }: Scalar): SqlValue {
  return typeof value === 'boolean' ? (value ? 1n : 0n) : value;
}

/** Membership in a list of scalars of one type, bound as one value however long the list is. Integers keep every digit (decision 5). */
function isAmong(value: Sql, scalars: readonly Scalar[]): Sql {
  const texts = scalars.map((each) =>
    typeof each.value === 'bigint' ? String(each.value) : JSON.stringify(each.value),
  );
  return sql`${value} IN (SELECT value FROM json_each(${`[${texts.join()}]`}))`;
}

function liesBetween(value: Sql, { from, to, isOpen }: Interval): Sql {
  if (from && to) return sql`(${value} BETWEEN ${boundValue(from)} AND ${boundValue(to)})`;
  const equal = raw(isOpen ? '' : '=');
  if (from) return sql`${value} >${equal} ${boundValue(from)}`;
  return to ? sql`${value} <${equal} ${boundValue(to)}` : sql`${value} IS NOT NULL`;
}

/** Compiles a normal condition on a system field to its column; undefined for one that is rarely put to such a field. */
export function compileColumn(predicate: AtPath, column: SystemColumn): Sql | undefined {
  const name = columns[column];
  switch (predicate.kind) {
    case 'in': {
      const forms = columnForms(column, predicate.values);
      if (forms.length === 0) return raw('FALSE');
      return forms.length === 1 ? sql`${name} = ${boundValue(forms[0]!)}` : isAmong(name, forms);
    }
    case 'within':
      return joined(
        columnIntervals(column, predicate.ranges).map((each) => liesBetween(name, each)),
        'OR',
      );
    case 'empty':
      return sql`${name} IS NULL`;
    case 'defined':
      return sql`${name} IS NOT NULL`;
    default:
      return undefined;
  }
}
