import type { JsonObject } from '../../../src/contract/json.ts';
import type { SortTerm } from '../../../src/domain/ports/list-query.ts';
import type { Path, Predicate } from '../../../src/domain/predicate/ast.ts';
import { match } from '../../../src/domain/predicate/match.ts';
import { isSamePath, valuesAt } from '../../../src/domain/predicate/path.ts';
import {
  compareScalars,
  compareUtf8,
  plainTextFields,
  type Scalar,
  scalarOf,
} from '../../../src/domain/predicate/scalar.ts';
import {
  type FacetResult,
  rangesResult,
  termsResult,
  treeResult,
  valuesResult,
} from '../../../src/domain/search/facet-results.ts';
import {
  commonType,
  facetScalars,
  isInRange,
  leastTerm,
  statisticOf,
} from '../../../src/domain/search/facet-values.ts';
import type { Facet, FacetRange, MatchResult, Rung, SearchQuery } from '../../../src/domain/search/query/query.ts';
import { isExcluded } from '../../../src/domain/search/words/text-conditions.ts';

import { compareRanks, completionsOf, type Rank, rankAll } from './reference-text.ts';

/** What a search means, in the plainest words: every document is looked at (decisions 20–24). Engines are held to it. */

/** Both projections of one resource of the project. */
export interface SearchedResource {
  readonly current: JsonObject;
  readonly staged?: JsonObject;
}

export interface FoundByReference {
  /** The page, in order. */
  readonly ids: readonly string[];
  /** All results, whatever `withTotal` says. */
  readonly total: number;
  readonly facets: readonly (readonly [name: string, result: FacetResult])[];
  readonly match?: MatchResult | undefined;
  /** Of the results on the page, in order. */
  readonly ranks: readonly Rank[];
  /** The last result of the page, if another page follows. */
  readonly last?: LastItem | undefined;
  /** Of the results on the page, in order. */
  readonly groups?: readonly { readonly value?: string; readonly count: number }[];
  readonly completions?: ReturnType<typeof completionsOf>;
}

/** An item as it was when its page was read. */
export interface LastItem {
  readonly document: JsonObject;
  readonly rank: Rank;
}

/** The pages before one: what there was at the time of the first one, and the last item of the last one. */
export interface PagesBefore {
  readonly first: readonly SearchedResource[];
  readonly rung: Rung | undefined;
  readonly last: LastItem;
}

/** The result of a search among all resources of its project; with `before` the page that follows others. */
export function evaluateSearch(
  resources: readonly SearchedResource[],
  query: SearchQuery,
  before?: PagesBefore,
): FoundByReference {
  const projected = ({ current, staged }: SearchedResource) => (query.staged ? (staged ?? current) : current);
  const documents = resources.map(projected);
  const inBase = (document: JsonObject) =>
    all(query.queryFilters, document) && !query.excluded.some((each) => isExcluded(document, each, query.fields));
  const first = before?.rung && { documents: before.first.map(projected), rung: before.rung };
  const { ranks, match: matched } = rankAll(documents, query, inBase, first);
  const base = documents.filter((document) => ranks.has(document) && inBase(document));
  const found = base.filter((document) => all(query.filters, document));
  const rankOf = (document: JsonObject) =>
    document === before?.last.document ? before.last.rank : ranks.get(document)!;
  const compare = orderOf(query, rankOf);
  const ordered = found.filter((document) => !before || compare(before.last.document, document) < 0).sort(compare);
  const { results, groupOf } = grouped(ordered, query.group);
  const page = results.slice(query.offset, query.offset + query.limit);
  const lastOfPage = results.length > query.offset + query.limit ? page.at(-1) : undefined;
  const last = lastOfPage && { document: lastOfPage, rank: ranks.get(lastOfPage)! };
  const facets = query.facets.map((facet) => [facet.name, countFacet(facet, narrowed(base, facet, query))] as const);
  const withTypos = matched !== undefined && matched.rung !== 'all';
  const completions = query.suggest !== undefined && {
    completions: completionsOf(documents, query, inBase, withTypos),
  };
  const groups = query.group && { groups: page.map(groupOf) };
  const pageRanks = page.map((document) => ranks.get(document)!);
  return {
    ids: page.map(idOf),
    total: query.group ? results.length : found.length,
    facets,
    match: matched,
    ranks: pageRanks,
    last,
    ...groups,
    ...completions,
  };
}

/** The first document of each value at a path; all where they are not grouped. */
function grouped(ordered: readonly JsonObject[], path: Path | undefined) {
  if (!path) return { results: ordered, groupOf: () => ({ count: 1 }) };
  const valueIn = (document: JsonObject) => leastTerm(facetScalars(document, path).scalars);
  const sameAs = (document: JsonObject) => ordered.filter((other) => valueIn(other) === valueIn(document));
  const isFirst = (document: JsonObject) => valueIn(document) === undefined || sameAs(document)[0] === document;
  const groupOf = (document: JsonObject) => {
    const value = valueIn(document);
    return value === undefined ? { count: 1 } : { value, count: sameAs(document).length };
  };
  return { results: ordered.filter(isFirst), groupOf };
}

