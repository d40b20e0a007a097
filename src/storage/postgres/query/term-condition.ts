import type { Projection } from '../../index/term-encoding.ts';
import { joined, raw, type Sql, sql, typed } from '../../query/sql.ts';
import { simplifyTerms, type TermExpression } from '../../query/term-expression.ts';

type Term = Extract<TermExpression, { kind: 'term' }>;

/** The ends of terms of which a path has at least one if there is anything at it. */
const presenceEnds = ['N', 'S', 'T', 'b0', 'b1', 'o', 'e'] as const;

/**
 * A set of documents as a condition on `r.terms`, which the inverted index answers. The index has whole terms only, so a
 * prefix (all terms of a path, or of a path and type) becomes the terms that say there are some.
 */
export function termCondition(compile: (projection: Projection) => TermExpression, staged: boolean): Sql {
  const current = conditionOf(simplifyTerms(compile('c')));
  if (!staged) return current;
  return sql`((r.staged IS NULL AND ${current}) OR (r.staged IS NOT NULL AND ${conditionOf(simplifyTerms(compile('s')))}))`;
}

function conditionOf(expression: TermExpression): Sql {
  switch (expression.kind) {
    case 'constant':
      return raw(expression.value ? 'TRUE' : 'FALSE');
    case 'term':
      return anyOf(indexedTerms(expression));
    case 'not':
      return sql`NOT ${conditionOf(expression.of)}`;
    case 'or': {
      const terms = expression.of.filter((each) => each.kind === 'term').flatMap(indexedTerms);
      const others = expression.of.filter((each) => each.kind !== 'term').map(conditionOf);
      return joined(terms.length === 0 ? others : [anyOf(terms), ...others], 'OR');
    }
    case 'and': {
      const plain = expression.of.filter((each): each is Term => each.kind === 'term' && !each.prefix);
      const others = expression.of.filter((each) => each.kind !== 'term' || each.prefix).map(conditionOf);
      return joined(plain.length === 0 ? others : [allOf(plain.map(({ term }) => term)), ...others], 'AND');
    }
    default:
      return expression satisfies never;
  }
}

function indexedTerms({ term, prefix }: Term): readonly string[] {
  if (!prefix) return [term];
  const bar = term.lastIndexOf('|') + 1;
  const kind = term.slice(bar);
  return kind === '' ? presenceEnds.map((end) => term + end) : [term.slice(0, bar) + kind.toUpperCase()];
}

function anyOf(terms: readonly string[]): Sql {
  return terms.length === 1 ? allOf(terms) : sql`r.terms && ${textArray(terms)}`;
}

function allOf(terms: readonly string[]): Sql {
  return sql`r.terms @> ${textArray(terms)}`;
}

/** One bound value, however many terms there are. Not cast from text, so that the planner knows the terms. */
export function textArray(terms: readonly string[]): Sql {
  const quoted = terms.map((term) => `"${term.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`);
  return typed(`{${quoted.join()}}`, 'text[]');
}

/** True if the condition can be looked up: it does not hold for documents that lack all of its terms. */
export function isLookup(expression: TermExpression): boolean {
  switch (expression.kind) {
    case 'term':
      return true;
    case 'and':
      return expression.of.some(isLookup);
    case 'or':
      return expression.of.every(isLookup);
    case 'not':
      return false;
    case 'constant':
      return !expression.value;
    default:
      return expression satisfies never;
  }
}
