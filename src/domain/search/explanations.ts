import type { JsonObject, JsonValue } from '../../contract/json.ts';
import { pathSyntax } from '../json/path-syntax.ts';
import { isJsonArray, isJsonObject } from '../json/values.ts';
import { collectInTurns } from '../turns.ts';
import { explain } from './explain.ts';
import type { SearchQuery, TextWeights } from './query/query.ts';

/** The part of a response that says why its results rank where they do. */

export type Explanations = Awaited<ReturnType<typeof explanationsOf>>;

/** Bounds of one response: results that are explained, and units of the strings of a resource and of all. */
export const explanationLimits = { results: 100, resourceUnits: 100_000, pageUnits: 500_000 } as const;

/**
 * The explanations of the first results of a page, by id. Resources beyond the bounds have none. Rejects with the reason of the
 * signal once it is aborted.
 */
export async function explanationsOf(
  query: SearchQuery,
  weights: readonly TextWeights[],
  documents: readonly JsonObject[],
  signal?: AbortSignal,
) {
  let unitsLeft: number = explanationLimits.pageUnits;
  const explained = documents
    .slice(0, explanationLimits.results)
    .values()
    .map((document) => {
      const units = unitsOf(document);
      if (units > Math.min(unitsLeft, explanationLimits.resourceUnits)) return [];
      unitsLeft -= units;
      const explanation = explain(document, query, weights, pathSyntax);
      return explanation ? [[document.id as string, explanation] as const] : [];
    });
  return Object.fromEntries((await collectInTurns(explained, signal)).flat());
}

/** UTF-16 units of all strings of a value. */
function unitsOf(value: JsonValue): number {
  if (typeof value === 'string') return value.length;
  if (isJsonObject(value)) return unitsOf(Object.values(value));
  return isJsonArray(value) ? value.reduce((sum: number, each) => sum + unitsOf(each), 0) : 0;
}
