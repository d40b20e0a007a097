import type { JsonObject } from '../../../contract/json.ts';
import { parseStoredJson } from '../../../domain/json/parse.ts';
import { eachIntact } from '../../query/rows.ts';
import type { SearchScope } from '../query-terms.ts';

/** Calls `each` with the documents of rows, in the projection of the search, as `eachIntact`: what is counted of a damaged one would be wrong. */
export function eachDocument(
  scope: SearchScope,
  rows: readonly number[] | Uint32Array,
  each: (document: JsonObject, row: number) => void,
): void {
  for (const [row, text] of eachIntact(scope.db, scope, rows)) each(parseStoredJson(text) as JsonObject, row);
}
