import type { Literal, Path, Predicate } from '../../domain/predicate/ast.ts';
import { arrayTestField, arrayTestNames } from '../../domain/predicate/path.ts';
import { literalForms } from '../../domain/predicate/scalar.ts';
import { systemColumnOf } from '../sql/compile-column.ts';
import { type PathFact, type Projection, projectionTerm, spellPath, spellScalar, termHead } from './term-text.ts';

/** A boolean combination of index terms: a set of documents. */
export type TermExpression =
  | { readonly kind: 'constant'; readonly value: boolean }
  | { readonly kind: 'term'; readonly term: string }
  | { readonly kind: 'and' | 'or'; readonly of: readonly TermExpression[] }
  | { readonly kind: 'not'; readonly of: TermExpression };

/** FTS5 parses an expression with a stack of its own, and opens a cursor for each term. */
const maxNesting = 12;
const maxTerms = 4000;

const valueFacts = ['v', 'o'] as const;
const presenceFacts = ['v', 'o', 'e'] as const;

/** Makes expressions for one projection of a project. */
export function createTermCompiler(projectKey: string, projection: Projection) {
  const head = termHead(projectKey, projection);
  const term = (path: Path, end: string): TermExpression => ({
    kind: 'term',
    term: `${head}${path.reduce(spellPath, '')}|${end}`,
  });
  const someFact = (path: Path, facts: readonly PathFact[]) => or(facts.map((fact) => term(path, fact)));

  /** Some of the ends at the path, or below `objectTypeProperty` where the document lacks the first name itself. */
  function reach(path: Path, ends: readonly string[]): TermExpression {
    const own = or(ends.map((end) => term(path, end)));
    if (!arrayTestNames.has(path[0]!)) return own;
    const below = or(ends.map((end) => term([arrayTestField, ...path], end)));
    return or([own, and([below, not(someFact(path.slice(0, 1), presenceFacts))])]);
  }

  const equals = (path: Path, literals: readonly Literal[]) =>
    reach(path, [...new Set(literals.flatMap(literalForms).map(spellScalar))]);

  /** The documents that satisfy the predicate, exactly; undefined where terms cannot tell. */
  function exact(predicate: Predicate): TermExpression | undefined {
    switch (predicate.kind) {
      case 'constant':
        return predicate;
      case 'and':
      case 'or': {
        const parts = predicate.of.map(exact);
        const known = parts.filter((part) => part !== undefined);
        return known.length === parts.length ? { kind: predicate.kind, of: known } : undefined;
      }
      case 'not': {
        const inner = exact(predicate.of);
        return inner && not(inner);
      }
      case 'embedded':
      case 'circle':
      case 'matchesIgnoreCase':
        return undefined;
      default:
        return exactAtPath(predicate);
    }
  }

  type Indexed = Extract<Predicate, { readonly kind: 'compare' | 'in' | 'contains' | 'empty' | 'defined' }>;

  function exactAtPath(predicate: Indexed): TermExpression | undefined {
    const { path } = predicate;
    if (systemColumnOf(path)) return undefined;
    switch (predicate.kind) {
      case 'compare':
        if (predicate.op === '!=') return not(equals(path, [predicate.value]));
        return predicate.op === '=' ? equals(path, [predicate.value]) : undefined;
      case 'in':
        return equals(path, predicate.values);
      case 'contains':
        if (predicate.mode === 'any') return equals(path, predicate.values);
        return and(predicate.values.map((value) => equals(path, [value])));
      case 'empty':
        return not(reach(path, valueFacts));
      case 'defined':
        return reach(path, presenceFacts);
      default:
        return predicate satisfies never;
    }
  }

  /**
   * Documents among which are all that satisfy the predicate; undefined where terms narrow nothing. With `byPresence`
   * also those that merely have some value where one is asked about.
   */
  function narrow(predicate: Predicate, byPresence: boolean, within: Path = []): TermExpression | undefined {
    switch (predicate.kind) {
      case 'and': {
        const parts = predicate.of.map((each) => narrow(each, byPresence, within)).filter((part) => part !== undefined);
        return parts.length === 0 ? undefined : and(parts);
      }
      case 'or': {
        const parts = predicate.of.map((each) => narrow(each, byPresence, within));
        const known = parts.filter((part) => part !== undefined);
        return known.length === parts.length ? or(known) : undefined;
      }
      case 'not':
      case 'empty':
      case 'constant':
        return undefined;
      case 'embedded': {
        const path = [...within, ...predicate.path];
        return narrow(predicate.of, byPresence, path) ?? (byPresence ? reach(path, ['o']) : undefined);
      }
      default:
        return narrowAtPath({ ...predicate, path: [...within, ...predicate.path] }, byPresence);
    }
  }

  type Positive = Extract<
    Predicate,
    { readonly kind: 'compare' | 'in' | 'contains' | 'defined' | 'circle' | 'matchesIgnoreCase' }
  >;

  function narrowAtPath(predicate: Positive, byPresence: boolean): TermExpression | undefined {
    if (systemColumnOf(predicate.path) || (predicate.kind === 'compare' && predicate.op === '!=')) return undefined;
    const byValue =
      predicate.kind === 'circle' || predicate.kind === 'matchesIgnoreCase' ? undefined : exactAtPath(predicate);
    return byValue ?? (byPresence ? reach(predicate.path, presenceFacts) : undefined);
  }

  /** The documents whose path has no scalar, so that a sort by it has nothing to go by. */
  const lacksScalar = (path: Path) => not(reach(path, ['v']));

  return { exact, narrow, lacksScalar };
}

