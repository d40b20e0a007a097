import type { Path, Predicate } from '../../domain/predicate/ast.ts';

/**
 * Rewrites predicates, with the same meaning, to a form for which more indexes can be used: an embedded predicate with
 * one condition becomes a longer path (`slug(en = "x")` is `slug.en = "x"`, since an array stands for its elements in
 * both), `=` becomes a list of one value, `!=` NOT of that, `<` and its like become ranges, and alternatives that name values of one path
 * one list: no comparison is left. Returns the conditions that must all hold.
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
      return { kind: 'and', of: predicate.of.map(simplify) };
    case 'or':
      return oneOf(predicate.of.map(simplify));
    case 'not': {
      const of = simplify(predicate.of);
      return of.kind === 'not' ? of.of : { kind: 'not', of };
    }
    case 'compare': {
      const { path, op, value } = predicate;
      const equal: Predicate = { kind: 'in', path, values: [value] };
      if (op === '=') return equal;
      if (op === '!=') return { kind: 'not', of: equal };
      const end = op.startsWith('<') ? { from: undefined, to: value } : { from: value, to: undefined };
      return { kind: 'within', path, ranges: [{ ...end, isOpen: !op.endsWith('=') }] };
    }
    case 'embedded':
      return embed(predicate.path, simplify(predicate.of));
    case 'in':
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

/** Some part holds. Those that ask for values of the same path ask for any of all of them. */
function oneOf(parts: readonly Predicate[]): Predicate {
  const pathOf = (part: Predicate) => (part.kind === 'in' ? JSON.stringify(part.path) : part);
  const of = [...Map.groupBy(parts, pathOf).values()].map((same): Predicate => {
    const [first] = same as [Predicate];
    if (first.kind !== 'in') return first;
    return { ...first, values: same.flatMap((part) => (part.kind === 'in' ? part.values : [])) };
  });
  return of.length === 1 ? of[0]! : { kind: 'or', of };
}

/** Some object at the path satisfies `of`. OR can be split into its parts; AND cannot, since it is about one object. */
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
    case 'embedded':
      return { kind: 'embedded', path: [...path, ...of.path], of: of.of };
    case 'constant':
      return of.value ? { kind: 'embedded', path, of } : of;
    // A negation asks that one object lacks something; on a path it would ask that all do.
    case 'not':
    case 'empty':
      return { kind: 'embedded', path, of };
    default:
      return of satisfies never;
  }
}
