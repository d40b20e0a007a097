import { type Literal, type Path, type Predicate, pathsOf } from '../../predicate/ast.ts';
import { type Cursor, keyword } from '../../predicate/cursor.ts';
import { parsePredicate, readPath, readStagedFlag } from '../../predicate/parse.ts';
import {
  beginsValue,
  expectEnd,
  openExpression,
  readBound,
  readListed,
  readLiterals,
  readNodes,
  readRanges,
  type Variables,
} from './expression.ts';
import { type FacetFilter, levelSeparator } from './query.ts';

const exists = keyword('exists');
const missing = keyword('missing');
const range = keyword('range');
const subtree = keyword('subtree');
/** Beyond every character. */
const lastCharacter = '\u{10ffff}';
const beginsName = /[-_A-Za-z0-9`]/y;

/**
 * Parses one filter of a search (decision 23): values, ranges, `exists` or `missing` after a path and a colon; paths
 * alone, which must all exist; or a predicate. Throws `ServiceError` InvalidInput that shows the position.
 */
export function parseFilter(text: string, parameter: string, variables: Variables = new Map()): FacetFilter {
  const predicate = parseOwnForm(openExpression(text, parameter), variables);
  return withPaths(
    predicate ? readStagedFlag(predicate) : parsePredicate(text, { variables, parameter, bareWords: true }),
  );
}

/** A filter in its own grammar; undefined where the text can only be a predicate. */
function parseOwnForm(cursor: Cursor, variables: Variables): Predicate | undefined {
  if (!cursor.sees(beginsName)) return undefined;
  const path = readPath(cursor);
  if (cursor.take(/:/y) !== undefined) return readCondition(cursor, path, variables);
  if (cursor.sees(/$/y)) return valueExists(path);
  if (cursor.take(/,/y) === undefined) return undefined;
  const others = readListed(cursor, () => [readPath(cursor)]);
  expectEnd(cursor, "',' and another field, or the end");
  return { kind: 'and', of: [path, ...others].map(valueExists) };
}

function readCondition(cursor: Cursor, path: Path, variables: Variables): Predicate {
  const predicate = readAbout(cursor, path, variables);
  const isList = predicate.kind === 'in' || predicate.kind === 'within';
  expectEnd(cursor, isList ? "',' or the end" : 'the end');
  return predicate;
}

function readAbout(cursor: Cursor, path: Path, variables: Variables): Predicate {
  if (cursor.take(exists) !== undefined) return valueExists(path);
  if (cursor.take(missing) !== undefined) return { kind: 'empty', path };
  if (cursor.take(range) !== undefined) return readWithin(cursor, path);
  if (cursor.take(subtree) !== undefined) return readSubtree(cursor, path);
  if (cursor.sees(beginsValue)) return { kind: 'in', path, values: readLiterals(cursor, variables) };
  throw cursor.expected(
    "values (texts in double quotes, numbers, true, false), 'range', 'subtree', 'exists' or 'missing'",
  );
}

/** A range that is open at both ends is any value: `exists`. */
function readWithin(cursor: Cursor, path: Path): Predicate {
  const what = "a number, a text or date in double quotes, or '*'";
  const ranges = readRanges(cursor, () => readBound(cursor, what)).map(({ from, to }) => ({ from, to }));
  const isOpen = ranges.some(({ from, to }) => from === undefined && to === undefined);
  return isOpen ? valueExists(path) : { kind: 'within', path, ranges };
}

/** A category or one below it: `subtree("clothing > shoes")`. */
function readSubtree(cursor: Cursor, path: Path): Predicate {
  const of = readNodes(cursor).map((node): Predicate => {
    const ranges = [{ from: node + levelSeparator, to: node + levelSeparator + lastCharacter }];
    const text = (value: string): Literal => ({ type: 'string', value });
    const below = ranges.map(({ from, to }) => ({ from: text(from), to: text(to) }));
    return {
      kind: 'or',
      of: [
        { kind: 'in', path, values: [text(node)] },
        { kind: 'within', path, ranges: below },
      ],
    };
  });
  return of.length === 1 ? of[0]! : { kind: 'or', of };
}

function valueExists(path: Path): Predicate {
  return { kind: 'not', of: { kind: 'empty', path } };
}

function withPaths(predicate: Predicate): FacetFilter {
  const paths = new Map(pathsOf(predicate).map(({ path }) => [JSON.stringify(path), path]));
  return { paths: [...paths.values()], predicate };
}