/** Documents in the current projection, or in the staged one where they have it, that the expressions name. */
export function printTerms(projectKey: string, staged: boolean, compile: (projection: Projection) => TermExpression) {
  const current = print(compile('c'), projectKey, 'c');
  if (!staged || current === undefined) return current;
  const own = print(compile('s'), projectKey, 's');
  const hasStaged = quoted(projectionTerm(projectKey, 's'));
  return own === undefined ? undefined : `((${current} NOT ${hasStaged}) OR ${own})`;
}

/** The expression in FTS5's syntax; undefined where it is too large for it. */
function print(expression: TermExpression, projectKey: string, projection: Projection): string | undefined {
  const folded = fold(expression);
  if (nesting(folded) > maxNesting || countTerms(folded) > maxTerms) return undefined;
  return write(folded, quoted(projectionTerm(projectKey, projection)));
}

function write(expression: TermExpression, all: string): string {
  switch (expression.kind) {
    case 'constant':
      return expression.value ? all : `(${all} NOT ${all})`;
    case 'term':
      return quoted(expression.term);
    case 'or':
      return `(${expression.of.map((each) => write(each, all)).join(' OR ')})`;
    // NOT takes from something: from the other conditions, or from all documents.
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

/** Removes constants, double negations, and AND inside AND. */
function fold(expression: TermExpression): TermExpression {
  if (expression.kind === 'not') {
    const of = fold(expression.of);
    if (of.kind === 'constant') return { kind: 'constant', value: !of.value };
    return of.kind === 'not' ? of.of : { kind: 'not', of };
  }
  if (expression.kind !== 'and' && expression.kind !== 'or') return expression;
  const { kind } = expression;
  const neutral = kind === 'and';
  const of = expression.of.map(fold).flatMap((each) => (each.kind === kind ? each.of : [each]));
  if (of.some((each) => each.kind === 'constant' && each.value !== neutral))
    return { kind: 'constant', value: !neutral };
  const rest = of.filter((each) => each.kind !== 'constant');
  if (rest.length === 0) return { kind: 'constant', value: neutral };
  return rest.length === 1 ? rest[0]! : { kind, of: rest };
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

function and(of: readonly TermExpression[]): TermExpression {
  return { kind: 'and', of };
}

function or(of: readonly TermExpression[]): TermExpression {
  return { kind: 'or', of };
}

function not(of: TermExpression): TermExpression {
  return { kind: 'not', of };
}
