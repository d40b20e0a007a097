import { pathOf } from '../../api/client.ts';
import { writeJson } from '../../api/json.ts';
import { call } from '../../app/session.ts';
import { nameOf } from '../../model/names.ts';
import { foundOf } from '../found.ts';
import type { Settings } from './draft.ts';

/** Compares searches with the saved settings and with edited ones. */

const topHits = 10;

export interface ComparedHit {
  readonly id: string;
  readonly title: string;
}

interface Side {
  readonly total: number;
  /** The first ten. */
  readonly hits: readonly ComparedHit[];
}

export interface Comparison {
  readonly text: string;
  readonly before: Side;
  readonly after: Side;
}

export interface CompareRequest {
  readonly projectKey: string;
  readonly texts: readonly string[];
  readonly language: string;
  readonly isFuzzy: boolean;
  readonly settings: Settings;
  readonly signal: AbortSignal;
}

/** Makes each search twice: with the settings of the project, and with others. Throws `ApiError`. */
export async function compare(request: CompareRequest): Promise<readonly Comparison[]> {
  const { projectKey, texts, language, isFuzzy, settings, signal } = request;
  const path = pathOf(projectKey, 'resource', 'searchApiPattern');
  const sideOf = (body: unknown): Side => {
    const { total, results } = foundOf(body);
    const hits = results.map((hit) => ({ id: String(hit.id), title: nameOf(hit, language) }));
    return { total, hits };
  };
  const found: Comparison[] = [];
  for (const text of texts) {
    const query = new URLSearchParams({ [`text.${language}`]: text, limit: String(topHits) });
    if (isFuzzy) query.set('fuzzy', 'true');
    const before = await call(projectKey, { path, query, signal });
    query.set('settings', writeJson(settings));
    const body = new Blob([query.toString()], { type: 'application/x-www-form-urlencoded' });
    const after = await call(projectKey, {
      method: 'POST',
      path,
      body,
      signal,
      headers: { 'content-type': body.type },
    });
    found.push({ text, before: sideOf(before.body), after: sideOf(after.body) });
  }
  return found;
}

/** The place of a hit after, against that before. */
export interface Move {
  readonly kind: 'new' | 'lost' | 'same' | 'up' | 'down';
  readonly text: string;
}

export function moveOf(id: string, { before, after }: Comparison): Move {
  const [from, to] = [before, after].map(({ hits }) => hits.findIndex((hit) => hit.id === id)) as [number, number];
  if (from < 0 || to < 0) return from < 0 ? { kind: 'new', text: 'new' } : { kind: 'lost', text: 'lost' };
  if (from === to) return { kind: 'same', text: 'as before' };
  const kind = from > to ? 'up' : 'down';
  return { kind, text: `${kind} ${Math.abs(from - to)}` };
}
