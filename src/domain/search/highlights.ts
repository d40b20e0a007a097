import type { JsonObject } from '../../contract/json.ts';
import { pathSyntax } from '../json/path-syntax.ts';
import { collectInTurns } from '../turns.ts';
import { createMarker, type MarkedText, type Range } from './highlight.ts';
import type { MatchResult, SearchQuery } from './query/query.ts';

/** The part of a response that says which words of its results answer the query. */

export type Highlights = Awaited<ReturnType<typeof highlightsOf>>;

/** Bounds of one response: units of text to search, of a resource and of all; texts of a resource; ranges of a text. */
export const highlightLimits = { resourceUnits: 10_000, pageUnits: 200_000, texts: 20, ranges: 50 } as const;

/**
 * The highlights of a page of results, by id, as a response has them (contract/search-pages.ts). Texts beyond the bounds have none. Rejects with the reason of the signal once it is
 * aborted.
 */
export async function highlightsOf(
  query: SearchQuery,
  { rung, corrected }: Pick<MatchResult, 'rung' | 'corrected'>,
  documents: readonly JsonObject[],
  signal?: AbortSignal,
) {
  const marker = createMarker(query, rung !== 'all', corrected);
  let unitsLeft: number = highlightLimits.pageUnits;
  const highlights = documents.values().map((document) => {
    const { texts, units } = marker.mark(document, Math.min(unitsLeft, highlightLimits.resourceUnits));
    unitsLeft -= units;
    return [document.id as string, texts.slice(0, highlightLimits.texts).map(highlightOf)] as const;
  });
  return Object.fromEntries(await collectInTurns(highlights, signal));
}

function highlightOf({ path, locale, text, ranges, writtenRange = (...range: Range) => range }: MarkedText) {
  const some = ranges.slice(0, highlightLimits.ranges);
  const written = some.map(([start, end]) => writtenRange(start, end));
  return { path: pathSyntax(path), ...(locale !== '' && { locale }), ranges: written, html: htmlOf(text, some) };
}

/** Units of a part of a longer text, and those before its first range. */
const [partUnits, unitsBefore] = [240, 60];

/** The text as HTML, or of a long one the part around the first range. */
export function htmlOf(text: string, ranges: readonly Range[]): string {
  const first = ranges[0]?.[0] ?? 0;
  const isWhole = text.length <= partUnits;
  const from = isWhole || first <= unitsBefore ? 0 : beginOf(text, first - unitsBefore, first);
  const to = isWhole ? text.length : Math.min(text.length, boundary(text, from + partUnits));
  let html = from > 0 ? '…' : '';
  let at = from;
  for (const [start, end] of ranges) {
    // A word at the end of the part is marked as a whole, or not at all.
    if (end > to) break;
    html += `${escapeHtml(text.slice(at, start))}<mark>${escapeHtml(text.slice(start, end))}</mark>`;
    at = end;
  }
  return html + escapeHtml(text.slice(at, to)) + (to < text.length ? '…' : '');
}

/** The beginning of the first word from a place on. */
function beginOf(text: string, from: number, first: number): number {
  const space = text.slice(from, first).search(/\s\S/);
  return space < 0 ? boundary(text, from) : from + space + 1;
}

/** Not inside a surrogate pair. */
function boundary(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Safe as the content of an element and of a quoted attribute. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => entities[sign]!);
}
