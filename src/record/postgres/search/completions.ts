import { indexedLocale } from '#words';
import type { JsonObject } from '../../../contract/json.ts';
import { parseStoredJson } from '../../../domain/json/parse.ts';
import type { Predicate } from '../../../domain/predicate/ast.ts';
import type { Completion, SearchQuery } from '../../../domain/search/query/query.ts';
import {
  type Completing,
  completingWords,
  mostCounted,
  otherWords,
  writtenIn,
} from '../../../index/plan/completions.ts';
import { anyText } from '../../../index/plan/ladder.ts';
import { joined, raw, type Sql, sql } from '../../../index/plan/sql.ts';
import { anyChoice, type PlannedWord, type QueryText } from '../../../index/plan/word-choices.ts';
import { type Projection, termHead } from '../../../index/terms/term-encoding.ts';
import { wordTerm } from '../../../index/terms/word-terms.ts';
import type { Connection } from '../open/connection.ts';
import type { Selection } from '../query/plan-list.ts';
import { countMatches, runSql } from '../query/run-sql.ts';
import { fromMatches } from '../query/select.ts';
import { termArray, termCondition, textArray } from '../query/term-condition.ts';
import { isSampled, weightOf } from './facets.ts';
import { hasChoice, hasNeeded } from './rank-terms.ts';
import { noRuledDocuments, type RuledDocuments } from './rules/ruled-documents.ts';

/** What is completed, and for which search. */
export interface Asked {
  readonly query: SearchQuery;
  readonly text: QueryText;
  /** The word of the text that is being typed. */
  readonly last: PlannedWord;
  readonly ruled: RuledDocuments;
  readonly select: (where: readonly Predicate[]) => Selection;
}

/** What a search asks to be completed, if its text has a word at its end. */
export function askedOf(
  query: SearchQuery,
  text: QueryText,
  ruled: RuledDocuments,
  select: Asked['select'],
): Asked | undefined {
  const { last } = query.texts[0]!;
  const completed = last === undefined || query.suggest === undefined ? undefined : text.words[last];
  return completed && { query, text, last: completed, ruled, select };
}

/** The words that complete the last one of a text, with the resources that have them beside the other words. */
export async function completionsOf(connection: Connection, asked: Asked): Promise<readonly Completion[]> {
  for (const words of completingWords(asked.last)) {
    const found = await countedOf(connection, asked, words);
    if (found.length > 0) return found;
  }
  return [];
}

/** Completions that were counted in a sample of so many resources. */
export interface SampledCompletions {
  readonly completions: readonly Completion[];
  readonly sampled: number;
}

/** The index compares each match with all words that are looked for: of so many a sample is taken first. */
export const manyCompleting = 50;

/**
 * The same, counted in a sample of the project, where more than `most` resources have one of at least `atLeast` words;
 * undefined where that is not so.
 */
export async function sampledCompletions(
  connection: Connection,
  asked: Asked,
  most: number,
  atLeast: number,
): Promise<SampledCompletions | undefined> {
  const { query, text, last, ruled, select } = asked;
  const { projectKey, queryFilters, suggest = 0 } = query;
  const [words] = completingWords(last);
  if (words!.size < atLeast || ruled !== noRuledDocuments) return undefined;
  const others = otherWords(text, last);
  // Nobody has one of the other words as it is written.
  if (others?.words.some((word) => others.alternativesOf(word).length === 0)) return undefined;
  const all: Selection = { ...select([]), conditions: [] };
  const resources = await countMatches(connection, all);
  if (resources <= most) return undefined;
  const weight = weightOf(resources, most);
  const ids = await runSql<{ id: string }>(
    connection,
    sql`SELECT r.id ${fromMatches({ ...all, conditions: [isSampled(weight)] })}`,
  );
  const selection = select(queryFilters);
  const conditions = [...besidesOf(asked), ...selection.conditions];
  // With OFFSET they are read by their ids, whatever else there is to look up.
  const sample = textArray(ids.map(({ id }) => id));
  const from = sql`FROM (SELECT r.* FROM resource r WHERE r.project_key = ${projectKey} AND r.id = ANY (${sample}) OFFSET 0) r
    WHERE ${joined([raw('TRUE'), ...conditions], 'AND')}`;
  const counts = await readAllCounts(connection, query, words!, (isSeen) => sql`${from} AND ${isSeen}`);
  const matches = sum(counts.filter(({ word }) => word === null));
  if (matches * weight <= most) return undefined;
  const found = counts.filter((each): each is Count => each.word !== null);
  const best = mostCounted([...added(found).values()], text.locale, suggest);
  const estimated = best.map((each) => ({ ...each, count: each.count * weight }));
  return { completions: await writtenAs(connection, asked, estimated), sampled: ids.length };
}

