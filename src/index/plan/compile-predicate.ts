import { type Path, type Predicate, partsOf } from '../../domain/predicate/ast.ts';
import { arrayTestNames } from '../../domain/predicate/path.ts';
import { compileColumn, systemColumnOf } from './compile-column.ts';
import { joined, raw, type Sql, sql } from './sql.ts';

/**
 * Compiles a predicate to a condition over the columns of `resource r`, or over `json`, the text of the document, for which `satisfies` of `registerFunctions`
 * asks what every predicate means (decision 15). The condition is never NULL, so NOT needs no further care.
 */
export function compilePredicate(predicate: Predicate, json: Sql): Sql {
  return byColumns(predicate) ?? sql`satisfies(${seenOf(json, pathsOf(predicate))}, ${writePredicate(predicate)})`;
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
function byColumns(predicate: Predicate): Sql | undefined {
  switch (predicate.kind) {
    case 'constant':
      return raw(predicate.value ? 'TRUE' : 'FALSE');
    case 'and':
    case 'or': {
      const parts = predicate.of.map((each) => byColumns(each)).filter((part) => part !== undefined);
      return parts.length === predicate.of.length ? joined(parts, predicate.kind === 'and' ? 'AND' : 'OR') : undefined;
    }
    case 'not': {
      const of = byColumns(predicate.of);
      return of && sql`((${of}) IS NOT TRUE)`;
    }
    default: {
      const column = systemColumnOf(predicate.path);
      return column && compileColumn(predicate, column);
    }
  }
}

/** A predicate as text for `satisfies`; 64-bit integers keep every digit (decision 5). */
function writePredicate(predicate: Predicate): string {
  return JSON.stringify(predicate, (_, value) => (typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value));
}
