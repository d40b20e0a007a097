import type { JsonObject } from '../../../contract/json.ts';
import { parseStoredJson } from '../../../domain/json/parse.ts';
import type { Predicate } from '../../../domain/predicate/ast.ts';
import type { Completion, SearchQuery } from '../../../domain/search/query/query.ts';
import { spacesOf } from '../../../domain/search/words/alternatives.ts';
import { type Projection, termHead } from '../../index/term-encoding.ts';
import { wordTerm } from '../../index/word-terms.ts';
import { type Completing, completingWords, mostCounted, otherWords, writtenIn } from '../../query/completions.ts';
import { anyText } from '../../query/ladder.ts';
import { raw, type Sql, sql } from '../../query/sql.ts';
import { anyChoice, type Choice, type PlannedWord, type QueryText } from '../../query/word-choices.ts';
import type { Connection } from '../open/connection.ts';
import type { Selection } from '../query/plan-list.ts';
import { countMatches, runSql } from '../query/run-sql.ts';
import { fromMatches } from '../query/select.ts';
import { termArray, termCondition, textArray } from '../query/term-condition.ts';
import { sampleOf } from './facets.ts';
import { hasChoice, hasNeeded } from './rank-terms.ts';
import type { RuledDocuments } from './ruled-documents.ts';

/** What is completed, and for which search. */
interface Asked {
  readonly query: SearchQuery;
  readonly text: QueryText;
  /** The word of the text that is being typed. */
  readonly last: PlannedWord;
  readonly ruled: RuledDocuments;
  readonly select: (where: readonly Predicate[]) => Selection;
  /** With more matches than this a sample tells the most frequent words; undefined: never. */
  readonly sampledFrom: number | undefined;
}

/** The words that complete the last one of a text, with the resources that have them beside the other words. */
export async function completionsOf(connection: Connection, asked: Asked): Promise<readonly Completion[]> {
  for (const words of completingWords(asked.last)) {
    const found = await countedOf(connection, asked, words);
    if (found.length > 0) return found;
  }
  return [];
}

async function countedOf(
  connection: Connection,
  { query, text, last, ruled, select, sampledFrom }: Asked,
  words: Completing,
): Promise<readonly Completion[]> {
  const { projectKey, staged, queryFilters, suggest = 0 } = query;
  const choices = [...words.values()].flat();
  if (choices.length === 0) return [];
  const others = otherWords(text, last);
  const besides = others
    ? [termCondition((p) => anyText(projectKey, p, [others], { byBeginning: false }), staged)]
    : [];
  const selection = select(queryFilters);
  const withOne = (some: readonly Choice[]): Selection => {
    const has = termCondition((projection) => anyChoice(projectKey, projection, some, false), staged);
    return { ...selection, conditions: [has, ...besides, ...selection.conditions], isNarrowed: true };
  };
  const all = withOne(choices);
  // Of very many resources a sample tells which words are the most frequent; these are counted in all.
  const sample = ruled.documents.length === 0 ? await sampleOf(connection, all, sampledFrom) : undefined;
  const narrowed = sample ? { ...all, conditions: [...all.conditions, sample.condition] } : all;
  const found = await Promise.all(
    (['c', 's'] as const).slice(0, staged ? 2 : 1).map((projection) => {
      const head = termHead(projectKey, projection);
      const terms = new Map(choices.map(({ locale, word }) => [wordTerm(head, locale, word), word]));
      return readCounts(connection, ruled.without(narrowed), projection, terms);
    }),
  );
  const counts = new Map<string, { word: string; count: number; id: string }>();
  for (const { word, count, id } of found.flat()) {
    const known = counts.get(word);
    counts.set(word, known ? { ...known, count: known.count + count } : { word, count, id });
  }
  for (const { id, document } of await ruled.matching(connection, selection)) {
    if (others && !hasNeeded(document, others)) continue;
    for (const [word, own] of words) {
      if (!own.some((choice) => hasChoice(document, choice))) continue;
      const known = counts.get(word);
      counts.set(word, { word, count: (known?.count ?? 0) + 1, id: known?.id ?? id });
    }
  }
  let best = mostCounted([...counts.values()], text.locale, suggest);
  if (sample) {
    const exact: typeof best = await Promise.all(
      best.map(async (each) => ({ ...each, count: await countMatches(connection, withOne(words.get(each.word)!)) })),
    );
    best = mostCounted(exact, text.locale, suggest);
  }
  const documents = await readDocuments(connection, projectKey, staged, best);
  return best.map(({ word, count, id }) => ({
    word,
    count,
    written: writtenIn(documents.get(id), word, [text.locale]),
  }));
}

interface Count {
  readonly word: string;
  readonly count: number;
  /** The first resource with the word. */
  readonly id: string;
}

/** Counts the resources with each word that the search sees in a projection; those with it under two locales once. */
async function readCounts(
  connection: Connection,
  selection: Selection,
  projection: Projection,
  terms: ReadonlyMap<string, string>,
): Promise<readonly Count[]> {
  const [list, words] = [termArray([...terms.keys()]), textArray([...terms.values()])];
  const isSeen = selection.staged ? raw(projection === 's' ? 'r.staged IS NOT NULL' : 'r.staged IS NULL') : raw('TRUE');
  return runSql<Count>(
    connection,
    sql`SELECT w.word, count(DISTINCT s.id) AS count, min(s.id) AS id
      FROM (SELECT r.id, r.terms ${fromMatches({ ...selection, conditions: [...selection.conditions, isSeen] })}) s
      CROSS JOIN LATERAL unnest(s.terms) t (term)
      JOIN unnest(${list}, ${words}) w (term, word) ON w.term = t.term GROUP BY w.word`,
  );
}

async function readDocuments(
  connection: Connection,
  projectKey: string,
  staged: boolean,
  best: readonly Pick<Count, 'id'>[],
): Promise<ReadonlyMap<string, JsonObject>> {
  const text: Sql = raw(staged ? 'coalesce(r.staged, r.current)' : 'r.current');
  const rows = await runSql<{ id: string; text: string }>(
    connection,
    sql`SELECT r.id, ${text} AS text FROM resource r WHERE r.project_key = ${projectKey} AND r.id = ANY (${textArray(best.map(({ id }) => id))})`,
  );
  return new Map(rows.map((row) => [row.id, parseStoredJson(row.text) as JsonObject]));
}

/** How a document writes each word that was taken for an asked one, by the word. */
export async function writtenCorrections(
  connection: Connection,
  { projectKey, staged }: SearchQuery,
  words: readonly string[],
  locales: readonly string[],
  select: (where: readonly Predicate[]) => Selection,
): Promise<Readonly<Record<string, string>>> {
  const written: [string, string][] = [];
  const spaces = [...new Set(locales.flatMap(spacesOf))];
  for (const word of words) {
    const choices = spaces.map((space) => ({ locale: space, word }));
    const hasWord = termCondition((projection) => anyChoice(projectKey, projection, choices, false), staged);
    const selection = select([]);
    const narrowed = { ...selection, conditions: [hasWord, ...selection.conditions], isNarrowed: true };
    const rows = await runSql<{ id: string }>(connection, sql`SELECT r.id ${fromMatches(narrowed)} LIMIT 1`);
    const documents = await readDocuments(connection, projectKey, staged, rows);
    written.push([word, writtenIn([...documents.values()][0], word, locales)]);
  }
  return Object.fromEntries(written);
}
