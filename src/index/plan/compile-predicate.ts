import { type Path, type Predicate, partsOf } from '../../domain/predicate/ast.ts';
import { arrayTestNames } from '../../domain/predicate/path.ts';
import { compileColumn, decidingColumn, type SystemColumns } from './compile-column.ts';
import { joined, raw, type Sql, sql } from './sql.ts';

export interface DocumentSource {
  /** The JSON text of the document. */
  readonly json: Sql;
  /** Columns that hold system fields. */
  readonly columns: SystemColumns;
}

/**
 * Compiles a predicate to a condition over a document's columns, or over its JSON text, for which `satisfies` of `registerFunctions`
 * asks what every predicate means (decision 15). The condition is never NULL, so NOT needs no further care.
 */
export function compilePredicate(predicate: Predicate, source: DocumentSource): Sql {
  return (
    byColumns(predicate, source.columns) ??
    sql`satisfies(${seenOf(source.json, pathsOf(predicate))}, ${writePredicate(predicate)})`
  );
}

/**
 * The name and the JSON text of the member of a document that paths are about, or an empty name and the whole document. SQLite finds a
 * member faster than the document is parsed.
 */
export function seenOf(json: Sql, paths: readonly Path[]): Sql {
  const [name, ...others] = new Set(paths.map(([first]) => first!));
  if (name === undefined || name === '' || others.length > 0 || arrayTestNames.has(name)) return sql`'', ${json}`;
  return sql`${name}, ${json} -> ${`$.${JSON.stringify(name)}`}`;
}

function pathsOf(predicate: Predicate): readonly Path[] {
  return 'path' in predicate ? [predicate.path] : partsOf(predicate).flatMap(pathsOf);
}

/** The condition over columns; undefined where they do not decide it. */
function byColumns(predicate: Predicate, columns: SystemColumns): Sql | undefined {
  switch (predicate.kind) {
    case 'constant':
      return raw(predicate.value ? 'TRUE' : 'FALSE');
    case 'and':
    case 'or': {
      const parts = predicate.of.map((each) => byColumns(each, columns)).filter((part) => part !== undefined);
      return parts.length === predicate.of.length ? joined(parts, predicate.kind === 'and' ? 'AND' : 'OR') : undefined;
    }
    case 'not': {
      const of = byColumns(predicate.of, columns);
      return of && sql`((${of}) IS NOT TRUE)`;
    }
    default: {
      if (predicate.kind === 'compare' && predicate.op !== '=') return undefined;
      const column = decidingColumn(predicate);
      return column && compileColumn(predicate, column, columns[column]);
    }
  }
}

/** A predicate as text for `satisfies`; 64-bit integers keep every digit (decision 5). */
function writePredicate(predicate: Predicate): string {
  return JSON.stringify(predicate, (_, value) => (typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value));
}
