import type { DatabaseSync } from 'node:sqlite';
import type { TermExpression } from '../plan/term-expression.ts';
import { intersect, noRows, union, without } from '../terms/row-sets.ts';
import { type Projection, projectionTerm, termHead, textMarks } from '../terms/term-encoding.ts';
import { openTermReader, type TermReader } from '../terms/term-reader.ts';
import { checkDeadline } from './functions.ts';

/** Rows that the term index finds, as plain data: it is sent to a query thread. */
export interface TermLookup {
  readonly projectKey: string;
  /** Rows by the current projection; with a staged one, resources that have it are found by that. */
  readonly current: RowExpression;
  readonly staged?: RowExpression | undefined;
}

/** A set of rows of one projection. */
export type RowExpression = TermExpression | RangeExpression;

/** The rows with a term in a range, but for those of another expression. */
export interface RangeExpression {
  readonly kind: 'ranges';
  readonly ranges: readonly TermRange[];
  readonly or?: readonly RowExpression[];
  readonly without?: TermExpression;
}

/** The terms between two ends, which are written without the head of project and projection. */
export interface TermRange {
  readonly from: string;
  /** `from` itself is excluded. */
  readonly after?: boolean;
  readonly to: string;
  /** `to` itself is included; otherwise it is excluded. */
  readonly through?: boolean;
  /** Only keys of plain texts, not of instants. */
  readonly plainTexts?: boolean;
}

/** All terms of a path whose end begins with a letter. */
export function wholeRange(path: string, kind: string): TermRange {
  return { from: `${path}|${kind}`, to: `${path}|${String.fromCharCode(kind.charCodeAt(0) + 1)}` };
}

/** All terms of a path: a document with one of them has the path. */
export function presenceRange(path: string): TermRange {
  return { from: `${path}|`, to: `${path}}` };
}

/** A lookup of an expression in the projections of a query. */
export function lookupOf(
  { projectKey, staged }: { readonly projectKey: string; readonly staged: boolean },
  compile: (projection: Projection) => RowExpression,
): TermLookup {
  return { projectKey, current: compile('c'), staged: staged ? compile('s') : undefined };
}

/** The rows of a lookup in the open snapshot, ascending. Not to be changed. */
export function rowsOfLookup(db: DatabaseSync, lookup: TermLookup): Uint32Array {
  return evaluate(db, lookup, Number.POSITIVE_INFINITY)!;
}

/** As `rowsOfLookup`, but returns undefined if it would read more than `most` range entries. */
export function fewRowsOfLookup(db: DatabaseSync, lookup: TermLookup, most: number): Uint32Array | undefined {
  return evaluate(db, lookup, most);
}

function evaluate(db: DatabaseSync, { projectKey, current, staged }: TermLookup, most: number) {
  const reader = openTermReader(db);
  const ofProjection = (projection: Projection, expression: RowExpression) =>
    new Evaluation(db, reader, projectKey, projection, most).rowsOf(expression);
  const rows = ofProjection('c', current);
  if (!staged || !rows) return rows;
  const own = ofProjection('s', staged);
  const [hasStaged = noRows] = reader.read([projectionTerm(projectKey, 's')]);
  return own && union([without(rows, hasStaged), own]);
}

/** Evaluates expressions by set operations over the rows of their terms. */
class Evaluation {
  readonly #db: DatabaseSync;
  readonly #reader: TermReader;
  readonly #projectKey: string;
  readonly #projection: Projection;
  /** Entries of ranges that may still be read. */
  #entriesLeft: number;
  readonly #rows = new Map<string, Uint32Array>();

  constructor(db: DatabaseSync, reader: TermReader, projectKey: string, projection: Projection, most: number) {
    this.#db = db;
    this.#reader = reader;
    this.#projectKey = projectKey;
    this.#projection = projection;
    this.#entriesLeft = most;
  }

  /** Undefined where ranges have more entries than may be read. */
  rowsOf(expression: RowExpression): Uint32Array | undefined {
    if (expression.kind === 'ranges') return this.#inRanges(expression);
    this.#load(expression);
    return this.#of(expression);
  }

