import type { DatabaseSync } from 'node:sqlite';
import { behind, type TermExpression, type TermRange } from '../plan/term-expression.ts';
import { intersect, noRows, union, without } from '../terms/row-sets.ts';
import { type Projection, projectionTerm, termHead, textMarks } from '../terms/term-encoding.ts';
import { openTermReader, type TermReader } from '../terms/term-reader.ts';
import { checkDeadline } from './functions.ts';

/** Rows that the term index finds, as plain data. */
export interface TermLookup {
  readonly projectKey: string;
  /** Rows by the current projection; with a staged one, resources that have it are found by that. */
  readonly current: TermExpression;
  readonly staged?: TermExpression | undefined;
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
  compile: (projection: Projection) => TermExpression,
): TermLookup {
  return { projectKey, current: compile('c'), staged: staged ? compile('s') : undefined };
}

/** The rows of a lookup in the open snapshot, ascending. Not to be changed. */
export function rowsOfLookup(db: DatabaseSync, lookup: TermLookup): Uint32Array {
  return fewRowsOfLookup(db, lookup, Number.POSITIVE_INFINITY)!;
}

/** An expression has more entries in ranges than may be read. */
class TooManyEntries extends Error {}

/** As `rowsOfLookup`, but returns undefined if it would read more than `most` range entries. */
export function fewRowsOfLookup(
  db: DatabaseSync,
  { projectKey, current, staged }: TermLookup,
  most: number,
): Uint32Array | undefined {
  const reader = openTermReader(db);
  const ofProjection = (projection: Projection, expression: TermExpression) =>
    new Evaluation(db, reader, projectKey, projection, most).rowsOf(expression);
  try {
    const rows = ofProjection('c', current);
    if (!staged) return rows;
    const own = ofProjection('s', staged);
    const [hasStaged = noRows] = reader.read([projectionTerm(projectKey, 's')]);
    return union([without(rows, hasStaged), own]);
  } catch (error) {
    if (error instanceof TooManyEntries) return undefined;
    throw error;
  }
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

  /** Throws `TooManyEntries`. */
  rowsOf(expression: TermExpression): Uint32Array {
    this.#load(expression);
    return this.#of(expression);
  }

  #inRange(range: TermRange): Uint32Array {
    const head = termHead(this.#projectKey, this.#projection);
    const ending = range.plainTexts ? textMarks.string : undefined;
    const check = () => checkDeadline(this.#db);
    const rows = this.#reader.readRowsIn(head + range.from, head + range.to, ending, this.#entriesLeft, check);
    if (!rows) throw new TooManyEntries();
    this.#entriesLeft -= rows.length;
    return rows;
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
      case 'range':
        return this.#inRange(expression.range);
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
  const until = head + range.to;
  let next: string | undefined = head + range.from;
  for (let most = firstEntries; next !== undefined; most = moreEntries) {
    const some: TermEntry[] = [];
    const last = reader.readRange(next, until, most, (term, rows) => some.push([term.slice(head.length), rows]));
    checkDeadline(db);
    for (const entry of some) if (!range.plainTexts || entry[0].endsWith(textMarks.string)) yield entry;
    next = last && last + behind;
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
