import type { JudgedQuery } from './collection.ts';

/** How good the answers to some queries are: means from 0 to 1. */
export interface Score {
  readonly queries: number;
  /** Discounted gain of the first ten, as a share of the best possible one. */
  readonly ndcg10: number;
  /** The share of the relevant documents among the first hundred. */
  readonly recall100: number;
  /** The share of queries without any hit. */
  readonly noHits: number;
}

/** The ids that a search found, the best first. */
export type Ranked = ReadonlyMap<string, readonly string[]>;

const discounted = (gains: readonly number[]) =>
  gains.slice(0, 10).reduce((sum, gain, at) => sum + gain / Math.log2(at + 2), 0);

/** Scores what was found for queries, by query. */
export function score(queries: readonly JudgedQuery[], ranked: Ranked): Score {
  const mean = (of: (query: JudgedQuery, found: readonly string[]) => number) =>
    queries.reduce((sum, query) => sum + of(query, ranked.get(query.id) ?? []), 0) / queries.length;
  return {
    queries: queries.length,
    ndcg10: mean(({ gains }, found) => {
      const best = discounted([...gains.values()].sort((a, b) => b - a));
      return discounted(found.map((id) => gains.get(id) ?? 0)) / best;
    }),
    recall100: mean(({ gains }, found) => found.slice(0, 100).filter((id) => gains.has(id)).length / gains.size),
    noHits: mean((_, found) => (found.length === 0 ? 1 : 0)),
  };
}

/** Groups of queries by the number of their words. */
export function byLength(queries: readonly JudgedQuery[]): ReadonlyMap<string, readonly JudgedQuery[]> {
  const groups: readonly (readonly [most: number, name: string])[] = [
    [2, '1–2 words'],
    [4, '3–4'],
    [6, '5–6'],
    [9, '7–9'],
    [14, '10–14'],
  ];
  const lengthOf = ({ text }: JudgedQuery) => text.split(/[^\p{L}\p{N}]+/u).filter(Boolean).length;
  const grouped = Map.groupBy(queries, (query) => {
    return groups.find(([most]) => lengthOf(query) <= most)?.[1] ?? '15 and more';
  });
  return new Map(
    [...groups.map(([, name]) => name), '15 and more'].flatMap((name) => {
      const own = grouped.get(name);
      return own ? [[name, own] as const] : [];
    }),
  );
}
