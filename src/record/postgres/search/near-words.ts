import { joined, raw, type Sql, sql, typed } from '../../../index/plan/sql.ts';
import type { Connection } from '../open/connection.ts';
import { runSql } from '../query/run-sql.ts';

/** A word with the edits that another one may be away from it. */
export type NearTo = readonly [word: string, most: 1 | 2];

/**
 * The beginning and the end of a word, of which every word within one edit has one where it is. There is a letter between them, so
 * that not even the swap of two letters is in both. Undefined where more edits are allowed.
 */
export function endsOf([word, most]: NearTo): readonly [first: string, last: string] | undefined {
  if (most > 1) return undefined;
  const letters = [...word];
  const middle = letters.length >> 1;
  return [letters.slice(0, middle).join(''), letters.slice(middle + 1).join('')];
}

/**
 * The words of a project under one locale that are at most so many edits away from one of the asked words, and some more:
 * PostgreSQL counts a swap of neighbours as two edits. All are looked for in one walk through the vocabulary, most of which may be
 * numbers of articles: comparing both ends leaves few words whose distance has to be computed.
 */
export async function readNear(
  connection: Connection,
  projectKey: string,
  space: string,
  asked: readonly NearTo[],
): Promise<readonly string[]> {
  if (asked.length === 0) return [];
  const rows = await runSql<{ word: string }>(
    connection,
    sql`SELECT w.word FROM word w WHERE w.project_key = ${projectKey} AND w.locale = ${space}
      AND (${joined(asked.map(isNear), 'OR')})`,
  );
  return rows.map(({ word }) => word);
}

/** Cheap comparisons come first. Three parts for two edits would take as long to compare as the distance. */
function isNear(near: NearTo): Sql {
  const [word, most] = near;
  const length = [...word].length;
  const number = (value: number) => raw(String(value));
  const ends = endsOf(near)?.map((each, at) =>
    at === 0 ? sql`starts_with(w.word, ${each})` : sql`right(w.word, ${number([...each].length)}) = ${each}`,
  );
  const hasLength = sql`char_length(w.word) BETWEEN ${number(length - most)} AND ${number(length + most)}`;
  const distance = sql`public.levenshtein_less_equal(w.word, ${typed(word, 'text')}, ${number(2 * most)})`;
  return sql`(${hasLength} AND ${ends ? joined(ends, 'OR') : raw('TRUE')} AND ${distance} <= ${number(2 * most)})`;
}
