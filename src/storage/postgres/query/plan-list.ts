import { ServiceError } from '../../../contract/errors.ts';
import type { ListQuery, SortTerm } from '../../../domain/ports/list-query.ts';
import type { Path, Predicate } from '../../../domain/predicate/ast.ts';
import { arrayTestField, arrayTestNames } from '../../../domain/predicate/path.ts';
import { isOrderedPath } from '../../index/ordered-paths.ts';
import { termHead } from '../../index/term-encoding.ts';
import { columns, type SystemColumn, systemColumnOf } from '../../query/compile-column.ts';
import { compilePredicate } from '../../query/compile-predicate.ts';
import { normalise } from '../../query/normalise.ts';
import { raw, type Sql } from '../../query/sql.ts';
import { createTermCompiler } from '../../query/term-expression.ts';
import { hasMissingEntries, spell } from '../write/ordered-entries.ts';
import { postgresDialect } from './dialect.ts';
import { rangeConditions } from './range-conditions.ts';
import { render } from './render.ts';
import { sortKeyRows } from './sort-key.ts';
import { isLookup, termCondition } from './term-condition.ts';

/** Which resources match. */
export interface Selection {
  readonly projectKey: string;
  readonly staged: boolean;
  /** All must hold, over `resource r`. */
  readonly conditions: readonly Sql[];
  /** True if an index narrows the conditions: then few matches are likely enough to look for them first. */
  readonly isNarrowed: boolean;
}

/** One key of an order. */
export interface OrderKey {
  readonly direction: 'asc' | 'desc';
  /** Rows to join to `resource r` for the key; none for a column. */
  readonly rows?: Sql;
  /** The expressions to order by, one after another, over `resource r` and the joined rows under an alias. */
  readonly expressions: (alias: string) => readonly Sql[];
  /** A system column, whose index has the order. */
  readonly column?: SystemColumn;
  /** Entries that have the order, of current projections. */
  readonly walk?: EntryWalk;
}

export interface EntryWalk {
  /** Spelled path of the entries. */
  readonly path: string;
  /** Documents without a value have entries too; else this tells them. */
  readonly lacking?: Sql;
  /** The walk has the order only where no document of the project satisfies this. */
  readonly unless?: Sql;
}

export interface CompiledList extends Selection {
  readonly order: readonly OrderKey[];
  readonly limit: number;
  readonly offset: number;
  readonly withTotal: boolean;
}

/** PostgreSQL binds 65,535 values at most; the rest is for what the runner adds. */
const maxBoundValues = 60_000;

/** The document that a query asks about: its staged projection where it has one and the query is for it. */
export function documentJson(staged: boolean): Sql {
  return raw(staged ? 'coalesce(r.staged_document, r.document)' : 'r.document');
}

/** Compiles a list. Throws `ServiceError` InvalidInput where it has more values than one query can bind. */
export function compileList(query: ListQuery, declaredPaths: readonly string[]): CompiledList {
  const { sort, limit, offset, withTotal } = query;
  const order = sort.map((term) => compileOrder(term, query, declaredPaths));
  return { ...compileSelection(query, declaredPaths), order, limit, offset, withTotal };
}

/** Compiles the question which resources match. */
export function compileSelection(
  { projectKey, where, staged }: Pick<ListQuery, 'projectKey' | 'where' | 'staged'>,
  declaredPaths: readonly string[],
): Selection {
  const conjuncts = normalise(where);
  const terms = createTermCompiler(projectKey, 'c', declaredPaths);
  const named = conjuncts.some((each) => terms.narrow(each, false) !== undefined);
  const ranges = rangeConditions(conjuncts, { projectKey, staged, declaredPaths });
  let isNarrowed = ranges.size > 0;
  const conditions = conjuncts.flatMap((conjunct, at) => {
    const range = ranges.get(at);
    const exact = terms.exact(conjunct);
    // Conditions of mere presence hold of many: they are asked only where nothing else narrows.
    const narrowing = exact ?? (range ? undefined : terms.narrow(conjunct, !named));
    isNarrowed ||= (narrowing !== undefined && isLookup(narrowing)) || seeksColumn(conjunct);
    const ofTerms =
      narrowing &&
      termCondition((projection) => {
        const compiler = createTermCompiler(projectKey, projection, declaredPaths);
        return compiler.exact(conjunct) ?? compiler.narrow(conjunct, !named)!;
      }, staged);
    if (exact) return [ofTerms!];
    const whole = compilePredicate(conjunct, { dialect: postgresDialect, json: documentJson(staged), columns });
    return [ofTerms, range, whole].filter((each) => each !== undefined);
  });
  assertBindable(conditions);
  return { projectKey, staged, conditions, isNarrowed };
}

function seeksColumn(predicate: Predicate): boolean {
  if (predicate.kind !== 'compare' && predicate.kind !== 'in' && predicate.kind !== 'within') return false;
  return systemColumnOf(predicate.path) !== undefined && !(predicate.kind === 'compare' && predicate.op === '!=');
}

function assertBindable(conditions: readonly Sql[]): void {
  const bound = conditions.reduce((sum, each) => sum + (render(each).values?.length ?? 0), 0);
  if (bound <= maxBoundValues) return;
  const message = `The conditions hold ${bound} names and values, ${maxBoundValues} are allowed.`;
  throw new ServiceError('InvalidInput', message);
}

function compileOrder(
  { path, direction }: SortTerm,
  { projectKey, staged }: Pick<ListQuery, 'projectKey' | 'staged'>,
  declaredPaths: readonly string[],
): OrderKey {
  const column = systemColumnOf(path);
  if (column) return { direction, column, expressions: () => [columns[column]] };
  const rows = sortKeyRows(path, direction, documentJson(staged));
  const expressions = (alias: string) => ['class', 'number', 'text'].map((name) => raw(`${alias}.${name}`));
  const key: OrderKey = { direction, rows, expressions };
  const isWalked = !staged && isOrderedPath(path, declaredPaths);
  return isWalked ? { ...key, walk: compileWalk(path, projectKey, declaredPaths) } : key;
}

function compileWalk(path: Path, projectKey: string, declaredPaths: readonly string[]): EntryWalk {
  const { lacksScalar } = createTermCompiler(projectKey, 'c', declaredPaths);
  if (hasMissingEntries(path, declaredPaths)) return { path: spell(path) };
  const lacking = termCondition(() => lacksScalar(path), false);
  if (!arrayTestNames.has(path[0]!)) return { path: spell(path), lacking };
  // A short form is the path below objectTypeProperty unless a document has a field of that name itself.
  const term = `${termHead(projectKey, 'c')}${spell(path.slice(0, 1))}|`;
  const unless = termCondition(() => ({ kind: 'term', term, prefix: true }), false);
  return { path: spell([arrayTestField, ...path]), lacking, unless };
}
