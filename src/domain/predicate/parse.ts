import { malformedParameter } from '../../contract/errors.ts';
import { index, noIndex, readPathSteps } from '../json/path-syntax.ts';
import { type Comparison, containing, type Literal, type Path, type Predicate } from './ast.ts';
import { type Cursor, createCursor, keyword } from './cursor.ts';
import { readDouble, readList, readString, readValue, readValues, type ValueOptions } from './literals.ts';

/** UTF-8 bytes of a predicate's text: enough for 500 ids in a list. In a URL less fits. */
export const maxPredicateBytes = 32_768;
/** Groups, negations, embedded predicates and the further names of dotted paths inside one another. */
export const maxPredicateDepth = 32;
/** Conditions of a predicate. */
export const maxPredicateTerms = 200;

export interface ParseOptions {
  /**
   * Texts of the input variables by name (`var.x=1` is `x`); several where one was repeated. Undefined for a predicate that is
   * kept, which can have none.
   */
  readonly variables: ReadonlyMap<string, readonly string[]> | undefined;
  /** Name of the parameter in errors; default: `where`. */
  readonly parameter?: string;
  /** Takes a word without quotes as a text, as search filters do (decision 23). */
  readonly bareWords?: boolean;
}

interface Parser {
  readonly cursor: Cursor;
  readonly values: ValueOptions;
  terms: number;
}

const comparison = /<>|!=|>=|<=|=|<|>/y;
// Followed by an operator, `not` is a field of that name.
const not = /not(?![-\w.])(?!\s*[=<>!])/iy;
const beginsLiteral = /"|:|(?:true|false|-?[0-9][-+.\w]*)\s+(?:not\s+)?in\s+(?![(:])/iy;

/** Parses the text of a predicate (decision 15). Throws `ServiceError` InvalidInput that shows the position. */
export function parsePredicate(text: string, options: ParseOptions): Predicate {
  const { variables, parameter = 'where', bareWords = false } = options;
  if (Buffer.byteLength(text) > maxPredicateBytes) {
    throw malformedParameter(parameter, `A predicate may have ${maxPredicateBytes} bytes at most.`);
  }
  if (!text.isWellFormed()) throw malformedParameter(parameter, 'The predicate holds half of a surrogate pair.');
  const cursor = createCursor(text, parameter);
  const predicate = readOr({ cursor, values: { variables, bareWords }, terms: 0 }, 1);
  if (!cursor.sees(/$/y)) throw cursor.expected("'and', 'or' or the end");
  return readStagedFlag(predicate);
}

const keywords = {
  and: keyword('and'),
  or: keyword('or'),
  not: keyword('not'),
  in: keyword('in'),
  notIn: keyword('not in'),
  contains: keyword('contains'),
  all: keyword('all'),
  any: keyword('any'),
  is: keyword('is'),
  empty: keyword('empty'),
  defined: keyword('defined'),
  within: keyword('within'),
  circle: keyword('circle'),
  matchesIgnoreCase: keyword('matches ignore case'),
} as const;

function readOr(parser: Parser, depth: number): Predicate {
  const of = [readAnd(parser, depth)];
  while (parser.cursor.take(keywords.or) !== undefined) of.push(readAnd(parser, depth));
  return of.length === 1 ? of[0]! : { kind: 'or', of };
}

function readAnd(parser: Parser, depth: number): Predicate {
  const of = [readUnary(parser, depth)];
  while (parser.cursor.take(keywords.and) !== undefined) of.push(readUnary(parser, depth));
  return of.length === 1 ? of[0]! : { kind: 'and', of };
}

