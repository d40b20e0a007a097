import type { JsonMap } from '../api/json.ts';

/** What a search answers. */
export interface Found {
  readonly results: readonly JsonMap[];
  readonly offset: number;
  readonly total: number;
  /** `total` is the least that there are. */
  readonly totalRelation?: 'gte';
  /** Where the page behind this one begins. */
  readonly next?: string;
  readonly facets: Readonly<Record<string, FacetResult>>;
  /** Absent without a text. */
  readonly match?: Match;
  /** By the id of the resource, as all that follows. */
  readonly highlights: Readonly<Record<string, readonly Highlight[]>>;
  readonly explanations: Readonly<Record<string, Explanation>>;
}

export const rungs = ['all', 'typos', 'most'] as const;
export type Rung = (typeof rungs)[number];

export interface Match {
  readonly rung: Rung;
  /** Resources found up to each rung that was taken. */
  readonly totals: Readonly<Partial<Record<Rung, number>>>;
  /** The last of them is the least that there are. */
  readonly totalRelation?: 'gte';
  /** Only so many were ranked, and are on the pages. */
  readonly ranked?: number;
  readonly dropped: readonly string[];
  readonly corrected: Readonly<Record<string, string>>;
}

export interface Highlight {
  readonly path: string;
  /** Escaped text with `<mark>` around words. */
  readonly html: string;
}

/** Why a resource ranks where it does. */
export interface Explanation {
  readonly score: number;
  readonly rung: Rung;
  readonly share: number;
  readonly boost: number;
  readonly words: readonly ExplainedWord[];
}

export interface ExplainedWord {
  readonly word: string;
  readonly matched?: string;
  readonly form?: string;
  readonly path?: string;
  readonly place?: string;
  readonly weight: number;
  readonly factor: number;
  readonly field: number;
  readonly score: number;
}

export interface FacetTerm {
  readonly term: string;
  readonly count: number;
  /** Of a category: 1 for the outermost. */
  readonly level?: number;
}

export interface FacetRange {
  readonly fromStr: string;
  readonly toStr: string;
  readonly count: number;
}

export interface FacetResult {
  readonly type: string;
  readonly missing?: number;
  readonly other?: number;
  readonly terms?: readonly FacetTerm[];
  readonly ranges?: readonly FacetRange[];
  readonly count?: number;
  /** The counts are estimated from so many resources. */
  readonly sampled?: number;
}

/** The answer with every member that is always looked at. */
export function foundOf(body: unknown): Found {
  const found = (body ?? {}) as Partial<Found>;
  return {
    ...{ results: [], offset: 0, total: 0, facets: {}, highlights: {}, explanations: {} },
    ...found,
  };
}
