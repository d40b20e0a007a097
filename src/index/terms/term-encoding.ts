import { hash } from 'node:crypto';
import type { Path } from '../../domain/predicate/ast.ts';
import type { Scalar } from '../../domain/predicate/scalar.ts';
import { numberKey } from './order-key.ts';
import { type OrderedPaths, orderedPathsOf } from './ordered-paths.ts';

/**
 * The encoding of index terms: `<project>|<c or s>|<path>|<kind><value>`, in UTF-8. What has a meaning in a term is escaped in texts: `%hh`. No two
 * things have the same encoding.
 */
export type Projection = 'c' | 's';

/**
 * What follows a path in its terms, by the first letter. The value of a scalar: `n` number and `t` instant, in an
 * order-preserving encoding, `s` string, `b` boolean. Facts: `o` an object or array is among the values, `e` an array
 * without values, `m` there may be several values (not recorded for strings and booleans alone), `r` a number occurs
 * more than once. Of paths whose texts are kept in order also: `u` the key of each text, `v` there is a scalar, `d` the
 * greatest scalar in descending order.
 */
export type PathFact = 'o' | 'e' | 'm' | 'r' | 'v';

/** Ends the `u` term of a plain text and of an instant; both sort before any digit, and so before any continuation. */
export const textMarks = { string: '+', instant: '-' } as const;

/** Longer strings, and longer paths, are replaced by a digest: an index needs no prose. */
const maxStringLength = 64;
const maxPathLength = 160;

/**
 * `|` separates the parts of a term, `*` begins a digest, and `\0` is the end of a range (`endsOf`). Half a surrogate pair has no UTF-8: all such halves would
 * become one replacement character.
 */
const special = /[\0%*|\ud800-\udfff]/;
const escapedOnes = /[\0%*|]|\p{Surrogate}/gu;

/** The term of every document of a project that has the projection. A document has `s` where something is staged. */
export function projectionTerm(projectKey: string, projection: Projection): string {
  return `${escapeText(projectKey)}|${projection}`;
}

/** The beginning of all terms of a project's projection, to be followed by a path. */
export function termHead(projectKey: string, projection: Projection): string {
  return `${escapeText(projectKey)}|${projection}|`;
}

/** The encoding of a path of names. */
export function encodePath(path: Path): string {
  return path.reduce(encodeMember, '');
}

/** The encoding of a path that is one name longer; `parent` is '' at the document itself. */
export function encodeMember(parent: string, name: string): string {
  const escaped = escapeText(name);
  // An empty name is a name too, and must not look like the document itself.
  const own = escaped === '' ? '%-' : escaped.replaceAll('.', '%2e');
  const path = parent === '' ? own : `${parent}.${own}`;
  return path.length > maxPathLength ? `*${digest(path)}` : path;
}

/** The end of the term of a scalar. */
export function encodeScalar(scalar: Scalar): string {
  switch (scalar.type) {
    case 'string':
      return encodeString(scalar.value);
    case 'instant':
      return `t${escapeText(scalar.value)}`;
    case 'number':
      return `n${numberKey(scalar.value)}`;
    case 'boolean':
      return scalar.value ? 'b1' : 'b0';
    default:
      return scalar satisfies never;
  }
}

/** The end of the term of a string that is no instant. */
export function encodeString(text: string): string {
  return text.length > maxStringLength ? `s*${digest(text)}` : `s${escapeText(text)}`;
}

/** Escapes a text to be part of a term. */
export function escapeText(text: string): string {
  if (!special.test(text)) return text;
  return text.replaceAll(escapedOnes, (one) => {
    const code = one.charCodeAt(0);
    return code < 128 ? `%${code.toString(16).padStart(2, '0')}` : `%u${code.toString(16)}`;
  });
}

/** The inverse of `escapeText`. */
export function unescapeText(escaped: string): string {
  if (!escaped.includes('%')) return escaped;
  return escaped.replaceAll(/%u(....)|%(..)/g, (_all, unit?: string, byte?: string) =>
    String.fromCharCode(Number.parseInt(unit ?? byte!, 16)),
  );
}

/** 128 bits of SHA-256. */
function digest(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 32);
}

/** A path in its encoding. Documents repeat their paths, so each is encoded once and cached. */
export interface EncodedPath {
  /** The beginning of the path's terms, to be followed by a fact or a scalar. */
  readonly prefix: string;
  /** Its texts are kept in order as well. */
  readonly isOrdered: boolean;
  /** The path that is one name longer. */
  member(name: string): EncodedPath;
}

/** Paths cached over all projects. A tree of maps, since a path is looked up name by name; dropped as a whole. */
const maxCachedPaths = 20_000;

let roots = new WeakMap<readonly string[], Map<string, EncodedPath>>();
let cachedPaths = 0;

/** The document itself, in a projection of a project. */
export function encodedRoot(projectKey: string, projection: Projection, declaredPaths: readonly string[]): EncodedPath {
  if (cachedPaths > maxCachedPaths) {
    roots = new WeakMap();
    cachedPaths = 0;
  }
  const ofProjects = roots.get(declaredPaths) ?? new Map<string, EncodedPath>();
  roots.set(declaredPaths, ofProjects);
  const name = projection + projectKey;
  const cached = ofProjects.get(name);
  if (cached) return cached;
  const created = createPath(termHead(projectKey, projection), '', orderedPathsOf(declaredPaths));
  ofProjects.set(name, created);
  cachedPaths += 1;
  return created;
}

function createPath(head: string, path: string, ordered: OrderedPaths | undefined): EncodedPath {
  const members = new Map<string, EncodedPath>();
  return {
    prefix: `${head}${path}|`,
    isOrdered: ordered?.isOrdered === true,
    member(name) {
      const cached = members.get(name);
      if (cached) return cached;
      const created = createPath(head, encodeMember(path, name), ordered?.members.get(name));
      // One document may have many more names than are worth caching.
      if (cachedPaths <= maxCachedPaths) members.set(name, created);
      cachedPaths += 1;
      return created;
    },
  };
}