function all(predicates: readonly Predicate[], document: JsonObject): boolean {
  return predicates.every((predicate) => match(predicate, document));
}

function idOf(document: JsonObject): string {
  return document.id as string;
}

const newestFirst: readonly SortTerm[] = [{ path: ['createdAt'], direction: 'desc' }];

/** The order of the results, ties by id. */
function orderOf({ sort, ties, texts }: SearchQuery, rankOf: (document: JsonObject) => Rank) {
  return (left: JsonObject, right: JsonObject): number => {
    const terms = sort.length === 0 && texts.length === 0 ? newestFirst : sort;
    const isRanked = terms.length === 0;
    const ranked = isRanked ? compareRanks(rankOf(left), rankOf(right)) : 0;
    return ranked || compareBy(isRanked ? ties : terms, left, right) || compareUtf8(idOf(left), idOf(right));
  };
}

function compareBy(terms: readonly SortTerm[], left: JsonObject, right: JsonObject): number {
  for (const { path, direction } of terms) {
    const [a, b] = [sortKey(left, path, direction), sortKey(right, path, direction)];
    const ascending = a && b ? compareScalars(a, b) : Number(a === undefined) - Number(b === undefined);
    if (ascending !== 0) return direction === 'asc' ? ascending : -ascending;
  }
  return 0;
}

function sortKey(document: JsonObject, path: Path, direction: 'asc' | 'desc'): Scalar | undefined {
  const plain = path.length === 1 && plainTextFields.has(path[0]!);
  const scalars = valuesAt(document, path)
    .map((value): Scalar | undefined =>
      plain && typeof value === 'string' ? { type: 'string', value } : scalarOf(value),
    )
    .filter((scalar) => scalar !== undefined)
    .sort(compareScalars);
  return direction === 'asc' ? scalars[0] : scalars.at(-1);
}

/** A facet is narrowed by the facet filters that are about other paths only. */
function narrowed(base: readonly JsonObject[], facet: Facet, { facetFilters }: SearchQuery): readonly JsonObject[] {
  const others = facetFilters.filter(({ paths }) => !paths.some((path) => isSamePath(path, facet.path)));
  return base.filter((document) =>
    all(
      others.map(({ predicate }) => predicate),
      document,
    ),
  );
}

function countFacet(facet: Facet, documents: readonly JsonObject[]): FacetResult {
  const found = documents.map((document) => facetScalars(document, facet.path));
  switch (facet.kind) {
    case 'terms': {
      const counts = new Map<string, number>();
      for (const { scalars } of found) {
        for (const term of new Set(scalars.map((each) => each.term))) counts.set(term, (counts.get(term) ?? 0) + 1);
      }
      const withValue = found.filter(({ hasValue }) => hasValue).length;
      const types = found.flatMap(({ scalars }) => scalars.map(({ dataType }) => dataType));
      return termsResult(facet, counts, withValue, found.length - withValue, commonType(types));
    }
    case 'tree': {
      const counts = new Map<string, number>();
      for (const { scalars } of found) {
        const texts = scalars.filter(({ scalar: { type } }) => type === 'string' || type === 'instant');
        const nodes = texts.flatMap(({ term }) => {
          const levels = term.split(' > ').slice(0, 16);
          return levels.map((_, at) => levels.slice(0, at + 1).join(' > '));
        });
        const isBelow = (node: string) => facet.below.some((above) => node.startsWith(`${above} > `));
        for (const node of new Set(nodes)) {
          if (facet.below.length === 0 || isBelow(node)) counts.set(node, (counts.get(node) ?? 0) + 1);
        }
      }
      const withValue = found.filter(({ hasValue }) => hasValue).length;
      return treeResult(facet, counts, withValue, found.length - withValue);
    }
    case 'ranges': {
      const numbers = found.map(({ scalars }) => scalars.map(({ scalar }) => scalar));
      return rangesResult(
        facet,
        facet.ranges.map((range) => countRange(range, numbers)),
      );
    }
    case 'values': {
      const predicate: Predicate = { kind: 'in', path: facet.path, values: facet.values };
      return valuesResult(facet, documents.filter((document) => match(predicate, document)).length);
    }
    default:
      return facet satisfies never;
  }
}

function countRange(range: FacetRange, ofDocuments: readonly (readonly Scalar[])[]) {
  const values = new Map<number, number>();
  let count = 0;
  for (const scalars of ofDocuments) {
    const inside = scalars.filter((scalar) => isInRange(scalar, range)).map(statisticOf);
    if (inside.length > 0) count += 1;
    for (const value of inside) values.set(value, (values.get(value) ?? 0) + 1);
  }
  return { count, values };
}
