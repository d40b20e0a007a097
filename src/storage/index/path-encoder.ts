import { type OrderedPaths, orderedPathsOf } from './ordered-paths.ts';
import { encodePath, type Projection, termHead } from './term-encoding.ts';

/** A path as terms encode it. Documents repeat their paths, so each is encoded once and remembered. */
export interface EncodedPath {
  /** The beginning of the path's terms, to be followed by a fact or a scalar. */
  readonly prefix: string;
  /** Its texts are kept in order as well. */
  readonly isOrdered: boolean;
  /** The path one name further in. */
  member(name: string): EncodedPath;
}

/** Paths remembered, over all projects. Names of clients' documents are without bound, so there must be one. */
const maxRemembered = 20_000;

let roots = new WeakMap<readonly string[], Map<string, EncodedPath>>();
let remembered = 0;

/** The document itself, in a projection of a project. */
export function encodedRoot(projectKey: string, projection: Projection, declaredPaths: readonly string[]): EncodedPath {
  if (remembered > maxRemembered) {
    roots = new WeakMap();
    remembered = 0;
  }
  const ofProjects = roots.get(declaredPaths) ?? new Map<string, EncodedPath>();
  roots.set(declaredPaths, ofProjects);
  const name = projection + projectKey;
  const found = ofProjects.get(name);
  if (found) return found;
  const made = createPath(termHead(projectKey, projection), '', orderedPathsOf(declaredPaths));
  ofProjects.set(name, made);
  remembered += 1;
  return made;
}

function createPath(head: string, path: string, ordered: OrderedPaths | undefined): EncodedPath {
  const members = new Map<string, EncodedPath>();
  return {
    prefix: `${head}${path}|`,
    isOrdered: ordered?.isOrdered === true,
    member(name) {
      const found = members.get(name);
      if (found) return found;
      const made = createPath(head, encodePath(path, name), ordered?.members.get(name));
      // A document may have many more names than are worth remembering.
      if (remembered <= maxRemembered) members.set(name, made);
      remembered += 1;
      return made;
    },
  };
}
