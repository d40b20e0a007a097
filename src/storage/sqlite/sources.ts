import type { Predicate } from '../../domain/predicate/ast.ts';
import { literalForms, type Scalar } from '../../domain/predicate/scalar.ts';
import { columnForms, decidingColumn, type SystemColumn, systemColumnOf } from '../sql/compile-column.ts';
import { joined, listed, raw, type Sql, sql } from '../sql/sql.ts';
import { edges, severalSuffix, storedSortPath } from './sort-values.ts';
import { createTermCompiler, printTerms } from './term-expression.ts';
import { type Projection, projectionTerm } from './term-text.ts';

/** Rows among which are all matches, out of an index: a SELECT of one column `row`, each row once. */
export interface Source {
  readonly kind: 'terms' | 'column' | 'range';
  readonly select: Sql;
  /** Which conditions, by number, every one of these rows satisfies. */
  readonly covers: readonly number[];
}

export interface SourceContext {
  readonly projectKey: string;
  readonly staged: boolean;
  readonly declaredPaths: readonly string[];
}

/** The index of each system column. Named in queries, so that no statistics lead SQLite to another. */
export const columnIndexes: Readonly<Record<SystemColumn, Sql>> = {
  id: raw('sqlite_autoindex_resource_1'),
  key: raw('resource_key'),
  version: raw('resource_version'),
  createdAt: raw('resource_created'),
  lastModifiedAt: raw('resource_modified'),
};

/** All index lookups that a conjunction offers. `conditions` are the same conjuncts in SQL, over `resource r`. */
export function findSources(
  conjuncts: readonly Predicate[],
  conditions: readonly Sql[],
  context: SourceContext,
): readonly Source[] {
  const ranges = rangeSources(conjuncts, context);
  const ranged = new Set(ranges.flatMap(({ covers }) => covers));
  return [
    ...columnSources(conjuncts, conditions, context.projectKey),
    ...ranges,
    ...termSource(conjuncts, ranged, context),
  ];
}

/** Rows that a term expression names. */
export function matchingRows(expression: string): Sql {
  return sql`SELECT rowid AS row FROM term WHERE term MATCH ${expression}`;
}

function termSource(
  conjuncts: readonly Predicate[],
  ranged: ReadonlySet<number>,
  { projectKey, staged }: SourceContext,
): readonly Source[] {
  const { exact, narrow } = createTermCompiler(projectKey, 'c');
  const all = [...conjuncts.keys()];
  const covers = all.filter((at) => exact(conjuncts[at]!) !== undefined);
  const named = conjuncts.some((each) => narrow(each, false) !== undefined);
  // Posting lists of mere presence are long: they are asked only where nothing else narrows.
  const narrowing = all.filter(
    (at) => !covers.includes(at) && !ranged.has(at) && narrow(conjuncts[at]!, !named) !== undefined,
  );
  const used = [...covers, ...narrowing];
  if (used.length === 0) return [];
  const expression = printTerms(projectKey, staged, (projection: Projection) => {
    const compiler = createTermCompiler(projectKey, projection);
    const parts = used.map((at) => compiler.exact(conjuncts[at]!) ?? compiler.narrow(conjuncts[at]!, !named));
    return { kind: 'and', of: parts.filter((part) => part !== undefined) };
  });
  return expression === undefined ? [] : [{ kind: 'terms', select: matchingRows(expression), covers }];
}

function columnSources(
  conjuncts: readonly Predicate[],
  conditions: readonly Sql[],
  projectKey: string,
): readonly Source[] {
  const byColumn = Map.groupBy(conjuncts.keys(), (at) => seekedColumn(conjuncts[at]!));
  byColumn.delete(undefined);
  return [...byColumn].map(([column, covers]) => {
    const condition = joined(
      covers.map((at) => conditions[at]!),
      'AND',
    );
    const from = sql`resource r INDEXED BY ${columnIndexes[column!]}`;
    const present = column === 'key' ? raw(' AND r.key IS NOT NULL') : raw('');
    const select = sql`SELECT r.row AS row FROM ${from} WHERE r.project_key = ${projectKey}${present} AND ${condition}`;
    return { kind: 'column', select, covers };
  });
}

/** The column whose index finds the matches of a condition; none where no value of the column's type is asked for. */
function seekedColumn(predicate: Predicate): SystemColumn | undefined {
  const asked = predicate.kind === 'compare' || predicate.kind === 'in' || predicate.kind === 'contains';
  const column = asked ? decidingColumn(predicate) : undefined;
  if (!asked || !column) return undefined;
  if (predicate.kind === 'compare' && predicate.op === '!=') return undefined;
  if (predicate.kind === 'contains' && predicate.mode === 'all') return undefined;
  const literals = predicate.kind === 'compare' ? [predicate.value] : predicate.values;
  return columnForms(column, literals).length > 0 ? column : undefined;
}

type RangeOperator = '<' | '<=' | '>' | '>=';

/** One end of a range over a path that `sort_value` holds. */
interface RangeEnd {
  readonly at: number;
  readonly stored: string;
  readonly shift: number;
  readonly op: RangeOperator;
  readonly forms: readonly Scalar[];
}

