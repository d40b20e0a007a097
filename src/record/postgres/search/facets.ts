import type { JsonArray } from '../../../contract/json.ts';
import { parseStoredJson } from '../../../domain/json/parse.ts';
import type { SearchPage } from '../../../domain/ports/list-query.ts';
import type { Path, Predicate } from '../../../domain/predicate/ast.ts';
import { isSamePath } from '../../../domain/predicate/path.ts';
import { plainTextFields } from '../../../domain/predicate/scalar.ts';
import {
  nodesOf,
  type RangeHistogram,
  rangesResult,
  termsResult,
  treeResult,
  valuesResult,
} from '../../../domain/search/facet-results.ts';
import {
  commonType,
  type FacetScalar,
  type FacetScalars,
  facetScalars,
  isInRange,
  statisticOf,
} from '../../../domain/search/facet-values.ts';
import type {
  Facet,
  FacetFilter,
  FacetRange,
  FacetResult,
  RangesFacet,
  SearchQuery,
  TermsFacet,
  TreeFacet,
} from '../../../domain/search/query/query.ts';
import { listed, raw, type Sql, sql, typed } from '../../../index/plan/sql.ts';
import type { Connection } from '../open/connection.ts';
import { documentRow, fieldsOfPath } from '../query/document.ts';
import type { Selection } from '../query/plan-list.ts';
import { countMatches, runSql } from '../query/run-sql.ts';
import { fromMatches } from '../query/select.ts';
import { valuesAsArray } from '../query/sort-key.ts';

/** The selection of the resources that match the texts and these predicates. */
export type Select = (predicates: readonly Predicate[]) => Selection;

export interface FacetSelections {
  readonly select: Select;
  /** By the rules of the project, within predicates and a sample. */
  readonly ruled: (predicates: readonly Predicate[], sample: Sql | undefined) => Promise<Select>;
  /** True where `select` holds for more: rules take some away. */
  readonly isSuperset?: boolean;
}

/**
 * The results of all facets, one after another, so that they share the deadline. Those that are narrowed alike are counted
 * together: to read a document takes longer than to look up its values. Of more than `countUpTo` matches, those of a
 * sample are counted. `matches`, as far as they are known, are those that no filter of facets narrows,
 * counted beyond that bound or not.
 */
export async function runFacets(
  connection: Connection,
  { facets, queryFilters, facetFilters }: SearchQuery,
  { select, ruled, isSuperset = false }: FacetSelections,
  countUpTo: number | undefined,
  matches: number | undefined,
): Promise<SearchPage['facets']> {
  const alike = Map.groupBy(facets, (facet) => {
    const isAbout = ({ paths }: FacetFilter) => paths.some((path) => isSamePath(path, facet.path));
    return facetFilters.map((filter) => (isAbout(filter) ? '0' : '1')).join('');
  });
  const results = new Map<Facet, FacetResult>();
  for (const [applied, of] of alike) {
    const others = facetFilters.filter((_, at) => applied[at] === '1').map(({ predicate }) => predicate);
    const predicates = [...queryFilters, ...others];
    const known = others.length === 0 && !isSuperset ? matches : undefined;
    const sample = await sampleOf(connection, select(predicates), countUpTo, known);
    const within = (selection: Selection): Selection =>
      sample ? { ...selection, conditions: [...selection.conditions, sample.condition] } : selection;
    const weight = sample?.weight ?? 1;
    const counting = await ruled(predicates, sample?.condition);
    const counted = of.filter((facet) => facet.kind !== 'values');
    const groups = await groupsOf(
      connection,
      counted.map(({ path }) => path),
      within(counting(predicates)),
      weight,
    );
    const sampled = sample && { sampled: sample.resources };
    for (const [at, facet] of counted.entries()) results.set(facet, { ...countedIn(facet, groups[at]!), ...sampled });
    for (const facet of of) {
      if (facet.kind !== 'values') continue;
      const has: Predicate = { kind: 'in', path: facet.path, values: facet.values };
      const count = await countMatches(connection, within(counting([...predicates, has])));
      results.set(facet, { ...valuesResult(facet, count * weight), ...sampled });
    }
  }
  return facets.map((facet) => [facet.name, JSON.stringify(results.get(facet)!)] as const);
}

/** Resources that stand for all matches. */
export interface Sample {
  /** Holds for them among all. */
  readonly condition: Sql;
  /** How many matches each of them stands for. */
  readonly weight: number;
  readonly resources: number;
}

/** No resource of a sample stands for more than so many. */
const mostWeight = 2 ** 20;

/** The same resources in all searches, by their ids: one in `among`, a power of two. */
export function isSampled(among: number): Sql {
  return sql`hashtextextended(r.id, 0) & ${typed(String(among - 1), 'bigint')} = 0`;
}

