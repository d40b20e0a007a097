import type { DatabaseSync } from 'node:sqlite';
import { type Projection, termHead, textMarks } from '../../index/term-encoding.ts';
import { raw, type Sql, sql } from '../../query/sql.ts';
import { selectNumbers } from './statements.ts';

/** Terms that are in order between two ends, without the head of project and projection. */
export interface TermRange {
  readonly from: string;
  /** `from` itself is outside. */
  readonly after?: boolean;
  readonly to: string;
  /** `to` itself is inside; it is outside otherwise. */
  readonly through?: boolean;
  /** Of the keys of texts only those of plain texts. */
  readonly plainTexts?: boolean;
}

/** FROM and WHERE of the entries `v` within a range. */
export function fromEntries(projectKey: string, projection: Projection, range: TermRange): Sql {
  const head = termHead(projectKey, projection);
  const [above, below] = [raw(range.after ? '>' : '>='), raw(range.through ? '<=' : '<')];
  const plain = range.plainTexts ? sql` AND substr(v.term, -1) = ${textMarks.string}` : raw('');
  return sql`FROM temp.term_entry v WHERE v.term ${above} ${head + range.from} AND v.term ${below} ${head + range.to}${plain}`;
}

/** True if some document has an entry in one of the ranges, in a projection that is asked for. */
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

/** All terms of a path that begin with a letter. */
export function wholeRange(path: string, kind: string): TermRange {
  return { from: `${path}|${kind}`, to: `${path}|${String.fromCharCode(kind.charCodeAt(0) + 1)}` };
}

/** All terms of a path: it is there in a document that has one. */
export function presenceRange(path: string): TermRange {
  return { from: `${path}|`, to: `${path}}` };
}
