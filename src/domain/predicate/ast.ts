/**
 * A predicate as plain data: a parsed `where` (decision 15). Engines compile it to their own query; `match` defines its
 * meaning and is the reference for all of them.
 */

/** A number is an exact 64-bit integer (`bigint`) where its value is one, else a finite double. */
export type Literal =
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'number'; readonly value: bigint | number }
  | { readonly type: 'boolean'; readonly value: boolean }
  /** The text of an input variable (`:name`): takes the type of the value it is compared with. */
  | { readonly type: 'untyped'; readonly value: string };

export type Comparison = '=' | '!=' | '<' | '<=' | '>' | '>=';

/**
 * Names from the outside in, never empty. At each name an array stands for its elements (one level), so a path has a
 * set of values. A first name that is one of ArrayTestType's and that a document lacks falls through to its
 * `objectTypeProperty`; `match` and every compiler do so.
 */
export type Path = readonly string[];

/** Both ends included; undefined is open, but not both are. Ends of different types: nothing lies between them. */
export interface ValueRange {
  readonly from: Literal | undefined;
  readonly to: Literal | undefined;
  /** True if its only end is excluded: what is below or above a value. */
  readonly isOpen?: boolean;
}

export type Predicate =
  | { readonly kind: 'and'; readonly of: readonly Predicate[] }
  | { readonly kind: 'or'; readonly of: readonly Predicate[] }
  | { readonly kind: 'not'; readonly of: Predicate }
  | { readonly kind: 'compare'; readonly path: Path; readonly op: Comparison; readonly value: Literal }
  /** One of the values is at the path. So is what `contains` asks: see `containing`. */
  | { readonly kind: 'in'; readonly path: Path; readonly values: readonly Literal[] }
  /** One value at the path lies in one of the ranges (search filters, decision 23). A range that is open is the only one. */
  | { readonly kind: 'within'; readonly path: Path; readonly ranges: readonly ValueRange[] }
  | { readonly kind: 'empty'; readonly path: Path }
  | { readonly kind: 'defined'; readonly path: Path }
  | {
      readonly kind: 'circle';
      readonly path: Path;
      /** Degrees. */
      readonly longitude: number;
      readonly latitude: number;
      readonly radiusMetres: number;
    }
  | { readonly kind: 'matchesIgnoreCase'; readonly path: Path; readonly value: string }
  /** One element (or the object itself) at the path satisfies all of `of`. */
  | { readonly kind: 'embedded'; readonly path: Path; readonly of: Predicate }
  /** Always or never true: what an empty list of conditions or a condition on nothing becomes. */
  | { readonly kind: 'constant'; readonly value: boolean };

/** The condition that all, or any, of some values are at a path. */
export function containing(path: Path, mode: 'all' | 'any', values: readonly Literal[]): Predicate {
  if (mode === 'any') return { kind: 'in', path, values };
  return { kind: 'and', of: values.map((value) => ({ kind: 'compare', path, op: '=', value })) };
}

/** A condition on the values at a path. */
export type AtPath = Extract<Predicate, { readonly path: Path }>;

/** The conditions of a predicate with their paths; inside an embedded predicate these begin with its own. */
export function pathsOf(predicate: Predicate, within: Path = []): readonly Pick<AtPath, 'kind' | 'path'>[] {
  const own = 'path' in predicate ? [{ kind: predicate.kind, path: [...within, ...predicate.path] }] : [];
  const path = own[0]?.path ?? within;
  const parts = partsOf(predicate).flatMap((part) => pathsOf(part, path));
  return parts.length > 0 ? parts : own;
}

/** The predicates inside a predicate; none for a single condition. */
export function partsOf(predicate: Predicate): readonly Predicate[] {
  if (!('of' in predicate)) return [];
  return 'kind' in predicate.of ? [predicate.of] : predicate.of;
}
