import { crc32 } from 'node:zlib';
import type { JsonObject } from '../../../../contract/json.ts';
import { parseStoredJson } from '../../../../domain/json/parse.ts';
import { raw, sql } from '../../../query/sql.ts';
import { checksumAfter, type DocumentTexts, damagedDocument } from '../../../row/stored-row.ts';
import type { PromptDeadline } from '../../query/functions.ts';
import { headOfRow } from '../../query/rows.ts';
import { eachRow } from '../../query/statements.ts';
import type { SearchScope } from '../query-terms.ts';

/** What is read of a row: `head` is what its checksum covers before the documents. */
type CheckedRow = DocumentTexts & { readonly row: number; readonly checksum: number; readonly head: string };

// Without a table before the names, which json_each has some of: only its value is in the query.
const checkedColumns = raw(`row, checksum, ${headOfRow} AS head, current, staged`);

/**
 * Calls `each` with the documents of rows, in the projection of the search; deleted rows are left out. Throws `ServiceError`
 * DataCorruption at a row that is not what was written.
 */
export function eachDocument(
  { db, projectKey, staged }: SearchScope,
  rows: readonly number[] | Uint32Array,
  each: (document: JsonObject, row: number, length: number) => void,
): void {
  const numbers = `[${rows.join(',')}]`;
  const query = sql`SELECT ${checkedColumns} FROM (SELECT value FROM json_each(${numbers})) n CROSS JOIN resource r ON r.row = n.value AND r.project_key = ${projectKey}`;
  for (const found of eachRow<CheckedRow>(db, query)) {
    // A text but for damage, which is a number here or bytes.
    if (typeof found.head !== 'string' || checksumAfter(crc32(found.head), found) !== found.checksum) {
      throw damagedDocument();
    }
    const text = staged ? (found.staged ?? found.current) : found.current;
    each(parseStoredJson(text) as JsonObject, found.row, text.length);
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
