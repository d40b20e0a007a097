import type { JsonArray, JsonObject, JsonValue } from '../../../contract/json.ts';
import { numberOf } from '../../json/number.ts';
import { parseStoredJson, stringifyJson } from '../../json/parse.ts';
import { isJsonArray, isJsonObject } from '../../json/values.ts';
import type { Paging } from '../../paging.ts';
import type { ListPage, SearchPage } from '../../ports/list-query.ts';
import type { Explanations } from '../../search/explanations.ts';
import type { Highlights } from '../../search/highlights.ts';
import type { MatchResult } from '../../search/query/query.ts';
import { collectInTurns } from '../../turns.ts';

/** Bodies of list responses, composed of the stored texts of the resources. */

/** `{ limit, offset, count, total?, totalRelation?, next?, results }` (decisions 16, 99, 128). */
export function pageBody(paging: Paging, page: ListPage, next?: string): string {
  return `{${pageMembers(paging, page, next)}}`;
}

/** The page with the seven arrays of its documents merged, in front (decision 17). */
export function mergedPageText(
  paging: Paging,
  page: ListPage,
  documents: readonly JsonObject[],
  next?: string,
): string {
  const arrays = stringifyJson(mergeArrays(documents));
  return `${arrays.slice(0, -1)},${pageMembers(paging, page, next)}}`;
}

/** The part of a search response besides its results. */
interface AboutResults {
  /** The words of the text as they were typed, by how they are looked up. */
  readonly typed?: (() => ReadonlyMap<string, string>) | undefined;
  readonly highlights?: Highlights | undefined;
  readonly explanations?: Explanations | undefined;
}

/** The page with `facets`, if there are any (decision 20), and with what is said of the results. */
export function searchPageText(
  paging: Paging,
  page: SearchPage,
  next?: string,
  { typed, highlights, explanations }: AboutResults = {},
): string {
  const facets = page.facets.map(([name, json]) => `${JSON.stringify(name)}:${json}`);
  const facetMember = facets.length === 0 ? '' : `,"facets":{${facets.join(',')}}`;
  const match = page.match && asWritten(page.match, page.written, typed);
  const matchMember = match === undefined ? '' : `,"match":${JSON.stringify(match)}`;
  const highlightsMember = highlights === undefined ? '' : `,"highlights":${JSON.stringify(highlights)}`;
  const groupsMember = page.groups === undefined ? '' : `,"groups":${JSON.stringify(page.groups)}`;
  const explanationsMember = explanations === undefined ? '' : `,"explanations":${JSON.stringify(explanations)}`;
  return `{${pageMembers(paging, page, next)}${facetMember}${matchMember}${groupsMember}${highlightsMember}${explanationsMember}}`;
}

/** Words as typed, and the corrections as documents write them, with case and accents. */
function asWritten(
  match: MatchResult,
  written: SearchPage['written'] = {},
  typed?: AboutResults['typed'],
): MatchResult {
  const corrected = Object.entries(match.corrected);
  const { dropped, ignored } = match;
  if (corrected.length === 0 && dropped.length === 0 && !ignored) return match;
  const known = typed?.();
  const asTyped = (word: string) => known?.get(word) ?? word;
  return {
    ...match,
    dropped: dropped.map(asTyped),
    ...(ignored && { ignored: ignored.map(asTyped) }),
    corrected: Object.fromEntries(corrected.map(([asked, taken]) => [asTyped(asked), written[taken] ?? taken])),
  };
}

function pageMembers(
  { limit, offset }: Paging,
  { results, count, total, totalRelation }: ListPage,
  next: string | undefined,
): string {
  const relation = totalRelation === undefined ? '' : `"totalRelation":"${totalRelation}",`;
  const totalMember = total === undefined ? '' : `"total":${total},${relation}`;
  const nextMember = next === undefined ? '' : `"next":"${next}",`;
  return `"limit":${limit},"offset":${offset},"count":${count},${totalMember}${nextMember}"results":[${results.join()}]`;
}

/**
 * The arrays of all documents in one ArrayTestType: concatenated in order, the unique integers as a union by exact
 * value, the two numbers as the least and greatest of all, absent if none.
 */
export function mergeArrays(documents: readonly JsonObject[]): JsonObject {
  const all = (name: string): JsonArray => documents.flatMap((document) => itemsAt(document, name));
  const twoNumbers = leastAndGreatest(all('arrayOfTwonumbersExample'));
  return {
    arrayOfIntExample: all('arrayOfIntExample'),
    arrayOfUniqueIntExample: union(all('arrayOfUniqueIntExample')),
    ...(twoNumbers && { arrayOfTwonumbersExample: twoNumbers }),
    arrayOfFloatExample: all('arrayOfFloatExample'),
    arrayOfNumberNoDefaultsExample: all('arrayOfNumberNoDefaultsExample'),
    arrayOfStringExample: all('arrayOfStringExample'),
    arrayOfObjectType: all('arrayOfObjectType'),
  };
}

function itemsAt(document: JsonObject, name: string): JsonArray {
  const arrays = document.objectTypeProperty;
  const items = isJsonObject(arrays) ? arrays[name] : undefined;
  return isJsonArray(items) ? items : [];
}

function union(items: JsonArray): JsonArray {
  const byValue = new Map<unknown, JsonValue>();
  for (const item of items) {
    const value = numberOf(item);
    if (!byValue.has(value)) byValue.set(value, item);
  }
  return [...byValue.values()];
}

function leastAndGreatest(items: JsonArray): JsonArray | undefined {
  const [first] = items;
  if (first === undefined) return undefined;
  let least = first;
  let greatest = first;
  for (const item of items) {
    if (numberOf(item)! < numberOf(least)!) least = item;
    if (numberOf(item)! > numberOf(greatest)!) greatest = item;
  }
  return [least, greatest];
}

/** Parses the texts of a page, keeping every digit of their integers (decision 5). */
export function parseDocuments(texts: readonly string[]): Promise<readonly JsonObject[]> {
  return collectInTurns(texts.values().map((text) => parseStoredJson(text) as JsonObject));
}

/** The texts of documents, as in `results`. */
export function writeDocuments(documents: readonly JsonObject[]): Promise<readonly string[]> {
  return collectInTurns(documents.values().map(stringifyJson));
}