function readUnary(parser: Parser, depth: number): Predicate {
  const { cursor } = parser;
  checkDepth(cursor, depth);
  if (cursor.take(not) !== undefined) {
    return { kind: 'not', of: cursor.sees(/\(/y) ? readGroup(parser, depth) : readUnary(parser, depth + 1) };
  }
  if (cursor.sees(/\(/y)) return readGroup(parser, depth);
  parser.terms += 1;
  if (parser.terms > maxPredicateTerms) {
    throw cursor.refused(`A predicate may have ${maxPredicateTerms} conditions at most`, cursor.position());
  }
  return cursor.sees(beginsLiteral) ? readLiteralInPath(parser, depth) : readCondition(parser, depth);
}

function readGroup(parser: Parser, depth: number): Predicate {
  const { cursor } = parser;
  if (cursor.take(/\(/y) === undefined) throw cursor.expected("'('");
  const inner = readOr(parser, depth + 1);
  if (cursor.take(/\)/y) === undefined) throw cursor.expected("'and', 'or' or ')'");
  return inner;
}

function checkDepth(cursor: Cursor, depth: number): void {
  if (depth <= maxPredicateDepth) return;
  throw cursor.refused(`A predicate may be nested ${maxPredicateDepth} levels deep at most`, cursor.position());
}

/** `6 in arrayOfIntExample`: the path has the value. */
function readLiteralInPath(parser: Parser, depth: number): Predicate {
  const { cursor } = parser;
  const values = readValues(cursor, { ...parser.values, bareWords: false });
  const negated = cursor.take(keywords.notIn) !== undefined;
  if (!negated && cursor.take(keywords.in) === undefined) throw cursor.expected("'in' and a field");
  const has: Predicate = { kind: 'in', path: readPath(parser.cursor, depth), values };
  return negated ? { kind: 'not', of: has } : has;
}

/**
 * Reads a dotted path; names of other characters than letters, digits, `-` and `_` stand in backticks, and so does the
 * empty one.
 */
export function readPath(cursor: Cursor, depth = 1): Path {
  const names = readPathSteps(cursor.take, { names: 'word' }) as Path | undefined;
  if (names === undefined) {
    throw cursor.expected("a field (letters, digits, '-' and '_'; any other name in backticks)");
  }
  if (cursor.sees(index))
    throw cursor.refused(`${noIndex.charAt(0).toUpperCase()}${noIndex.slice(1)}`, cursor.position());
  checkDepth(cursor, depth + names.length - 1);
  return names;
}

function readCondition(parser: Parser, depth: number): Predicate {
  const { cursor, values } = parser;
  const path = readPath(parser.cursor, depth);
  const op = cursor.take(comparison);
  if (op !== undefined)
    return { kind: 'compare', path, op: op === '<>' ? '!=' : (op as Comparison), value: readValue(cursor, values) };
  if (cursor.sees(/\(/y)) {
    return { kind: 'embedded', path, of: readGroup(parser, depth + path.length - 1) };
  }
  if (cursor.take(keywords.in) !== undefined) return { kind: 'in', path, values: readList(cursor, values) };
  if (cursor.take(keywords.notIn) !== undefined) {
    return { kind: 'not', of: { kind: 'in', path, values: readList(cursor, values) } };
  }
  if (cursor.take(keywords.contains) !== undefined) return readContains(parser, path);
  if (cursor.take(keywords.is) !== undefined) return readIs(parser, path);
  if (cursor.take(keywords.within) !== undefined) return readCircle(parser, path);
  if (cursor.take(keywords.matchesIgnoreCase) !== undefined) return readMatches(parser, path);
  throw cursor.expected(
    "an operator: = != <> < <= > >= in, not in, contains all, contains any, is, within circle, matches ignore case or '('",
  );
}

function readContains({ cursor, values }: Parser, path: Path): Predicate {
  const mode = cursor.take(keywords.all) ? 'all' : cursor.take(keywords.any) ? 'any' : undefined;
  if (!mode) throw cursor.expected("'all' or 'any'");
  return containing(path, mode, readList(cursor, values));
}

function readIs({ cursor }: Parser, path: Path): Predicate {
  const negated = cursor.take(keywords.not) !== undefined;
  const kind = cursor.take(keywords.empty) ? 'empty' : cursor.take(keywords.defined) ? 'defined' : undefined;
  if (!kind) throw cursor.expected(negated ? "'empty' or 'defined'" : "'empty', 'defined' or 'not'");
  return negated ? { kind: 'not', of: { kind, path } } : { kind, path };
}

function readCircle({ cursor, values }: Parser, path: Path): Predicate {
  const punctuation = (sign: RegExp, what: string) => {
    if (cursor.take(sign) === undefined) throw cursor.expected(what);
  };
  const bounded = (what: string, least: number, greatest: number) => {
    const position = cursor.position();
    const value = readDouble(cursor, values, what);
    if (value < least || value > greatest) throw cursor.expected(what, position);
    return value;
  };
  if (cursor.take(keywords.circle) === undefined) throw cursor.expected("'circle'");
  punctuation(/\(/y, "'('");
  const longitude = bounded('a longitude from -180 to 180', -180, 180);
  punctuation(/,/y, "','");
  const latitude = bounded('a latitude from -90 to 90', -90, 90);
  punctuation(/,/y, "','");
  const radiusMetres = bounded('a radius in metres, 0 or more', 0, Number.MAX_VALUE);
  punctuation(/\)/y, "')'");
  return { kind: 'circle', path, longitude, latitude, radiusMetres };
}

function readMatches({ cursor, values }: Parser, path: Path): Predicate {
  const position = cursor.position();
  const value = cursor.sees(/"/y) ? { type: 'string' as const, value: readString(cursor)! } : readValue(cursor, values);
  if (value.type === 'string' || value.type === 'untyped')
    return { kind: 'matchesIgnoreCase', path, value: value.value };
  throw cursor.expected('a text in double quotes or a variable (:name)', position);
}

/**
 * Resources with staged changes say so (`hasStagedChanges: true`), others have no such field. A condition that asks for
 * `false` means those, so it becomes a negation of `true`; otherwise it could hold of nothing.
 */
export function readStagedFlag(predicate: Predicate): Predicate {
  switch (predicate.kind) {
    case 'and':
    case 'or':
      return { kind: predicate.kind, of: predicate.of.map(readStagedFlag) };
    case 'not':
      return { kind: 'not', of: readStagedFlag(predicate.of) };
    case 'compare': {
      const { path, op, value } = predicate;
      if (!isFlag(path) || !isFalse(value) || (op !== '=' && op !== '!=')) return predicate;
      return op === '=' ? { kind: 'not', of: isStaged(path) } : isStaged(path);
    }
    case 'in': {
      const { path, values } = predicate;
      if (!isFlag(path) || !values.some(isFalse)) return predicate;
      const others = values.filter((value) => !isFalse(value));
      const isNotStaged: Predicate = { kind: 'not', of: isStaged(path) };
      return others.length === 0
        ? isNotStaged
        : { kind: 'or', of: [{ kind: 'in', path, values: others }, isNotStaged] };
    }
    default:
      return predicate;
  }
}

const isFlag = (path: Path) => path.length === 1 && path[0] === 'hasStagedChanges';

const isFalse = ({ type, value }: Literal) =>
  (type === 'boolean' && value === false) || (type === 'untyped' && value === 'false');

function isStaged(path: Path): Predicate {
  return { kind: 'compare', path, op: '=', value: { type: 'boolean', value: true } };
}
