import type { Literal, Path, Predicate } from '../../domain/predicate/ast.ts';
import { foldCase } from '../../domain/predicate/fold.ts';
import { literalForms, plainForms, type Scalar } from '../../domain/predicate/scalar.ts';
import type { Dialect } from './dialect.ts';
import { raw, type Sql, sql } from './sql.ts';

type AtPath = Extract<Predicate, { readonly path: Path }>;

/** The type that a system field has in every document; `id` and `key` are plain text (decision 7). */
const columnTypes = {
  id: 'string',
  key: 'string',
  version: 'number',
  createdAt: 'instant',
  lastModifiedAt: 'instant',
} as const satisfies Record<string, Scalar['type']>;

/** A system field that has a column, and so an index, of its own. */
export type SystemColumn = keyof typeof columnTypes;
export type SystemColumns = Readonly<Record<SystemColumn, Sql>>;

const columnNames: ReadonlySet<string> = new Set(Object.keys(columnTypes));

/** The column of a path; undefined for the paths of the client's own fields. */
export function systemColumnOf(path: Path): SystemColumn | undefined {
  return path.length === 1 && columnNames.has(path[0]!) ? (path[0] as SystemColumn) : undefined;
}

/** The column that decides a condition. A date's own text is in the document only, in the form it was given. */
export function decidingColumn(predicate: AtPath): SystemColumn | undefined {
  const column = systemColumnOf(predicate.path);
  const asksText = predicate.kind === 'matchesIgnoreCase' && column !== undefined && columnTypes[column] !== 'string';
  return asksText ? undefined : column;
}

/** One value can equal all literals only if they are the same scalar. */
function equalsSame(column: SystemColumn, literals: readonly Literal[]): boolean {
  const values = literals.map((literal) => columnForms(column, [literal])[0]?.value);
  return values.every((value) => value !== undefined && value === values[0]);
}

/** What literals stand for beside a column: only those of the column's type, for no other compares. */
export function columnForms(column: SystemColumn, literals: readonly Literal[]): readonly Scalar[] {
  const type = columnTypes[column];
  const forms = type === 'string' ? plainForms : literalForms;
  return literals.flatMap(forms).filter((scalar) => scalar.type === type);
}

/** Compiles a condition on a system field to its column. `!=` is stated by the caller as the negation of `=`. */
export function compileColumn(predicate: AtPath, column: SystemColumn, name: Sql, dialect: Dialect): Sql {
  const equalsOne = (literals: readonly Literal[]) => {
    const forms = columnForms(column, literals);
    if (forms.length === 0) return raw('0');
    return forms.length === 1 ? sql`${name} = ${dialect.bound(forms[0]!)}` : dialect.isAmong(name, forms);
  };
  switch (predicate.kind) {
    case 'compare': {
      const [form] = columnForms(column, [predicate.value]);
      return form ? sql`${name} ${raw(predicate.op)} ${dialect.bound(form)}` : raw('0');
    }
    case 'in':
      return equalsOne(predicate.values);
    case 'contains':
      return predicate.mode === 'any' || equalsSame(column, predicate.values) ? equalsOne(predicate.values) : raw('0');
    case 'empty':
      return sql`${name} IS NULL`;
    case 'defined':
      return sql`${name} IS NOT NULL`;
    case 'matchesIgnoreCase':
      return sql`${dialect.folded(name)} = ${foldCase(predicate.value)}`;
    // A system field is no point and no object.
    case 'circle':
    case 'embedded':
      return raw('0');
    default:
      return predicate satisfies never;
  }
}
