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
