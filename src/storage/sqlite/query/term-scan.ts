import type { DatabaseSync } from 'node:sqlite';
import { type Projection, termHead, textMarks } from '../../index/term-encoding.ts';
import { raw, type Sql, sql } from '../../query/sql.ts';
import { selectNumbers } from './statements.ts';

/** The terms between two ends, which are written without the head of project and projection. */
export interface TermRange {
  readonly from: string;
  /** `from` itself is excluded. */
  readonly after?: boolean;
  readonly to: string;
  /** `to` itself is included; otherwise it is excluded. */
  readonly through?: boolean;
  /** Only keys of plain texts, not of instants. */
  readonly plainTexts?: boolean;
}

/** FROM and WHERE of the entries `v` within a range. */
export function fromEntries(projectKey: string, projection: Projection, range: TermRange): Sql {
  const head = termHead(projectKey, projection);
  const [above, below] = [raw(range.after ? '>' : '>='), raw(range.through ? '<=' : '<')];
  const plain = range.plainTexts ? sql` AND substr(v.term, -1) = ${textMarks.string}` : raw('');
  return sql`FROM temp.term_entry v WHERE v.term ${above} ${head + range.from} AND v.term ${below} ${head + range.to}${plain}`;
}

/** True if some document has an entry in one of the ranges, in a projection of the query. */
export function hasEntries(
  db: DatabaseSync,
  { projectKey, staged }: { readonly projectKey: string; readonly staged: boolean },
  ranges: readonly TermRange[],
): boolean {
  const projections: readonly Projection[] = staged ? ['c', 's'] : ['c'];
  return ranges.some((range) =>
    projections.some((projection) => {
      const first = sql`SELECT v.doc AS row ${fromEntries(projectKey, projection, range)} LIMIT 1`;
      return selectNumbers(db, first).length > 0;
    }),
  );
}

/** All terms of a path whose end begins with a letter. */
export function wholeRange(path: string, kind: string): TermRange {
  return { from: `${path}|${kind}`, to: `${path}|${String.fromCharCode(kind.charCodeAt(0) + 1)}` };
}

/** All terms of a path: a document with one of them has the path. */
export function presenceRange(path: string): TermRange {
  return { from: `${path}|`, to: `${path}}` };
}
