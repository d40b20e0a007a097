import type { Path } from '../../../domain/predicate/ast.ts';
import { arrayTestNames, isSamePath } from '../../../domain/predicate/path.ts';
import { valueClass } from '../../../index/terms/order-key.ts';
import { bothForms, isOrderedPath } from '../../../index/terms/ordered-paths.ts';
import { encodePath, type Projection } from '../../../index/terms/term-encoding.ts';

/**
 * What follows a path in an entry: the least value of a document (`a`) and the greatest (`z`), each as its class and a
 * key whose bytes are in the order of the values; or the one that is both (`v`). A path with values of several classes
 * also has the least of each other class (`b`) and the greatest (`y`), since a range is within one class.
 */
export const endMarks = { only: 'v', least: 'a', otherLeast: 'b', greatest: 'z', otherGreatest: 'y' } as const;

/** The class of documents without a value, after all others (decision 16). Only declared paths have it. */
export const missingClass = '3';

/** The entry of a declared path for a document that may have several values there. */
export const severalEntry = 'm';

/** Lowest and highest key of each class of one path. */
type Extremes = Map<string, { least: string; greatest: string }>;

/**
 * The entries of a resource, from its index terms. A `v` term marks a path that has entries. `heads` are the beginnings
 * of the terms of each projection.
 */
export function orderedEntries(
  terms: readonly string[],
  heads: readonly (readonly [Projection, string])[],
  declaredPaths: readonly string[],
): readonly string[] {
  const ordered = new Map<string, Extremes>();
  const several = new Set<string>();
  for (const term of terms) {
    if (term.endsWith('|v')) ordered.set(term.slice(0, -1), new Map());
    else if (term.endsWith(`|${severalEntry}`)) several.add(term.slice(0, -1));
  }
  if (ordered.size > 0) for (const term of terms) gather(ordered, term);
  const entries: string[] = [];
  const declared = encodedForms(declaredPaths);
  for (const [projection, head] of heads) {
    for (const [prefix, extremes] of ordered) {
      if (prefix.startsWith(head)) addEnds(`${projection}|${prefix.slice(head.length)}`, extremes, entries);
    }
    for (const path of declared) {
      const prefix = `${head}${path}|`;
      if (several.has(prefix)) entries.push(`${projection}|${path}|${severalEntry}`);
    }
    if (projection === 'c') addMissing(ordered, head, declaredPaths, entries);
  }
  return entries;
}

/** Entries of the declared paths that a document has no value at, so that a sort by them needs nothing else. */
function addMissing(
  ordered: ReadonlyMap<string, Extremes>,
  head: string,
  declaredPaths: readonly string[],
  entries: string[],
): void {
  for (const path of declaredPaths) {
    const encoded = encodeDeclared(path);
    if (ordered.has(`${head}${encoded}|`) || arrayTestNames.has(path.split('.', 1)[0]!)) continue;
    entries.push(`c|${encoded}|${endMarks.only}${missingClass}`);
  }
}

const encodedLists = new WeakMap<readonly string[], readonly string[]>();

/** Both forms of declared paths as entries have them, without the paths that are in order anyway. */
export function encodedForms(declaredPaths: readonly string[]): readonly string[] {
  const known = encodedLists.get(declaredPaths);
  if (known) return known;
  const forms = declaredPaths.flatMap((path) => bothForms(path.split('.')));
  const encoded = [...new Set(forms.filter((form) => !isFixedPath(form)).map(encodePath))];
  encodedLists.set(declaredPaths, encoded);
  return encoded;
}

/** True for paths that have entries whatever is declared. */
export function isFixedPath(path: Path): boolean {
  return isOrderedPath(path, noPaths);
}

/** No declared paths: one object, since what is derived from a list of paths is cached by it. */
export const noPaths: readonly string[] = [];

/** True if a path has entries that a query may use. `usable`: the declared paths that have, or undefined for no path. */
export function hasEntries(path: Path, usable: readonly string[] | undefined): boolean {
  return usable !== undefined && isOrderedPath(path, usable);
}

/** True if documents without a value at the path have an entry as well: those of paths that fall through have none. */
export function hasMissingEntries(path: Path, declaredPaths: readonly string[]): boolean {
  if (arrayTestNames.has(path[0]!)) return false;
  return declaredPaths.some((declared) => isSamePath(declared.split('.'), path));
}

function gather(ordered: Map<string, Extremes>, term: string): void {
  const bar = term.lastIndexOf('|') + 1;
  // Before the path, which takes longer to look up.
  if (!keyKinds.has(term[bar])) return;
  const extremes = ordered.get(term.slice(0, bar));
  const key = extremes && classAndKey(term.slice(bar));
  if (!key) return;
  const [cls, value] = key;
  const known = extremes.get(cls);
  if (!known) extremes.set(cls, { least: value, greatest: value });
  else if (value < known.least) known.least = value;
  else if (value > known.greatest) known.greatest = value;
}

/** Kinds of terms that have a key. */
const keyKinds: ReadonlySet<string | undefined> = new Set(['n', 'u', 'b']);

/** The key of a text or an instant is in the `u` term, with a mark of the type at its end. */
function classAndKey(end: string): readonly [string, string] | undefined {
  switch (end.charAt(0)) {
    case 'n':
      return [valueClass.number, end.slice(1)];
    case 'u':
      return [valueClass.text, end.slice(1, -1)];
    case 'b':
      return [valueClass.boolean, end.slice(1)];
    default:
      return undefined;
  }
}

function addEnds(prefix: string, extremes: Extremes, entries: string[]): void {
  const classes = [...extremes.keys()].sort();
  const [cls] = classes;
  const first = cls === undefined ? undefined : extremes.get(cls)!;
  if (classes.length === 1 && first!.least === first!.greatest) {
    entries.push(`${prefix}${endMarks.only}${cls}${first!.least}`);
    return;
  }
  for (const [at, cls] of classes.entries()) {
    const { least, greatest } = extremes.get(cls)!;
    entries.push(`${prefix}${at === 0 ? endMarks.least : endMarks.otherLeast}${cls}${least}`);
    const isLast = at === classes.length - 1;
    entries.push(`${prefix}${isLast ? endMarks.greatest : endMarks.otherGreatest}${cls}${greatest}`);
  }
}

const encodedPaths = new Map<string, string>();

/** Declared paths as entries have them. */
export function encodedDeclared(paths: readonly string[]): readonly string[] {
  return paths.map(encodeDeclared);
}

function encodeDeclared(path: string): string {
  const known = encodedPaths.get(path) ?? encodePath(path.split('.'));
  encodedPaths.set(path, known);
  return known;
}
