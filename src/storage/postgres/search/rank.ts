import { compareUtf8 } from '../../../domain/predicate/scalar.ts';
import type { Rung } from '../../../domain/search/query/query.ts';
import { type Projection, termHead } from '../../index/term-encoding.ts';
import { lengthClasses, lengthTerm, placeMarks, wordTerm } from '../../index/word-terms.ts';
import { raw, type Sql, sql, typed } from '../../query/sql.ts';
import { looseAlternatives, type QueryText } from '../../query/word-choices.ts';
import type { Connection } from '../open/connection.ts';
import type { OrderKey, Selection } from '../query/plan-list.ts';
import { runSql } from '../query/run-sql.ts';
import { fromMatches, orderBy, slice } from '../query/select.ts';
import { textArray } from '../query/term-condition.ts';
import { type Rank, type RankedText, rankIn, type TermDocument } from './rank-terms.ts';
import type { RuledDocuments } from './ruled-documents.ts';

/** Matches that have the same terms of those that decide the rank. */
interface MarkedGroup {
  readonly staged: boolean;
  /** The positions of these terms in the list of the statement, from 1. */
  readonly marks: readonly number[];
  readonly matches: number;
  /** The first ids, ascending. */
  readonly ids: readonly string[];
}

export interface Ranked {
  /** The first `count` matches. */
  readonly ids: readonly string[];
  readonly total: number;
}

const rungNumbers: Readonly<Record<Rung, number>> = { all: 0, typos: 1, most: 2 };

/**
 * The first matches by relevance: an earlier rung first, then the greater score, then id (decision 113). The database
 * groups the matches by words, places and lengths; the rank of each group is computed here, as by every engine.
 */
export async function rankMatches(
  connection: Connection,
  selection: Selection,
  texts: readonly RankedText[],
  ruled: RuledDocuments,
  count: number,
  order: readonly OrderKey[],
): Promise<Ranked> {
  const terms = [
    ...rankingTerms(
      selection,
      texts.map(({ text }) => text),
    ),
  ];
  const groups = await runSql<MarkedGroup>(
    connection,
    groupsOf(ruled.without(selection), terms, order.length === 0 ? count : undefined),
  );
  const ranked = groups.map(({ staged, marks, ids }) => {
    const own = new Set(marks.map((position) => terms[position - 1]!));
    return { ids, ...rankOf(termDocument(own, staged, selection), texts) };
  });
  const others = await ruled.matching(connection, selection);
  for (const { id, document } of others) ranked.push({ ids: [id], ...rankOf(document, texts) });
  ranked.sort(compareRanks);
  const total = groups.reduce((sum, { matches }) => sum + matches, others.length);
  if (order.length === 0) return { ids: firstIds(tiersOf(ranked), count), total };
  return { ids: await orderedIds(connection, selection, tiersOf(ranked), count, order), total };
}

function compareRanks(left: Rank, right: Rank): number {
  return rungNumbers[left.rung] - rungNumbers[right.rung] || right.score - left.score;
}

/** With the first `count` ids of each group, or all. */
function groupsOf(selection: Selection, terms: readonly string[], count: number | undefined): Sql {
  const marks = marksAmong(terms);
  const some = count === undefined ? '' : `[1:${Math.trunc(count)}]`;
  const first = raw(`(array_agg(s.id ORDER BY s.id))${some}`);
  return sql`SELECT s.staged, s.marks, count(*) AS matches, ${first} AS ids
    FROM (SELECT r.id, r.staged IS NOT NULL AS staged, ${marks} AS marks ${fromMatches(selection)}) s
    GROUP BY s.staged, s.marks`;
}

