import { decodeSequence, encodeSequence } from '../../../domain/history/cursor.ts';
import { stringifyJson } from '../../../domain/json/parse.ts';
import type { ApiRequest, HttpResponse, ParameterTable } from '../../route.ts';

const defaultLimit = 20;

/** The parameters of pages that continue by a cursor. */
export const cursorParameters: ParameterTable = {
  limit: { type: 'integer', minimum: 1, maximum: 500, default: defaultLimit, description: 'Most items of the page.' },
  cursor: { type: 'string', description: 'The `next` of the page before.' },
};

/** The limit of a request, and the sequence that its page begins below. */
export function pageOf({ query }: ApiRequest): { readonly limit: number; readonly below: number | undefined } {
  const cursor = query.get('cursor');
  const below = cursor === undefined ? undefined : decodeSequence('cursor', String(cursor));
  return { limit: Number(query.get('limit') ?? defaultLimit), below };
}

/** A page, and the sequence that the one after it begins below; undefined on the last one. */
interface Page {
  readonly limit: number;
  readonly results: readonly object[];
  readonly next: number | undefined;
}

/** The response with a page. */
export function pageResponse({ limit, results, next }: Page): HttpResponse {
  const cursor = next === undefined ? undefined : encodeSequence(next);
  const page = { limit, count: results.length, results, ...(cursor !== undefined && { next: cursor }) };
  return { status: 200, body: stringifyJson(page as never), next: cursor };
}
