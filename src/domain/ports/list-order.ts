/** Orders of lists, and places in them. */

export interface SortTerm {
  /** Dotted path; a name of ArrayTestType falls through to `objectTypeProperty` as in predicates. */
  readonly path: readonly string[];
  readonly direction: 'asc' | 'desc';
}

/** The value of a sort term; null where it is missing. A number keeps every digit. */
export type PositionKey = null | string | boolean | { readonly number: string };

/**
 * A place in the order of a list: behind one item (decision 128). As JSON it is part of a cursor. What it holds is known
 * to the engine only: the keys of the sort terms and then the id, or where its own order ends.
 */
export type Position = readonly (PositionKey | readonly number[])[];

/** The part of a list or of a search that is returned. */
export interface PageQuery {
  readonly projectKey: string;
  /** Match and return the staged projection, which equals the current one where nothing is staged. */
  readonly staged: boolean;
  /** 0–500 */
  readonly limit: number;
  /** 0–10,000 */
  readonly offset: number;
  /**
   * Only what comes after this position, which an earlier page had as `next`. `offset` is 0 then. With text the search is as that of
   * the first page.
   */
  readonly after?: Position | undefined;
  readonly withTotal: boolean;
}
