import type { Literal, Path, Predicate } from './ast.ts';

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
