import type { JsonObject } from '../../../../contract/json.ts';
import { parseStoredJson } from '../../../../domain/json/parse.ts';
import { sql } from '../../../query/sql.ts';
import type { PromptDeadline } from '../../query/functions.ts';
import { eachRow } from '../../query/statements.ts';
import type { SearchScope } from '../query-terms.ts';

/** Calls `each` with the documents of rows, in the projection of the search; deleted rows are left out. */
export function eachDocument(
  { db, projectKey, staged }: SearchScope,
  rows: readonly number[] | Uint32Array,
  each: (document: JsonObject, row: number, length: number) => void,
): void {
  const text = staged ? sql`coalesce(r.staged, r.current)` : sql`r.current`;
  const numbers = `[${rows.join(',')}]`;
  const query = sql`SELECT r.row AS row, ${text} AS text FROM json_each(${numbers}) n CROSS JOIN resource r ON r.row = n.value AND r.project_key = ${projectKey}`;
  for (const found of eachRow<{ row: number; text: string }>(db, query)) {
    each(parseStoredJson(found.text) as JsonObject, found.row, found.text.length);
  }
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
