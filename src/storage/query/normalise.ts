import type { Path, Predicate } from '../../domain/predicate/ast.ts';

/**
 * The same meaning in a form that indexes answer more of: embedded predicates that ask for one thing become a longer
 * path (`slug(en = "x")` is `slug.en = "x"`, for an array stands for its elements in both), and a condition of
 * `not in` and the like stands bare. Answers the conditions that must all hold.
 */
export function normalise(where: readonly Predicate[]): readonly Predicate[] {
  return where.map(simplify).flatMap(conjuncts);
}

function conjuncts(predicate: Predicate): readonly Predicate[] {
  if (predicate.kind === 'constant' && predicate.value) return [];
  return predicate.kind === 'and' ? predicate.of.flatMap(conjuncts) : [predicate];
}

function simplify(predicate: Predicate): Predicate {
  switch (predicate.kind) {
    case 'and':
    case 'or':
      return { kind: predicate.kind, of: predicate.of.map(simplify) };
    case 'not': {
      const of = simplify(predicate.of);
      return of.kind === 'not' ? of.of : { kind: 'not', of };
    }
    case 'compare':
      if (predicate.op !== '!=') return predicate;
      return { kind: 'not', of: { ...predicate, op: '=' } };
    case 'embedded':
      return embed(predicate.path, simplify(predicate.of));
    case 'in':
    case 'contains':
    case 'within':
    case 'empty':
    case 'defined':
    case 'circle':
    case 'matchesIgnoreCase':
    case 'constant':
      return predicate;
    default:
      return predicate satisfies never;
  }
}

/** Some object at the path satisfies `of`. OR may be asked of each part alone; AND may not: it is one object's. */
function embed(path: Path, of: Predicate): Predicate {
  switch (of.kind) {
    case 'or':
      return { kind: 'or', of: of.of.map((each) => embed(path, each)) };
    case 'and':
      return of.of.length === 1 ? embed(path, of.of[0]!) : { kind: 'embedded', path, of };
    case 'compare':
    case 'in':
    case 'within':
    case 'defined':
    case 'circle':
    case 'matchesIgnoreCase':
      return { ...of, path: [...path, ...of.path] };
    case 'contains':
      if (of.mode === 'all' && of.values.length !== 1) return { kind: 'embedded', path, of };
      return { ...of, path: [...path, ...of.path] };
    case 'embedded':
      return { kind: 'embedded', path: [...path, ...of.path], of: of.of };
    case 'constant':
      return of.value ? { kind: 'embedded', path, of } : of;
    // Negations ask that one object lacks something, a path that all do.
    case 'not':
    case 'empty':
      return { kind: 'embedded', path, of };
    default:
      return of satisfies never;
  }
}
