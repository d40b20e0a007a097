import { type Projection, projectionTerm } from '../../index/term-encoding.ts';
import { simplifyTerms, type TermExpression } from '../../query/term-expression.ts';

/** FTS5 parses an expression with a stack of its own and opens a cursor for each term. */
const maxNesting = 12;
const maxTerms = 4000;

/** The match expression of documents by their current projection, or by the staged one where they have it. */
export function printTerms(projectKey: string, staged: boolean, compile: (projection: Projection) => TermExpression) {
  const current = print(compile('c'), projectKey, 'c');
  if (!staged || current === undefined) return current;
  const own = print(compile('s'), projectKey, 's');
  const hasStaged = quoted(projectionTerm(projectKey, 's'));
  return own === undefined ? undefined : `((${current} NOT ${hasStaged}) OR ${own})`;
}

/** The expression in FTS5's syntax; undefined if it is too large for FTS5. */
function print(expression: TermExpression, projectKey: string, projection: Projection): string | undefined {
  const folded = simplifyTerms(expression);
  if (nesting(folded) > maxNesting || countTerms(folded) > maxTerms) return undefined;
  return write(folded, quoted(projectionTerm(projectKey, projection)));
}

function write(expression: TermExpression, all: string): string {
  switch (expression.kind) {
    case 'constant':
      return expression.value ? all : `(${all} NOT ${all})`;
    case 'term':
      return expression.prefix ? `${quoted(expression.term)} *` : quoted(expression.term);
    case 'or':
      return `(${expression.of.map((each) => write(each, all)).join(' OR ')})`;
    // NOT is binary in FTS5: it subtracts from the other conditions, or from all documents.
    case 'not':
      return `(${all} NOT ${write(expression.of, all)})`;
    case 'and': {
      const negated = expression.of.filter((each) => each.kind === 'not').map((each) => write(each.of, all));
      const positive = expression.of.filter((each) => each.kind !== 'not').map((each) => write(each, all));
      const from = positive.length === 0 ? all : `(${positive.join(' AND ')})`;
      return negated.length === 0 ? from : `(${from} NOT (${negated.join(' OR ')}))`;
    }
    default:
      return expression satisfies never;
  }
}

function quoted(term: string): string {
  return `"${term}"`;
}

function nesting(expression: TermExpression): number {
  if (expression.kind === 'not') return 1 + nesting(expression.of);
  if (expression.kind !== 'and' && expression.kind !== 'or') return 1;
  return 1 + Math.max(...expression.of.map(nesting));
}

function countTerms(expression: TermExpression): number {
  if (expression.kind === 'not') return countTerms(expression.of);
  if (expression.kind !== 'and' && expression.kind !== 'or') return 1;
  return expression.of.reduce((sum, each) => sum + countTerms(each), 0);
}