function rangeSources(conjuncts: readonly Predicate[], context: SourceContext): readonly Source[] {
  const ends = conjuncts.map((predicate, at) => rangeEndOf(predicate, at, context)).filter((end) => end !== undefined);
  const single: Source[] = ends.map((end) => ({
    kind: 'range',
    select: unionOf(end.forms.map((form) => oneEnd(end, form, context))),
    covers: [end.at],
  }));
  const byPath = Map.groupBy(ends, ({ stored, shift }) => `${shift}${stored}`);
  return [...single, ...[...byPath.values()].flatMap((each) => betweenSource(each, context))];
}

/** A value beyond which all matches have some value of a path that `sort_value` holds. */
export interface WalkBound {
  readonly op: RangeOperator;
  readonly value: Sql;
}

/** Where a walk along a stored path may begin, if a condition on the same path says so. */
export function walkBoundOf(
  conjuncts: readonly Predicate[],
  walk: { readonly stored: string; readonly shift: number },
  direction: 'asc' | 'desc',
  context: SourceContext,
): WalkBound | undefined {
  const sign = direction === 'asc' ? '>' : '<';
  const ends = conjuncts.map((predicate, at) => rangeEndOf(predicate, at, context)).filter((end) => end !== undefined);
  const end = ends.find(
    ({ stored, shift, op, forms }) =>
      stored === walk.stored && shift === walk.shift && op.startsWith(sign) && forms.length === 1,
  );
  return end && { op: end.op, value: boundOf(end.forms[0]!) };
}

function rangeEndOf(predicate: Predicate, at: number, { declaredPaths }: SourceContext): RangeEnd | undefined {
  if (predicate.kind !== 'compare' || systemColumnOf(predicate.path)) return undefined;
  const { op } = predicate;
  if (op === '=' || op === '!=') return undefined;
  const stored = storedSortPath(predicate.path, declaredPaths);
  // Booleans are in no order.
  const forms = literalForms(predicate.value).filter(({ type }) => type !== 'boolean');
  return stored && forms.length > 0 ? { at, ...stored, op, forms } : undefined;
}

/** Documents that have a value beyond one end: for `<` their least value of the type tells, for `>` their greatest. */
function oneEnd({ stored, shift, op }: RangeEnd, form: Scalar, context: SourceContext): Sql {
  const bit = (op === '<' || op === '<=' ? edges.leastOfType : edges.greatestOfType) << shift;
  return rowsInRange(stored, bit, form, [{ op, value: form }], context);
}

/**
 * Documents that may have a value beyond each of two ends: an extreme value between the two, or several values, the
 * least of them below the upper end. Covers nothing: what it names may still fail either end.
 */
function betweenSource(ends: readonly RangeEnd[], context: SourceContext): readonly Source[] {
  const lower = ends.find(({ op, forms }) => op.startsWith('>') && forms.length === 1);
  const upper = ends.find(({ op, forms }) => op.startsWith('<') && forms.length === 1);
  const [from, to] = [lower?.forms[0], upper?.forms[0]];
  if (!lower || !upper || !from || !to || from.type !== to.type) return [];
  const { stored, shift } = lower;
  const either = (edges.leastOfType | edges.greatestOfType) << shift;
  const bounds = [
    { op: lower.op, value: from },
    { op: upper.op, value: to },
  ];
  const inside = rowsInRange(stored, either, from, bounds, context);
  const several = rowsInRange(stored + severalSuffix, edges.leastOfType << shift, from, bounds.slice(1), context);
  return [{ kind: 'range', select: unionOf([inside, several]), covers: [] }];
}

interface Bound {
  readonly op: RangeOperator;
  readonly value: Scalar;
}

/** Rows of `sort_value` of the type of a form, within bounds, that have one of the edge bits. */
function rowsInRange(path: string, bits: number, form: Scalar, bounds: readonly Bound[], context: SourceContext): Sql {
  const { projectKey, staged } = context;
  const within = joined(
    [...bandOf(form, bounds), ...bounds.map(({ op, value }) => sql`value ${raw(op)} ${boundOf(value)}`)],
    'AND',
  );
  const ofProjection = (projection: 0 | 1) =>
    sql`SELECT row FROM sort_value WHERE project_key = ${projectKey} AND projection = ${raw(String(projection))} AND path = ${path} AND ${within} AND edge & ${raw(String(bits))}`;
  if (!staged) return ofProjection(0);
  const hasStaged = matchingRows(`"${projectionTerm(projectKey, 's')}"`);
  return sql`${ofProjection(0)} AND row NOT IN (${hasStaged}) UNION ALL ${ofProjection(1)}`;
}

/** Keeps a range inside the values of its type: numbers < texts < booleans, points in time among the texts. */
function bandOf({ type }: Scalar, bounds: readonly Bound[]): readonly Sql[] {
  const hasLower = bounds.some(({ op }) => op.startsWith('>'));
  const hasUpper = bounds.some(({ op }) => op.startsWith('<'));
  if (type === 'number') return hasUpper ? [] : [raw("value < ''")];
  const ends = [...(hasLower ? [] : [raw("value >= ''")]), ...(hasUpper ? [] : [raw("value < x''")])];
  return [...ends, raw(`edge & ${edges.instant} ${type === 'instant' ? '<>' : '='} 0`)];
}

function boundOf({ value }: Scalar): Sql {
  return sql`${typeof value === 'boolean' ? Number(value) : value}`;
}

/** UNION makes each row one; a single SELECT has each once already. */
function unionOf(selects: readonly Sql[]): Sql {
  return selects.length === 1
    ? selects[0]!
    : listed(
        selects.map((each) => sql`SELECT row FROM (${each})`),
        ' UNION ',
      );
}
