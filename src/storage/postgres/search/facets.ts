import type { JsonArray } from '../../../contract/json.ts';
import { parseStoredJson } from '../../../domain/json/parse.ts';
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
import type { Facet, FacetRange, FacetResult, SearchQuery } from '../../../domain/search/query/query.ts';
import { sql } from '../../query/sql.ts';
import type { Connection } from '../open/connection.ts';
import type { Selection } from '../query/plan-list.ts';
import { countMatches, runSql } from '../query/run-sql.ts';
import { fromMatches } from '../query/select.ts';
import { valuesAsArray } from '../query/sort-key.ts';

/** The selection of the resources that match the texts and these predicates. */
export type Select = (predicates: readonly Predicate[]) => Selection;

/** The result of a facet. */
export async function runFacet(
  connection: Connection,
  facet: Facet,
  { queryFilters, facetFilters }: SearchQuery,
  select: Select,
): Promise<FacetResult> {
  const others = facetFilters.filter(({ paths }) => !paths.some((path) => isSamePath(path, facet.path)));
  const predicates = [...queryFilters, ...others.map(({ predicate }) => predicate)];
  if (facet.kind === 'values') {
    const has: Predicate = { kind: 'in', path: facet.path, values: facet.values };
    return valuesResult(facet, await countMatches(connection, select([...predicates, has])));
  }
  const groups = await groupsOf(connection, facet.path, select(predicates));
  if (facet.kind === 'terms') {
    const withValue = sum(groups.filter(({ found }) => found.hasValue));
    const types = groups.flatMap(({ found }) => found.scalars.map(({ dataType }) => dataType));
    return termsResult(facet, countTerms(groups, termOf), withValue, sum(groups) - withValue, commonType(types));
  }
  if (facet.kind === 'tree') {
    const withValue = sum(groups.filter(({ found }) => found.hasValue));
    const counts = countTerms(groups, (scalar) => nodesOf(facet, scalar));
    return treeResult(facet, counts, withValue, sum(groups) - withValue);
  }
  return rangesResult(
    facet,
    facet.ranges.map((range) => histogramOf(range, groups)),
  );
}

/** Resources that have the same values at a path. */
interface Group {
  readonly found: FacetScalars;
  readonly resources: number;
}

function sum(groups: readonly Group[]): number {
  return groups.reduce((total, { resources }) => total + resources, 0);
}

/** The database groups equal lists of values: usually few lists for many resources. */
async function groupsOf(connection: Connection, path: Path, selection: Selection): Promise<readonly Group[]> {
  const values = valuesAsArray(path, selection.staged);
  const rows = await runSql<{ values: string | null; resources: number }>(
    connection,
    sql`SELECT s.values::text AS values, count(*) AS resources
      FROM (SELECT ${values} AS values ${fromMatches(selection)}) s GROUP BY s.values`,
  );
  // `id` and `key` are plain text, whatever they look like (decision 7).
  const [first = ''] = path;
  const name = path.length === 1 && plainTextFields.has(first) ? first : 'value';
  return rows.map(({ values: text, resources }) => {
    const list = text === null ? [] : (parseStoredJson(text) as JsonArray);
    return { found: facetScalars({ [name]: list }, [name]), resources };
  });
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
