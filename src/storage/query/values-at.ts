import type { Path } from '../../domain/predicate/ast.ts';
import type { Dialect, Rows } from './dialect.ts';
import { listed, type Sql, sql } from './sql.ts';

/** FROM and WHERE of rows. CROSS JOIN keeps the order: each row is read out of the one before it. */
export function fromRows(rows: readonly Rows[]): Sql {
  const from = listed(
    rows.map((row) => row.from),
    ' CROSS JOIN ',
  );
  const where = listed(
    rows.map((row) => row.where),
    ' AND ',
  );
  return sql`FROM ${from} WHERE ${where}`;
}

/** FROM and WHERE of the values `v` at a path of a document, an array standing for its elements. No fall-through. */
export function valuesAt(dialect: Dialect, path: Path, json: Sql): Sql {
  const outer = path.slice(0, -1);
  const steps = outer.map((name, at) =>
    dialect.objectsOf(at === 0 ? json : dialect.objectText(`s${at - 1}`), name, `s${at}`),
  );
  const inside = outer.length === 0 ? json : dialect.objectText(`s${outer.length - 1}`);
  return fromRows([...steps, dialect.valuesOf(inside, path.at(-1)!, 'v')]);
}