/** The positions in a list of those terms that `resource r` has, from 1. */
export function marksAmong(terms: readonly string[]): Sql {
  const list = textArray(terms);
  // A beginning has thousands of terms: an array would be searched from its first one on.
  const positions = typed(JSON.stringify(Object.fromEntries(terms.map((term, at) => [term, at + 1]))), 'text');
  return sql`ARRAY(SELECT (${positions}::jsonb ->> t.term)::int FROM unnest(r.terms) t (term)
    WHERE t.term = ANY (${list}) ORDER BY 1)`;
}

/** The ids of groups in the order of their ranks, those of one rank together. */
function* tiersOf(ranked: readonly (Rank & { readonly ids: readonly string[] })[]): Generator<readonly string[]> {
  for (let at = 0; at < ranked.length; ) {
    const first = ranked[at]!;
    const tied: string[] = [];
    for (; at < ranked.length && compareRanks(ranked[at]!, first) === 0; at += 1) {
      for (const id of ranked[at]!.ids) tied.push(id);
    }
    yield tied;
  }
}

/** The first ids, those of one tier in their own order. */
function firstIds(tiers: Iterable<readonly string[]>, count: number): readonly string[] {
  const ids: string[] = [];
  for (const tied of tiers) {
    if (ids.length >= count) break;
    for (const id of tied.toSorted(compareUtf8)) ids.push(id);
  }
  return ids.slice(0, count);
}

/** The same, those of one tier by fields, then by id. */
async function orderedIds(
  connection: Connection,
  selection: Selection,
  tiers: Iterable<readonly string[]>,
  count: number,
  order: readonly OrderKey[],
): Promise<readonly string[]> {
  const tierOf: [id: string, tier: number][] = [];
  let number = 0;
  for (const tied of tiers) {
    if (tierOf.length >= count) break;
    for (const id of tied) tierOf.push([id, number]);
    number += 1;
  }
  const those = { ...selection, conditions: [sql`r.id = ANY (${textArray(tierOf.map(([id]) => id))})`] };
  const tier = sql`(${typed(JSON.stringify(Object.fromEntries(tierOf)), 'text')}::jsonb ->> r.id)::int`;
  const rows = await runSql<{ id: string }>(
    connection,
    sql`SELECT r.id ${fromMatches(those, order)} ORDER BY ${tier}, ${orderBy(order)} ${slice(count, 0)}`,
  );
  return rows.map(({ id }) => id);
}

/** The terms of words, of where they stand, and of lengths. */
export function rankingTerms(
  { projectKey, staged }: Pick<Selection, 'projectKey' | 'staged'>,
  texts: readonly QueryText[],
): ReadonlySet<string> {
  const terms = new Set<string>();
  for (const projection of staged ? (['c', 's'] as const) : (['c'] as const)) {
    const head = termHead(projectKey, projection);
    const spaces = new Set<string>();
    for (const text of texts) {
      for (const choice of text.words.flatMap(looseAlternatives).flatMap(({ parts }) => parts.flat())) {
        spaces.add(choice.locale);
        const term = wordTerm(head, choice.locale, choice.word);
        terms.add(term);
        for (const { mark } of placeMarks(choice.locale).marks) terms.add(term + mark);
      }
    }
    for (const space of spaces) {
      for (const length of lengthClasses) {
        terms.add(lengthTerm(head, space, 'n', length));
        terms.add(lengthTerm(head, space, 't', length));
      }
    }
  }
  return terms;
}

/** The best rank of all texts. */
function rankOf(document: TermDocument, texts: readonly RankedText[]): Rank {
  const ranks = texts.map((text) => rankIn(document, text)).filter((rank) => rank !== undefined);
  return ranks.sort(compareRanks)[0]!;
}

/** A document with these of the terms, in the projection that the search sees. */
export function termDocument(
  own: ReadonlySet<string>,
  hasStaged: boolean,
  { projectKey, staged }: Pick<Selection, 'projectKey' | 'staged'>,
): TermDocument {
  const projection: Projection = staged && hasStaged ? 's' : 'c';
  return { own, head: termHead(projectKey, projection), lengths: new Map() };
}
