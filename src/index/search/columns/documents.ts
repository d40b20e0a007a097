import { crc32 } from 'node:zlib';
import type { JsonObject } from '../../../contract/json.ts';
import { parseStoredJson } from '../../../domain/json/parse.ts';
import { checksumAfter, damagedDocument } from '../../../record/row/stored-row.ts';
import { raw, sql } from '../../plan/sql.ts';
import type { PromptDeadline } from '../../query/functions.ts';
import { headOfRow } from '../../query/rows.ts';
import { eachArray } from '../../query/statements.ts';
import type { SearchScope } from '../query-terms.ts';

/** A whole row, since its checksum is over all of it; `head` is what that covers before the documents. */
type WholeRow = readonly [row: number, checksum: number, head: string, current: string, staged: string | null];

const columns = raw(`row, checksum, ${headOfRow}, current, staged`);

/**
 * Calls `each` with the documents of rows, in the projection of the search; rows that are deleted, or of another project by now, are
 * left out, and so are those that are known to be damaged. Throws `ServiceError` DataCorruption where a row is not what was written: what is counted of it would be wrong.
 */
export function eachDocument(
  { db, projectKey, staged }: SearchScope,
  rows: readonly number[] | Uint32Array,
  each: (document: JsonObject, row: number, length: number) => void,
): void {
  const numbers = `[${rows.join(',')}]`;
  const ofProject = `${projectKey}\n`;
  // Only an intact row tells which project it belongs to.
  const query = sql`SELECT ${columns} FROM (SELECT value FROM json_each(${numbers})) n CROSS JOIN resource r ON r.row = n.value WHERE r.row NOT IN (SELECT row FROM damaged)`;
  for (const [row, checksum, head, current, own] of eachArray<WholeRow>(db, query)) {
    if (typeof head !== 'string' || checksumAfter(crc32(head), { current, staged: own }) !== checksum) {
      throw damagedDocument(row);
    }
    if (!head.startsWith(ofProject)) continue;
    const text = staged && own !== null ? own : current;
    each(parseStoredJson(text) as JsonObject, row, text.length);
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