async function countedOf(connection: Connection, asked: Asked, words: Completing): Promise<readonly Completion[]> {
  const { query, text, last, ruled, select } = asked;
  const { projectKey, staged, queryFilters, suggest = 0 } = query;
  const choices = [...words.values()].flat();
  if (choices.length === 0) return [];
  const selection = select(queryFilters);
  const has = termCondition((projection) => anyChoice(projectKey, projection, choices, false), staged);
  const all = { ...selection, conditions: [has, ...besidesOf(asked), ...selection.conditions], isNarrowed: true };
  const matches = ruled.without(all);
  const found = await readAllCounts(connection, query, words, (isSeen) =>
    fromMatches({ ...matches, conditions: [...matches.conditions, isSeen] }),
  );
  const counts = added(found.filter((each): each is Count => each.word !== null));
  const others = otherWords(text, last);
  for (const { id, document } of await ruled.matching(connection, selection)) {
    if (others && !hasNeeded(document, others)) continue;
    for (const [word, own] of words) {
      if (!own.some((choice) => hasChoice(document, choice))) continue;
      const known = counts.get(word);
      counts.set(word, { word, count: (known?.count ?? 0) + 1, id: known?.id ?? id });
    }
  }
  return writtenAs(connection, asked, mostCounted([...counts.values()], text.locale, suggest));
}

/** What resources need beside the completed word. */
function besidesOf({ query: { projectKey, staged }, text, last }: Asked): readonly Sql[] {
  const others = otherWords(text, last);
  return others ? [termCondition((p) => anyText(projectKey, p, [others], { byBeginning: false }), staged)] : [];
}

/** The words as documents write them. */
async function writtenAs(
  connection: Connection,
  { query: { projectKey, staged }, text }: Asked,
  best: readonly Count[],
): Promise<readonly Completion[]> {
  const documents = await readDocuments(connection, projectKey, staged, best);
  return best.map(({ word, count, id }) => {
    return { word, count, written: writtenIn(documents.get(id), word, text.spaces) };
  });
}

interface Count {
  readonly word: string;
  readonly count: number;
  /** The first resource with the word. */
  readonly id: string;
}

/** The same for any of the words. */
interface CountOfAny extends Omit<Count, 'word'> {
  readonly word: null;
}

const sum = (counts: readonly Pick<Count, 'count'>[]) => counts.reduce((total, { count }) => total + count, 0);

/** Those of both projections together. */
function added(found: readonly Count[]): Map<string, Count> {
  const counts = new Map<string, Count>();
  for (const one of found) {
    const known = counts.get(one.word);
    counts.set(one.word, known ? { ...known, count: known.count + one.count } : one);
  }
  return counts;
}

/**
 * Counts the resources with each of the words, and with any of them, that the search sees in each projection; those with one
 * under two locales once. `among` selects the resources for which a condition holds as well.
 */
async function readAllCounts(
  connection: Connection,
  { projectKey, staged }: SearchQuery,
  words: Completing,
  among: (isSeen: Sql) => Sql,
): Promise<readonly (Count | CountOfAny)[]> {
  const read = (projection: Projection, isSeen: Sql) => {
    const head = termHead(projectKey, projection);
    const choices = [...words.values()].flat();
    const list = termArray(choices.map(({ locale, word }) => wordTerm(head, locale, word)));
    const completed = textArray(choices.map(({ word }) => word));
    return runSql<Count | CountOfAny>(
      connection,
      sql`SELECT w.word, count(DISTINCT s.id) AS count, min(s.id) AS id FROM (SELECT r.id, r.terms ${among(isSeen)}) s
        CROSS JOIN LATERAL unnest(s.terms) t (term)
        JOIN unnest(${list}, ${completed}) w (term, word) ON w.term = t.term GROUP BY GROUPING SETS ((w.word), ())`,
    );
  };
  if (!staged) return read('c', raw('TRUE'));
  return [...(await read('c', raw('r.staged IS NULL'))), ...(await read('s', raw('r.staged IS NOT NULL')))];
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
  spaces: readonly string[],
  select: (where: readonly Predicate[]) => Selection,
): Promise<Readonly<Record<string, string>>> {
  const written: [string, string][] = [];
  const locales = new Set(spaces.map(indexedLocale));
  for (const word of words) {
    const choices = [...locales].map((locale) => ({ locale, word }));
    const hasWord = termCondition((projection) => anyChoice(projectKey, projection, choices, false), staged);
    const selection = select([]);
    const narrowed = { ...selection, conditions: [hasWord, ...selection.conditions], isNarrowed: true };
    const rows = await runSql<{ id: string }>(connection, sql`SELECT r.id ${fromMatches(narrowed)} LIMIT 1`);
    const documents = await readDocuments(connection, projectKey, staged, rows);
    written.push([word, writtenIn([...documents.values()][0], word, spaces)]);
  }
  return Object.fromEntries(written);
}
