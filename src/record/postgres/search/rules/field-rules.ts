import type { Predicate } from '../../../../domain/predicate/ast.ts';
import { hasFieldOf, wordKey } from '../../../../domain/search/field-rules.ts';
import type { Rung, SearchQuery } from '../../../../domain/search/query/query.ts';
import { anyText, type NeededText, neededOn, rungs, type WordCounts } from '../../../../index/plan/ladder.ts';
import { isRanked } from '../../../../index/plan/search-position.ts';
import { joined, raw, type Sql, sql } from '../../../../index/plan/sql.ts';
import { anyChoice, looseAlternatives, type QueryText } from '../../../../index/plan/word-choices.ts';
import type { Connection } from '../../open/connection.ts';
import type { CompiledList, Selection } from '../../query/plan-list.ts';
import { firstIdsOf } from '../../query/run-list.ts';
import { runSql } from '../../query/run-sql.ts';
import { fromMatches } from '../../query/select.ts';
import { termCondition, textArray } from '../../query/term-condition.ts';
import { firstCandidates } from '../candidates.ts';
import { hasNeeded } from '../rank-terms.ts';
import type { ChangedWordsOfRules, DocumentVersion } from './changed-words.ts';
import { judged } from './judge.ts';
import { choicesInIndex, isPlain, neededInIndex } from './plain-words.ts';
import { noRuledDocuments, type RuledDocument, type RuledDocuments, ruledDocuments } from './ruled-documents.ts';

/** How the rules of a project for its fields are applied to a search. */
export interface RuleParts {
  readonly connection: Connection;
  readonly query: SearchQuery;
  readonly select: (where: readonly Predicate[]) => Selection;
  /** The list of an order by fields. */
  readonly inOrder: (where: readonly Predicate[]) => CompiledList;
  /** No more documents than so many are looked at together; undefined for all. */
  readonly most: number | undefined;
  readonly words: ChangedWordsOfRules;
}

/** The documents that rules change, for the words of some texts. */
export interface FieldRules {
  /** Those of the whole project with one of the words; undefined where these are too many. */
  readonly whole: RuledDocuments | undefined;
  /** A condition of terms, or, where there is no `whole`, the same as the index has plain words in what may have them. */
  orPlain(condition: Sql, indexed: () => Sql): Sql;
  /** Those that count for matches of a rung within some predicates, and within a condition. */
  within(rung: Rung, needed: readonly NeededText[], where: readonly Predicate[], and?: Sql): Promise<RuledDocuments>;
}

/** Looks the documents up. */
export async function openFieldRules(parts: RuleParts, texts: readonly QueryText[]): Promise<FieldRules> {
  const { query, select, most } = parts;
  const { projectKey, staged, fields } = query;
  const choices = texts.flatMap(({ words }) =>
    words.flatMap(looseAlternatives).flatMap(({ parts: own }) => own.flat()),
  );
  if (fields.length === 0 || choices.length === 0) {
    return { whole: noRuledDocuments, orPlain: (condition) => condition, within: async () => noRuledDocuments };
  }
  const selection = select([hasFieldOf(fields)]);
  const hasField = joined(selection.conditions, 'AND');
  const asked = new Map(choices.map((choice) => [wordKey(choice.locale, choice.word), choice]));
  const judging = { ...parts, texts, asked };
  // Whatever is asked of them later: suggestions need other words than results.
  const anyWord: NeededText = {
    ...{ words: texts.flatMap(({ words }) => words).slice(0, 1), count: 1 },
    alternativesOf: () => [{ factor: 1, isShort: false, parts: [choices] }],
  };
  const judge = (rows: readonly DocumentVersion[]) => judged(judging, rows, { all: false, needed: [anyWord] });
  const indexed = choicesInIndex(choices);
  const hasWord = termCondition((projection) => anyChoice(projectKey, projection, indexed, false), staged);
  const rows = await versionsOf(parts, { ...selection, conditions: [hasWord, hasField] });
  const isWhole = most === undefined || rows.length <= most;
  const whole = isWhole ? ruledDocuments(await judge(rows)) : undefined;
  return {
    whole,
    orPlain(condition, inTerms) {
      return whole || !choices.some(isPlain) ? condition : sql`(${condition} OR (${inTerms()} AND ${hasField}))`;
    },
    async within(rung, needed, where, and) {
      if (whole) return whole;
      const own = needed.map(neededInIndex);
      const matches = termCondition(
        (projection) => anyText(projectKey, projection, own, { byBeginning: false }),
        staged,
      );
      const among = (all: Selection): Selection => {
        return { ...all, conditions: [matches, hasField, ...(and ? [and] : []), ...all.conditions], isNarrowed: true };
      };
      const found = await versionsOf(parts, among(select(where)));
      if (found.length <= most!) return ruledDocuments(await judge(found));
      const passes = ({ document }: RuledDocument) => needed.some((one) => hasNeeded(document, one));
      const known = new Map<string, RuledDocument>();
      const versions = new Map<string, DocumentVersion>();
      const lookAt = async (count: number) => {
        const ids = isRanked(query)
          ? await bestIds(parts, among(select(where)), { texts, needed, rung, count })
          : await firstIdsOf(parts.connection, narrowedList(parts.inOrder(where), among), count);
        const unknown = ids.filter((id) => !known.has(id));
        const rows = await versionsById(parts, unknown);
        for (const row of rows) versions.set(row.id, row);
        for (const one of await judged(judging, rows, { all: true, needed })) known.set(one.id, one);
        const looked = ids.map((id) => known.get(id)!);
        return { looked, passing: looked.filter(passes), isEnd: ids.length < count };
      };
      // Pages by relevance end with what was ranked, others go on.
      const enough = isRanked(query) ? most! : Math.max(most!, query.offset + query.limit + 1);
      let seen = await lookAt(enough);
      if (!seen.isEnd && seen.passing.length < enough) seen = await lookAt(lookedAt * enough);
      // In an order by fields a later page begins behind others.
      const isAll = seen.isEnd && (isRanked(query) || query.after === undefined);
      return isAll
        ? ruledDocuments(await judge(seen.looked.filter(isChanged).map(({ id }) => versions.get(id)!)))
        : ruledDocuments(seen.passing.slice(0, enough), hasField);
    },
  };
}

