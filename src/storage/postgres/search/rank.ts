import { compareUtf8 } from '../../../domain/predicate/scalar.ts';
import { idf, impact, type LengthClass, lengthClass, type TimesClass } from '../../../domain/search/relevance.ts';
import { type Projection, termHead } from '../../index/term-encoding.ts';
import { lengthTerm, timesTerm, wordTerm } from '../../index/word-terms.ts';
import { raw, type Sql, sql } from '../../query/sql.ts';
import { anyOf, type Choice, type QueryText } from '../../query/word-choices.ts';
import type { Connection } from '../open/connection.ts';
import type { Selection } from '../query/plan-list.ts';
import { countMatches, runSql } from '../query/run-sql.ts';
import { fromMatches } from '../query/select.ts';
import { termCondition, textArray } from '../query/term-condition.ts';

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

/**
 * The first matches by relevance: fewer edits first, then greater score, then id (decision 21). The database groups the
 * matches by words and lengths, which gives few groups; the rank of each is computed here, as by every engine.
 */
export async function rankMatches(
  connection: Connection,
  selection: Selection,
  texts: readonly QueryText[],
  count: number,
): Promise<Ranked> {
  const terms = [...rankingTerms(selection, texts)];
  const groups = await runSql<MarkedGroup>(connection, groupsOf(selection, terms, count));
  const weights = await weightsOf(connection, selection, texts);
  const ranked = groups.map(({ staged, marks, ids }) => {
    const own = new Set(marks.map((position) => terms[position - 1]!));
    return { ids, ...rankOf(own, staged, selection, texts, weights) };
  });
  ranked.sort((a, b) => a.edits - b.edits || b.score - a.score);
  return { ids: firstIds(ranked, count), total: groups.reduce((sum, { matches }) => sum + matches, 0) };
}

function groupsOf(selection: Selection, terms: readonly string[], count: number): Sql {
  const list = textArray(terms);
  const marks = sql`ARRAY(SELECT array_position(${list}, t.term) FROM unnest(r.terms) t (term)
    WHERE t.term = ANY (${list}) ORDER BY 1)`;
  const first = raw(`(array_agg(s.id ORDER BY s.id))[1:${Math.trunc(count)}]`);
  return sql`SELECT s.staged, s.marks, count(*) AS matches, ${first} AS ids
    FROM (SELECT r.id, r.staged IS NOT NULL AS staged, ${marks} AS marks ${fromMatches(selection)}) s
    GROUP BY s.staged, s.marks`;
}

/** The first ids of groups in the order of their ranks; groups of one rank are sorted by id together. */
function firstIds(ranked: readonly (Rank & { readonly ids: readonly string[] })[], count: number): readonly string[] {
  const ids: string[] = [];
  for (let at = 0; at < ranked.length && ids.length < count; ) {
    const { edits, score } = ranked[at]!;
    const tied: string[] = [];
    for (; at < ranked.length && ranked[at]!.edits === edits && ranked[at]!.score === score; at += 1) {
      for (const id of ranked[at]!.ids) tied.push(id);
    }
    for (const id of tied.sort(compareUtf8)) ids.push(id);
  }
  return ids.slice(0, count);
}

const lengthClasses = [0, 1, 2, 3, 4, 5, 6, 7] as const;

/** The terms of words, of how often they occur, and of lengths. */
function rankingTerms({ projectKey, staged }: Selection, texts: readonly QueryText[]): ReadonlySet<string> {
  const terms = new Set<string>();
  for (const projection of staged ? (['c', 's'] as const) : (['c'] as const)) {
    const head = termHead(projectKey, projection);
    for (const { locale, words } of texts) {
      for (const space of [locale, '']) for (const each of lengthClasses) terms.add(lengthTerm(head, space, each));
      for (const { locale: space, word } of words.flat()) {
        terms.add(wordTerm(head, space, word));
        terms.add(timesTerm(head, space, word, 2));
        terms.add(timesTerm(head, space, word, 3));
      }
    }
  }
  return terms;
}

/** The weight of each word of each text. For a single word it makes no difference. */
async function weightsOf(
  connection: Connection,
  { projectKey, staged }: Selection,
  texts: readonly QueryText[],
): Promise<readonly (readonly number[])[]> {
  if (texts.length === 1 && texts[0]!.words.length === 1) return [[1]];
  const count = (conditions: Selection['conditions']) =>
    countMatches(connection, { projectKey, staged, conditions, isNarrowed: true, usesEntries: false });
  const resources = await count([]);
  const weightOf = async (choices: readonly Choice[]) => {
    const has = termCondition((projection) => anyOf(projectKey, projection, choices), staged);
    return idf(resources, await count([has]));
  };
  return Promise.all(texts.map(({ words }) => Promise.all(words.map(weightOf))));
}

interface Rank {
  readonly edits: number;
  readonly score: number;
}

/** The best rank of all texts. */
function rankOf(
  own: ReadonlySet<string>,
  hasStaged: boolean,
  { projectKey, staged }: Selection,
  texts: readonly QueryText[],
  weights: readonly (readonly number[])[],
): Rank {
  const projection: Projection = staged && hasStaged ? 's' : 'c';
  const head = termHead(projectKey, projection);
  let best: Rank = { edits: Number.POSITIVE_INFINITY, score: 0 };
  for (const [at, text] of texts.entries()) {
    const rank = rankIn(own, head, text, weights[at]!);
    if (rank && (rank.edits < best.edits || (rank.edits === best.edits && rank.score > best.score))) best = rank;
  }
  return best;
}

function rankIn(
  own: ReadonlySet<string>,
  head: string,
  { locale, words }: QueryText,
  weights: readonly number[],
): Rank | undefined {
  const length = lengthOf(own, head, locale);
  let [edits, score] = [0, 0];
  for (const [at, choices] of words.entries()) {
    const hit = hitOf(own, head, choices);
    if (!hit) return undefined;
    edits += hit.edits;
    score += weights[at]! * impact(hit.times, length);
  }
  return words.length === 0 ? undefined : { edits, score };
}

/** The length under the locale, or else under no locale. */
function lengthOf(own: ReadonlySet<string>, head: string, locale: string): LengthClass {
  for (const space of [locale, '']) {
    const found = lengthClasses.find((each) => own.has(lengthTerm(head, space, each)));
    if (found !== undefined) return found;
  }
  return lengthClass(0);
}

interface Hit {
  readonly edits: number;
  readonly times: TimesClass;
}

/** The word with the fewest edits; of several the one that occurs most often. */
function hitOf(own: ReadonlySet<string>, head: string, choices: readonly Choice[]): Hit | undefined {
  let best: Hit | undefined;
  for (const { locale, word, edits } of choices) {
    if (best && edits > best.edits) continue;
    if (!own.has(wordTerm(head, locale, word))) continue;
    const often = ([3, 2] as const).find((times) => own.has(timesTerm(head, locale, word, times)));
    const hit: Hit = { edits, times: often ?? 1 };
    if (!best || hit.edits < best.edits || hit.times > best.times) best = hit;
  }
  return best;
}
