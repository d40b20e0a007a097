import type { JsonObject } from '../../../contract/json.ts';
import { parseStoredJson } from '../../../domain/json/parse.ts';
import type { PromptDeadline } from '../../query/functions.ts';
import { eachIntact } from '../../query/rows.ts';
import type { SearchScope } from '../query-terms.ts';

/** Calls `each` with the documents of rows, in the projection of the search, as `eachIntact`: what is counted of a damaged one would be wrong. */
export function eachDocument(
  scope: SearchScope,
  rows: readonly number[] | Uint32Array,
  each: (document: JsonObject, row: number, length: number) => void,
): void {
  for (const [row, text] of eachIntact(scope.db, scope, rows))
    each(parseStoredJson(text) as JsonObject, row, text.length);
}

/** Calls `take` with the documents of rows. The documents of the last call are cached if they are small. */
export type DocumentReader = (rows: Uint32Array, take: (document: JsonObject, row: number) => void) => void;

/** Characters of documents that are cached from facet to facet; more are read again for each. */
const maxCachedChars = 4_000_000;

/** Reads documents for the facets of one search. */
export function createDocumentReader(scope: SearchScope, deadline: PromptDeadline): DocumentReader {
  let last: Uint32Array | undefined;
  let documents = new Map<number, JsonObject>();
  return (rows, take) => {
    if (rows === last) {
      for (const [row, document] of documents) take(document, row);
      return;
    }
    last = undefined;
    documents = new Map();
    let chars = 0;
    eachDocument(scope, rows, (document, row, length) => {
      deadline.checkNow();
      chars += length;
      if (chars <= maxCachedChars) documents.set(row, document);
      take(document, row);
    });
    if (chars <= maxCachedChars) last = rows;
    else documents.clear();
  };
}
