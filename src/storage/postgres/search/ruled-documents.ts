import type { JsonObject } from '../../../contract/json.ts';
import { parseStoredJson } from '../../../domain/json/parse.ts';
import type { Predicate } from '../../../domain/predicate/ast.ts';
import { changesOf, type WordChange, wordKey } from '../../../domain/search/field-rules.ts';
import type { SearchQuery } from '../../../domain/search/query/query.ts';
import { indexedLocale, isPlainSpace } from '../../../domain/search/words/locales.ts';
import { wordTerm } from '../../index/word-terms.ts';
import { hasFieldOf } from '../../query/field-rules.ts';
import { raw, type Sql, sql } from '../../query/sql.ts';
import { anyChoice, looseAlternatives, type QueryText } from '../../query/word-choices.ts';
import type { Connection } from '../open/connection.ts';
import type { Selection } from '../query/plan-list.ts';
import { runSql } from '../query/run-sql.ts';
import { fromMatches } from '../query/select.ts';
import { termCondition, textArray } from '../query/term-condition.ts';
import { ownTerms, rankingTerms, termDocument, termsOfNumbers } from './rank.ts';
import type { TermDocument } from './rank-terms.ts';

/**
 * The documents in which words of a search stand elsewhere than their terms say, by the rules of the project for its
 * fields. They are read, and judged one by one; all others are left to the database.
 */
export interface RuledDocuments {
  readonly documents: readonly RuledDocument[];
  /** The selection without them. */
  without(selection: Selection): Selection;
  /** Those of them that match a selection. */
  matching(connection: Connection, selection: Selection): Promise<readonly RuledDocument[]>;
  /** A condition of the others, or being one of them that passes. */
  instead(condition: Sql, passes: (document: TermDocument) => boolean): Sql;
}

interface RuledDocument {
  readonly id: string;
  readonly document: TermDocument;
}

/** Documents that are read together. */
const batchSize = 1000;

/** Reads them for the words of some texts. */
export async function readRuledDocuments(
  connection: Connection,
  query: SearchQuery,
  texts: readonly QueryText[],
  select: (where: readonly Predicate[]) => Selection,
): Promise<RuledDocuments> {
  const { projectKey, staged, fields } = query;
  const choices = texts.flatMap(({ words }) => words.flatMap(looseAlternatives).flatMap(({ parts }) => parts.flat()));
  if (fields.length === 0 || choices.length === 0) return judging([]);
  const selection = select([hasFieldOf(fields)]);
  const indexed = choices.map(({ locale, word }) => ({ locale: indexedLocale(locale), word }));
  const hasWord = termCondition((projection) => anyChoice(projectKey, projection, indexed, false), staged);
  const asked = new Set(choices.map(({ locale, word }) => wordKey(locale, word)));
  const terms = [...rankingTerms(query, texts)];
  const termsOf = termsOfNumbers(connection, terms);
  const found: RuledDocument[] = [];
  for (let last: string | undefined; ; ) {
    const rest = last === undefined ? [] : [sql`r.id > ${last}`];
    const rows = await readBatch(
      connection,
      { ...selection, conditions: [hasWord, ...rest, ...selection.conditions], isNarrowed: true },
      terms,
    );
    for (const { id, text, has_staged: hasStaged, own } of rows) {
      const all = changesOf(parseStoredJson(text) as JsonObject, fields);
      const changed = all.filter(({ locale, word }) => asked.has(wordKey(locale, word)));
      if (changed.length === 0) continue;
      const changes = new Map(changed.map(({ locale, word, ruled }) => [wordKey(locale, word), ruled]));
      const document = termDocument(termsOf(own), hasStaged, query);
      found.push({ id, document: { ...document, own: withPlain(document, changed), changes } });
    }
    if (rows.length < batchSize) return judging(found);
    last = rows.at(-1)!.id;
  }
}

/** The terms of a document with those of its plain words, which the index has under their locale alone. */
function withPlain({ own, head }: TermDocument, changes: readonly WordChange[]): ReadonlySet<string> {
  const plain = changes.filter(({ locale }) => isPlainSpace(locale));
  return plain.length === 0 ? own : new Set([...own, ...plain.map(({ locale, word }) => wordTerm(head, locale, word))]);
}

interface Row {
  readonly id: string;
  readonly text: string;
  readonly has_staged: boolean;
  readonly own: readonly string[];
}

function readBatch(connection: Connection, selection: Selection, terms: readonly string[]): Promise<readonly Row[]> {
  const text = raw(selection.staged ? 'coalesce(r.staged, r.current)' : 'r.current');
  return runSql<Row>(
    connection,
    sql`SELECT r.id, ${text}::text AS text, r.staged IS NOT NULL AS has_staged, ${ownTerms(terms)}::text[] AS own
      ${fromMatches(selection)} ORDER BY r.id LIMIT ${raw(String(batchSize))}`,
  );
}

function judging(documents: readonly RuledDocument[]): RuledDocuments {
  const isAmong = (some: readonly RuledDocument[]) => sql`r.id = ANY (${textArray(some.map(({ id }) => id))})`;
  if (documents.length === 0) {
    return { documents, without: (all) => all, matching: async () => [], instead: (condition) => condition };
  }
  return {
    documents,
    without: (all) => ({ ...all, conditions: [...all.conditions, sql`NOT ${isAmong(documents)}`] }),
    async matching(connection, all) {
      const conditions = [isAmong(documents), ...all.conditions];
      const rows = await runSql<{ id: string }>(connection, sql`SELECT r.id ${fromMatches({ ...all, conditions })}`);
      const ids = new Set(rows.map(({ id }) => id));
      return documents.filter(({ id }) => ids.has(id));
    },
    instead(condition, passes) {
      const passing = documents.filter(({ document }) => passes(document));
      return sql`((${condition} AND NOT ${isAmong(documents)}) OR ${isAmong(passing)})`;
    },
  };
}
