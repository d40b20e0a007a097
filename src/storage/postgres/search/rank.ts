import { compareUtf8 } from '../../../domain/predicate/scalar.ts';
import type { Rung } from '../../../domain/search/query/query.ts';
import { type Projection, termHead } from '../../index/term-encoding.ts';
import { lengthClasses, lengthTerm, placeMarks, wordTerm } from '../../index/word-terms.ts';
import { raw, type Sql, sql } from '../../query/sql.ts';
import { looseAlternatives, type QueryText } from '../../query/word-choices.ts';
import type { Connection } from '../open/connection.ts';
import type { Selection } from '../query/plan-list.ts';
import { runSql } from '../query/run-sql.ts';
import { fromMatches } from '../query/select.ts';
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
): Promise<Ranked> {
  const terms = [
    ...rankingTerms(
      selection,
      texts.map(({ text }) => text),
    ),
  ];
  const groups = await runSql<MarkedGroup>(connection, groupsOf(ruled.without(selection), terms, count));
  const ranked = groups.map(({ staged, marks, ids }) => {
    const own = new Set(marks.map((position) => terms[position - 1]!));
    return { ids, ...rankOf(termDocument(own, staged, selection), texts) };
  });
  const others = await ruled.matching(connection, selection);
  for (const { id, document } of others) ranked.push({ ids: [id], ...rankOf(document, texts) });
  ranked.sort(compareRanks);
  const total = groups.reduce((sum, { matches }) => sum + matches, others.length);
  return { ids: firstIds(ranked, count), total };
}

function compareRanks(left: Rank, right: Rank): number {
  return rungNumbers[left.rung] - rungNumbers[right.rung] || right.score - left.score;
}

function groupsOf(selection: Selection, terms: readonly string[], count: number): Sql {
  const marks = marksAmong(terms);
  const first = raw(`(array_agg(s.id ORDER BY s.id))[1:${Math.trunc(count)}]`);
  return sql`SELECT s.staged, s.marks, count(*) AS matches, ${first} AS ids
    FROM (SELECT r.id, r.staged IS NOT NULL AS staged, ${marks} AS marks ${fromMatches(selection)}) s
    GROUP BY s.staged, s.marks`;
}

/** The positions in a list of those terms that `resource r` has, from 1. */
export function marksAmong(terms: readonly string[]): Sql {
  const list = textArray(terms);
  return sql`ARRAY(SELECT array_position(${list}, t.term) FROM unnest(r.terms) t (term)
    WHERE t.term = ANY (${list}) ORDER BY 1)`;
}

/** The first ids of groups in the order of their ranks; groups of one rank are sorted by id together. */
function firstIds(ranked: readonly (Rank & { readonly ids: readonly string[] })[], count: number): readonly string[] {
  const ids: string[] = [];
  for (let at = 0; at < ranked.length && ids.length < count; ) {
    const first = ranked[at]!;
    const tied: string[] = [];
    for (; at < ranked.length && compareRanks(ranked[at]!, first) === 0; at += 1) {
      for (const id of ranked[at]!.ids) tied.push(id);
    }
    for (const id of tied.sort(compareUtf8)) ids.push(id);
  }
  return ids.slice(0, count);
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
