import type { Predicate } from '../../domain/predicate/ast.ts';
import type { FieldRule } from '../../domain/search/field-rules.ts';

/** Holds at least where a document has one of the fields of some rules, of which there is one or more. */
export function hasFieldOf(rules: readonly FieldRule[]): Predicate {
  const names = [...new Set(rules.map(({ path }) => path[0]!))];
  return { kind: 'or', of: names.map((name) => ({ kind: 'not', of: { kind: 'empty', path: [name] } })) };
}
