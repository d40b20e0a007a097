import type { JsonObject, JsonValue } from '../../contract/json.ts';
import { pathSyntax } from '../json/path-syntax.ts';
import { isJsonArray, isJsonObject } from '../json/values.ts';
import { explain } from './explain.ts';
import type { Explanation } from './query/explanation.ts';
import type { SearchQuery, TextWeights } from './query/query.ts';

/** The part of a response that says why its results rank where they do. */

/** By the id of the resource. */
export type Explanations = Readonly<Record<string, Explanation>>;

/** Bounds of one response: results that are explained, and units of the strings of a resource and of all. */
export const explanationLimits = { results: 100, resourceUnits: 100_000, pageUnits: 500_000 } as const;

/** Milliseconds after which other requests get their turn. */
const turnMs = 10;

/**
 * The explanations of the first results of a page. Resources beyond the bounds have none. Rejects with the reason of the
 * signal once it is aborted.
 */
export async function explanationsOf(
  query: SearchQuery,
  weights: readonly TextWeights[],
  documents: readonly JsonObject[],
  nowMs: () => number,
  signal?: AbortSignal,
): Promise<Explanations> {
  const found: [string, Explanation][] = [];
  let unitsLeft: number = explanationLimits.pageUnits;
  let turnEnds = nowMs() + turnMs;
  for (const document of documents.slice(0, explanationLimits.results)) {
    const units = unitsOf(document);
    if (units > Math.min(unitsLeft, explanationLimits.resourceUnits)) continue;
    unitsLeft -= units;
    const explanation = explain(document, query, weights, pathSyntax);
    if (explanation) found.push([document.id as string, explanation]);
    if (nowMs() < turnEnds) continue;
    await new Promise((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
    turnEnds = nowMs() + turnMs;
  }
  return Object.fromEntries(found);
}

/** UTF-16 units of all strings of a value. */
function unitsOf(value: JsonValue): number {
  if (typeof value === 'string') return value.length;
  if (isJsonObject(value)) return unitsOf(Object.values(value));
  return isJsonArray(value) ? value.reduce((sum: number, each) => sum + unitsOf(each), 0) : 0;
}