/** Where rules take matches away, so many times as many documents are looked at for others. */
const lookedAt = 2;

const isChanged = ({ document }: RuledDocument) => document.changes!.size > 0;

const narrowedList = (list: CompiledList, among: (own: Selection) => Selection): CompiledList => {
  return { ...list, ...among(list) };
};

/** Where numbers do not matter. */
const alike: WordCounts = { strict: () => 1, loose: () => 1 };

interface Best {
  readonly texts: readonly QueryText[];
  readonly needed: readonly NeededText[];
  readonly rung: Rung;
  readonly count: number;
}

/**
 * What may be best, as far as terms tell it: what has all words comes first, as in a ranking, and before that what has them not
 * only in texts, since fields that are excluded usually are texts.
 */
async function bestIds(
  { connection, query: { projectKey, staged } }: RuleParts,
  among: Selection,
  { texts, needed, rung, count }: Best,
): Promise<readonly string[]> {
  const ids = new Set<string>();
  for (const one of new Set<Rung>(['all', rung])) {
    const own = one === rung ? needed : neededOn(one, texts, alike);
    const sought = texts.map((text, at) => ({ text, needed: own[at]! }));
    const indexed = own.map(neededInIndex);
    for (const those of [indexed.map(inShortFields), indexed]) {
      const condition = termCondition((p) => anyText(projectKey, p, those, { byBeginning: false }), staged);
      const matches = { ...among, conditions: [condition, ...among.conditions] };
      const found = { matches, besides: undefined };
      for (const id of await firstCandidates(connection, found, sought, rungs.indexOf(one), count)) ids.add(id);
      if (ids.size >= count) return [...ids].slice(0, count);
    }
  }
  return [...ids];
}

/** The same where words count in names and attributes alone. */
function inShortFields(needed: NeededText): NeededText {
  const alternativesOf: NeededText['alternativesOf'] = (word) =>
    needed.alternativesOf(word).map((alternative) => ({ ...alternative, isShort: true }));
  return { ...needed, alternativesOf };
}

async function versionsById(parts: RuleParts, ids: readonly string[]): Promise<readonly DocumentVersion[]> {
  const conditions = [sql`r.id = ANY (${textArray(ids)})`];
  return versionsOf({ ...parts, most: undefined }, { ...parts.select([]), conditions });
}

/** The rows of a selection; one more than are looked at says that there are more. Planned for all, as in `countMatches`. */
async function versionsOf({ connection, most }: RuleParts, selection: Selection): Promise<readonly DocumentVersion[]> {
  const rows = sql`SELECT r.id, r.version, r.checksum ${fromMatches(selection)}`;
  if (most === undefined) return runSql<DocumentVersion>(connection, rows);
  const limit = raw(String(most + 1));
  return runSql<DocumentVersion>(
    connection,
    sql`WITH m AS MATERIALIZED (${rows}) SELECT m.id, m.version, m.checksum FROM m LIMIT ${limit}`,
  );
}
