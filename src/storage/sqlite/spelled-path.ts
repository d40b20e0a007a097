import { type Projection, spellPath, termHead } from './term-text.ts';

/** A path as terms spell it. Documents repeat their paths, so each is spelled once and remembered. */
export interface SpelledPath {
  /** The beginning of the path's terms, to be followed by a fact or a scalar. */
  readonly prefix: string;
  /** The path one name further in. */
  member(name: string): SpelledPath;
}

/** Paths remembered, over all projects. Names of clients' documents are without bound, so there must be one. */
const maxRemembered = 20_000;

const roots = new Map<string, SpelledPath>();
let remembered = 0;

/** The document itself, in a projection of a project. */
export function spelledRoot(projectKey: string, projection: Projection): SpelledPath {
  const head = termHead(projectKey, projection);
  const found = roots.get(head);
  if (found && remembered <= maxRemembered) return found;
  if (remembered > maxRemembered) {
    roots.clear();
    remembered = 0;
  }
  const made = createPath(head, '');
  roots.set(head, made);
  remembered += 1;
  return made;
}

function createPath(head: string, path: string): SpelledPath {
  const members = new Map<string, SpelledPath>();
  return {
    prefix: `${head}${path}|`,
    member(name) {
      const found = members.get(name);
      if (found) return found;
      const made = createPath(head, spellPath(path, name));
      // A document may have many more names than are worth remembering.
      if (remembered <= maxRemembered) members.set(name, made);
      remembered += 1;
      return made;
    },
  };
}