  #inRanges({ ranges, or = [], without: others }: RangeExpression): Uint32Array | undefined {
    const found: Uint32Array[] = [];
    for (const range of ranges) {
      const [from, to] = endsOf(this.#projectKey, this.#projection, range);
      const ending = range.plainTexts ? textMarks.string : undefined;
      const rows = this.#reader.readRowsIn(from, to, ending, this.#entriesLeft, () => checkDeadline(this.#db));
      if (!rows) return undefined;
      this.#entriesLeft -= rows.length;
      found.push(rows);
    }
    const beside = or.map((each) => this.rowsOf(each));
    if (!beside.every((rows) => rows !== undefined)) return undefined;
    const all = union(found);
    return union([others ? without(all, this.rowsOf(others)!) : all, ...beside]);
  }

  /** Reads all terms of an expression together. */
  #load(expression: TermExpression): void {
    const terms = [...plainTerms(expression)];
    for (let from = 0; from < terms.length; from += termsAtOnce) {
      if (from > 0) checkDeadline(this.#db);
      const some = terms.slice(from, from + termsAtOnce);
      for (const [at, rows] of this.#reader.read(some).entries()) this.#rows.set(some[at]!, rows);
    }
  }

  #of(expression: TermExpression): Uint32Array {
    switch (expression.kind) {
      case 'constant':
        return expression.value ? this.#all() : noRows;
      case 'term':
        return expression.prefix ? this.#beginning(expression.term) : this.#rows.get(expression.term)!;
      case 'or':
        return union(expression.of.map((each) => this.#of(each)));
      case 'not':
        return without(this.#all(), this.#of(expression.of));
      case 'and': {
        const positive = expression.of.filter((each) => each.kind !== 'not').map((each) => this.#of(each));
        const negated = expression.of.flatMap((each) => (each.kind === 'not' ? [this.#of(each.of)] : []));
        const from = positive.length === 0 ? this.#all() : intersect(positive);
        return negated.length === 0 ? from : without(from, union(negated));
      }
      default:
        return expression satisfies never;
    }
  }

  #all(): Uint32Array {
    return this.#reader.read([projectionTerm(this.#projectKey, this.#projection)])[0]!;
  }

  #beginning(term: string): Uint32Array {
    return this.#reader.readAllOf(term, () => checkDeadline(this.#db));
  }
}

/** Terms that are read between two looks at the deadline. */
const termsAtOnce = 64;

function* plainTerms(expression: TermExpression): Generator<string> {
  if (expression.kind === 'term' && !expression.prefix) yield expression.term;
  else if (expression.kind === 'not') yield* plainTerms(expression.of);
  else if (expression.kind === 'and' || expression.kind === 'or')
    for (const each of expression.of) yield* plainTerms(each);
}

/** Entries of a range that are read together: at first, and then. */
const [firstEntries, moreEntries] = [64, 4096];

/** From which term a range is, to below which one. */
function endsOf(
  projectKey: string,
  projection: Projection,
  { from, after = false, to, through = false }: TermRange,
): readonly [from: string, to: string] {
  const head = termHead(projectKey, projection);
  // Behind a term this character means “and the one itself”: no term has it.
  return [head + from + (after ? '\0' : ''), head + to + (through ? '\0' : '')];
}

/** A term without the head of project and projection, and its rows. */
export type TermEntry = readonly [end: string, rows: Uint32Array];

/** The terms of a range in their order, some at a time. */
export function* entriesInRange(
  db: DatabaseSync,
  projectKey: string,
  projection: Projection,
  range: TermRange,
): Generator<TermEntry> {
  const reader = openTermReader(db);
  const head = termHead(projectKey, projection);
  const [from, until] = endsOf(projectKey, projection, range);
  let next: string | undefined = from;
  for (let most = firstEntries; next !== undefined; most = moreEntries) {
    const some: TermEntry[] = [];
    const last = reader.readRange(next, until, most, (term, rows) => some.push([term.slice(head.length), rows]));
    checkDeadline(db);
    for (const entry of some) if (!range.plainTexts || entry[0].endsWith(textMarks.string)) yield entry;
    next = last && `${last}\0`;
  }
}

/** True if some document has a term in one of the ranges, in a projection of the query. */
export function hasEntries(
  db: DatabaseSync,
  { projectKey, staged }: { readonly projectKey: string; readonly staged: boolean },
  ranges: readonly TermRange[],
): boolean {
  const projections: readonly Projection[] = staged ? ['c', 's'] : ['c'];
  return ranges.some((range) =>
    projections.some((projection) => entriesInRange(db, projectKey, projection, range).next().done !== true),
  );
}
