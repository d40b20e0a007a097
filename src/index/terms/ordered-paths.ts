import type { Path } from '../../domain/predicate/ast.ts';
import { arrayTestField, arrayTestNames } from '../../domain/predicate/path.ts';

/** Paths whose texts are kept in order as well, as a tree by name. Numbers and instants are in order on every path. */
export interface OrderedPaths {
  readonly isOrdered: boolean;
  readonly members: ReadonlyMap<string, OrderedPaths>;
}

interface OrderedPathsInProgress extends OrderedPaths {
  isOrdered: boolean;
  readonly members: Map<string, OrderedPathsInProgress>;
}

const builtIn = [
  ...[...arrayTestNames].filter((name) => name !== 'arrayOfObjectType'),
  'arrayOfObjectType.integerExample',
  'arrayOfObjectType.integerExampleInt32',
];

const known = new WeakMap<readonly string[], OrderedPaths>();

/** The ordered paths: the declared ones and those of ArrayTestType, all in both forms (decision 15). */
export function orderedPathsOf(declaredPaths: readonly string[]): OrderedPaths {
  const found = known.get(declaredPaths);
  if (found) return found;
  const root: OrderedPathsInProgress = { isOrdered: false, members: new Map() };
  for (const names of [...builtIn, ...declaredPaths].flatMap((text) => bothForms(text.split('.')))) {
    let node = root;
    for (const name of names) {
      const next = node.members.get(name) ?? { isOrdered: false, members: new Map() };
      node.members.set(name, next);
      node = next;
    }
    node.isOrdered = true;
  }
  known.set(declaredPaths, root);
  return root;
}

/** True if the texts of the path are kept in order. */
export function isOrderedPath(path: Path, declaredPaths: readonly string[]): boolean {
  let node: OrderedPaths | undefined = orderedPathsOf(declaredPaths);
  for (const name of path) node = node?.members.get(name);
  return node?.isOrdered === true;
}

/** A path as it is found in documents: below `objectTypeProperty` as well if it begins with one of its names. */
export function bothForms(names: Path): readonly Path[] {
  if (arrayTestNames.has(names[0]!)) return [names, [arrayTestField, ...names]];
  const isLong = names[0] === arrayTestField && arrayTestNames.has(names[1] ?? '');
  return isLong ? [names, names.slice(1)] : [names];
}