/** How many matches each resource of a sample stands for, so that it has at most `most` of them. */
export function weightOf(matches: number, most: number): number {
  return Math.min(mostWeight, 2 ** Math.max(1, Math.ceil(Math.log2(matches / most))));
}

/** The sample of a selection; undefined where all of it is counted. */
async function sampleOf(
  connection: Connection,
  selection: Selection,
  countUpTo: number | undefined,
  known: number | undefined,
): Promise<Sample | undefined> {
  if (countUpTo === undefined) return undefined;
  if ((known ?? (await countMatches(connection, selection, countUpTo + 1))) <= countUpTo) return undefined;
  // Of each the greatest sample that it is in, 0 for all: so one look at the matches tells how many any sample has.
  const least = typed(String(mostWeight - 1), 'bigint');
  const rows = await runSql<{ among: number; resources: number }>(
    connection,
    sql`SELECT s.bits & -s.bits AS among, count(*) AS resources
      FROM (SELECT hashtextextended(r.id, 0) & ${least} AS bits ${fromMatches(selection)}) s GROUP BY 1`,
  );
  const within = (weight: number) =>
    rows.reduce((sum, { among, resources }) => (among === 0 || among >= weight ? sum + resources : sum), 0);
  const weight = weightOf(within(1), countUpTo);
  return { condition: isSampled(weight), weight, resources: within(weight) };
}

function countedIn(facet: TermsFacet | TreeFacet | RangesFacet, groups: readonly Group[]): FacetResult {
  if (facet.kind === 'ranges') {
    return rangesResult(
      facet,
      facet.ranges.map((range) => histogramOf(range, groups)),
    );
  }
  const withValue = sum(groups.filter(({ found }) => found.hasValue));
  const missing = sum(groups) - withValue;
  if (facet.kind === 'tree') {
    return treeResult(
      facet,
      countTerms(groups, (scalar) => nodesOf(facet, scalar)),
      withValue,
      missing,
    );
  }
  const types = groups.flatMap(({ found }) => found.scalars.map(({ dataType }) => dataType));
  return termsResult(facet, countTerms(groups, termOf), withValue, missing, commonType(types));
}

/** Resources that have the same values at a path. */
interface Group {
  readonly found: FacetScalars;
  readonly resources: number;
}

function sum(groups: readonly Group[]): number {
  return groups.reduce((total, { resources }) => total + resources, 0);
}

/** Of each path. The database groups equal lists of values: usually few lists for many resources. */
async function groupsOf(
  connection: Connection,
  paths: readonly Path[],
  { staged, ...selection }: Selection,
  weight: number,
): Promise<readonly (readonly Group[])[]> {
  if (paths.length === 0) return [];
  const { from, json } = documentRow(staged, new Set(paths.flatMap((path) => [...fieldsOfPath(path)])));
  const lists = paths.map((path, at) => sql`(${raw(String(at))}, ${valuesAsArray(path, json)})`);
  const rows = await runSql<{ facet: number; values: string | null; resources: number }>(
    connection,
    sql`SELECT f.facet, f.values::text AS values, count(*) AS resources
      FROM (SELECT r.* ${fromMatches(selection)}) r CROSS JOIN LATERAL ${from}
      CROSS JOIN LATERAL (VALUES ${listed(lists, ', ')}) f (facet, values) GROUP BY f.facet, f.values`,
  );
  const groups = paths.map((): Group[] => []);
  for (const { facet, values, resources } of rows) {
    // `id` and `key` are plain text, whatever they look like (decision 7).
    const path = paths[facet]!;
    const name = path.length === 1 && plainTextFields.has(path[0]!) ? path[0]! : 'value';
    const list = values === null ? [] : (parseStoredJson(values) as JsonArray);
    groups[facet]!.push({ found: facetScalars({ [name]: list }, [name]), resources: resources * weight });
  }
  return groups;
}

const termOf = ({ term }: FacetScalar) => [term];

/** Resources by what their values count for: each of them once. */
function countTerms(
  groups: readonly Group[],
  termsOf: (scalar: FacetScalar) => readonly string[],
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { found, resources } of groups) {
    for (const term of new Set(found.scalars.flatMap(termsOf))) {
      counts.set(term, (counts.get(term) ?? 0) + resources);
    }
  }
  return counts;
}

function histogramOf(range: FacetRange, groups: readonly Group[]): RangeHistogram {
  const values = new Map<number, number>();
  let count = 0;
  for (const { found, resources } of groups) {
    const inside = found.scalars.filter(({ scalar }) => isInRange(scalar, range));
    if (inside.length > 0) count += resources;
    for (const { scalar } of inside) {
      const value = statisticOf(scalar);
      values.set(value, (values.get(value) ?? 0) + resources);
    }
  }
  return { count, values };
}
