import { joined, raw, type Sql, sql, typed } from '../../../index/plan/sql.ts';
import { simplifyTerms, type TermExpression } from '../../../index/plan/term-expression.ts';
import { type Projection, unescapeText } from '../../../index/terms/term-encoding.ts';

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
      const others = expression.of.filter((each) => each.kind !== 'term');
      const unmarked = others.map(unmarkedTerm).filter((each) => each !== undefined);
      const isMany = unmarked.length > manyUnmarked;
      const rest = (isMany ? others.filter((each) => !unmarkedTerm(each)) : others).map(conditionOf);
      const lookups = [...(terms.length === 0 ? [] : [anyOf(terms)]), ...(isMany ? [anyUnmarked(unmarked)] : [])];
      return joined([...lookups, ...rest], 'OR');
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

/** A term that counts only without others: of a word that stands elsewhere where it is marked. */
interface UnmarkedTerm {
  readonly term: string;
  readonly marks: readonly string[];
}

function unmarkedTerm(expression: TermExpression): UnmarkedTerm | undefined {
  if (expression.kind !== 'and' || expression.of.length !== 2) return undefined;
  const [first, second] = expression.of;
  if (first?.kind !== 'term' || first.prefix || second?.kind !== 'not') return undefined;
  const marks = second.of.kind === 'or' ? second.of.of : [second.of];
  const plain = marks.filter((mark): mark is Term => mark.kind === 'term' && !mark.prefix);
  return plain.length === marks.length ? { term: first.term, marks: plain.map(({ term }) => term) } : undefined;
}

/** More of them are looked up one by one: as arms of a condition, all would be tried on all rows of the others. */
const manyUnmarked = 3;

function anyUnmarked(unmarked: readonly UnmarkedTerm[]): Sql {
  const [project = ''] = unmarked[0]!.term.split('|');
  // As many marks for each term, so that an array of arrays can be sent as one: some are there twice.
  const most = Math.max(...unmarked.map(({ marks }) => marks.length));
  const marks = unmarked.flatMap(({ marks: own }) => Array.from({ length: most }, (_, at) => own[at] ?? own[0]!));
  const [terms, allMarks] = [termArray(unmarked.map(({ term }) => term)), termArray(marks)];
  const [from, to] = [sql`((p.position - 1) * ${most} + 1)::int`, sql`(p.position * ${most})::int`];
  return sql`r.id = ANY (ARRAY(SELECT u.id FROM unnest(${terms}) WITH ORDINALITY p (term, position) CROSS JOIN LATERAL (
    SELECT c.id FROM resource c WHERE c.project_key = ${unescapeText(project)} AND c.terms @> ARRAY[p.term]
      AND NOT c.terms && (${allMarks})[${from}:${to}]) u))`;
}

function indexedTerms({ term, prefix }: Term): readonly string[] {
  if (!prefix) return [term];
  const bar = term.lastIndexOf('|') + 1;
  const kind = term.slice(bar);
  return kind === '' ? presenceEnds.map((end) => term + end) : [term.slice(0, bar) + kind.toUpperCase()];
}

/**
 * With more terms the planner does not see them. It takes each that is not among the thousand most frequent
 * ones for half as frequent as these, so that a few hundred rare words seem to be in every resource.
 */
const manyTerms = 8;

function anyOf(terms: readonly string[]): Sql {
  if (terms.length === 1) return allOf(terms);
  return terms.length <= manyTerms ? sql`r.terms && ${termArray(terms)}` : sql`r.terms && (SELECT ${termArray(terms)})`;
}

function allOf(terms: readonly string[]): Sql {
  return sql`r.terms @> ${termArray(terms)}`;
}

/** What stands for the type of a bound value: terms with a space between, to be sent as an array of their numbers. */
export const termsType = 'terms';

/** Terms as the columns have them. The numbers are those of the store that a statement is sent to. */
export function termArray(terms: readonly string[]): Sql {
  return typed(terms.join(' '), termsType);
}

/** Texts as one bound value, however many there are. */
export function textArray(texts: readonly string[]): Sql {
  const quoted = texts.map((text) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`);
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
