import { type Sql, sql } from '../../../../index/plan/sql.ts';
import type { Connection } from '../../open/connection.ts';
import type { Selection } from '../../query/plan-list.ts';
import { runSql } from '../../query/run-sql.ts';
import { fromMatches } from '../../query/select.ts';
import { textArray } from '../../query/term-condition.ts';
import type { TermDocument } from '../rank-terms.ts';

/**
 * The documents in which words of a search stand elsewhere than their terms say, by the rules of the project for its
 * fields. They are judged one by one; all others are left to the database.
 */
export interface RuledDocuments {
  readonly documents: readonly RuledDocument[];
  /** More documents have such a field than were looked at: those are left out, whether they match or not. */
  readonly isCut: boolean;
  /** The selection without them. */
  without(selection: Selection): Selection;
  /** Those of them that match a selection. */
  matching(connection: Connection, selection: Selection): Promise<readonly RuledDocument[]>;
  /** A condition of the others, or being one of them that passes. */
  instead(condition: Sql, passes: (document: TermDocument) => boolean): Sql;
}

export interface RuledDocument {
  readonly id: string;
  readonly document: TermDocument;
}

/** Where the rules change nothing. */
export const noRuledDocuments: RuledDocuments = {
  ...{ documents: [], isCut: false },
  without: (selection) => selection,
  matching: async () => [],
  instead: (condition) => condition,
};

/** `hasField`: of documents that have a field with a rule, no others than these are looked at. */
export function ruledDocuments(documents: readonly RuledDocument[], hasField?: Sql): RuledDocuments {
  if (documents.length === 0 && !hasField) return noRuledDocuments;
  const isAmong = (some: readonly RuledDocument[]) => sql`r.id = ANY (${textArray(some.map(({ id }) => id))})`;
  const isOther = hasField ? sql`(${hasField}) IS NOT TRUE` : sql`NOT ${isAmong(documents)}`;
  return {
    documents,
    isCut: hasField !== undefined,
    without: (all) => ({ ...all, conditions: [...all.conditions, isOther] }),
    async matching(connection, all) {
      const conditions = [isAmong(documents), ...all.conditions];
      const rows = await runSql<{ id: string }>(connection, sql`SELECT r.id ${fromMatches({ ...all, conditions })}`);
      const ids = new Set(rows.map(({ id }) => id));
      return documents.filter(({ id }) => ids.has(id));
    },
    instead(condition, passes) {
      const passing = documents.filter(({ document }) => passes(document));
      return sql`((${condition} AND ${isOther}) OR ${isAmong(passing)})`;
    },
  };
}
