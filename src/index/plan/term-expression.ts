import type { Literal, Path, Predicate } from '../../domain/predicate/ast.ts';
import { intervalsOf } from '../../domain/predicate/intervals.ts';
import { arrayTestField, arrayTestNames } from '../../domain/predicate/path.ts';
import { literalForms, type Scalar } from '../../domain/predicate/scalar.ts';
import { isOrderedPath } from '../terms/ordered-paths.ts';
import { encodePath, encodeScalar, type PathFact, type Projection, termHead } from '../terms/term-encoding.ts';
import { systemColumnOf } from './compile-column.ts';

/** The terms from one to below another. They are written without the head of project and projection. */
export interface TermRange {
  readonly from: string;
  readonly to: string;
  /** Only keys of plain texts, not of instants. */
  readonly plainTexts?: boolean;
}

/** Behind a term: an end of a range before which that term is, and from which on it is not. No term has this character. */
export const behind = '\0';

/** A boolean combination of index terms: a set of documents. */
export type TermExpression =
  | { readonly kind: 'constant'; readonly value: boolean }
  /** With `prefix` all terms that begin with it; the cost grows with their number. */
  | { readonly kind: 'term'; readonly term: string; readonly prefix?: boolean }
  | { readonly kind: 'range'; readonly range: TermRange }
  | { readonly kind: 'and' | 'or'; readonly of: readonly TermExpression[] }
  | { readonly kind: 'not'; readonly of: TermExpression };

/** The end of a term, or with `prefix` the beginning of such an end. */
interface End {
  readonly text: string;
  readonly prefix?: boolean;
}

const kinds: Readonly<Record<Scalar['type'], readonly End[]>> = {
  number: [{ text: 'n', prefix: true }],
  string: [{ text: 's', prefix: true }],
  instant: [{ text: 't', prefix: true }],
  boolean: [{ text: 'b0' }, { text: 'b1' }],
};
const scalars = Object.values(kinds).flat();
const anyObject: readonly End[] = [{ text: 'o' satisfies PathFact }];
const values: readonly End[] = [...scalars, ...anyObject];
const presence: readonly End[] = [{ text: '', prefix: true }];

/** Compiles normal predicates (`normalise`) to expressions over one projection of a project. */
export class TermCompiler {
  readonly #head: string;
  readonly #declaredPaths: readonly string[];

  constructor(projectKey: string, projection: Projection, declaredPaths: readonly string[]) {
    this.#head = termHead(projectKey, projection);
    this.#declaredPaths = declaredPaths;
  }

  #some(path: Path, ends: readonly End[]): TermExpression {
    const begin = `${this.#head}${encodePath(path)}|`;
    return or(ends.map(({ text, prefix = false }) => ({ kind: 'term', term: begin + text, prefix })));
  }

  /** Some of the ends at the path, or below `objectTypeProperty` where the document itself lacks the first name. */
  #reach(path: Path, ends: readonly End[]): TermExpression {
    const own = this.#some(path, ends);
    if (!arrayTestNames.has(path[0]!)) return own;
    return or([own, and([this.#some([arrayTestField, ...path], ends), not(this.#some(path.slice(0, 1), presence))])]);
  }

  #equals(path: Path, literals: readonly Literal[]): TermExpression {
    const ends = new Set(literals.flatMap(literalForms).map(encodeScalar));
    return this.#reach(
      path,
      [...ends].map((text) => ({ text })),
    );
  }

  /** Exactly the documents that satisfy the predicate; undefined where terms cannot decide it. */
  exact(predicate: Predicate): TermExpression | undefined {
    if ('path' in predicate && systemColumnOf(predicate.path)) return undefined;
    switch (predicate.kind) {
      case 'constant':
        return predicate;
      case 'and':
      case 'or': {
        const parts = predicate.of.map((each) => this.exact(each));
        const known = parts.filter((part) => part !== undefined);
        return known.length === parts.length ? { kind: predicate.kind, of: known } : undefined;
      }
      case 'not': {
        const inner = this.exact(predicate.of);
        return inner && not(inner);
      }
      case 'in':
        return this.#equals(predicate.path, predicate.values);
      case 'empty':
        return not(this.#reach(predicate.path, values));
      case 'defined':
        return this.#reach(predicate.path, presence);
      // No value lies within no interval; otherwise ranges of terms decide.
      case 'within':
        return intervalsOf(predicate.ranges).length === 0 ? or([]) : undefined;
      case 'compare':
      case 'embedded':
      case 'circle':
      case 'matchesIgnoreCase':
        return undefined;
      default:
        return predicate satisfies never;
    }
  }

  /**
   * A superset of the documents that satisfy the predicate; undefined where terms narrow nothing. With `byPresence`
   * it may consist of the documents that have any value at the path.
   */
  narrow(predicate: Predicate, byPresence: boolean, within: Path = []): TermExpression | undefined {
    switch (predicate.kind) {
      case 'and': {
        const parts = predicate.of
          .map((each) => this.narrow(each, byPresence, within))
          .filter((part) => part !== undefined);
        return parts.length === 0 ? undefined : and(parts);
      }
      case 'or': {
        const parts = predicate.of.map((each) => this.narrow(each, byPresence, within));
        const known = parts.filter((part) => part !== undefined);
        return known.length === parts.length ? or(known) : undefined;
      }
      case 'not':
      case 'compare':
      case 'empty':
      case 'constant':
        return undefined;
      case 'embedded': {
        const path = [...within, ...predicate.path];
        return this.narrow(predicate.of, byPresence, path) ?? (byPresence ? this.#reach(path, anyObject) : undefined);
      }
      default:
        return this.#narrowAtPath({ ...predicate, path: [...within, ...predicate.path] }, byPresence);
    }
  }

  #narrowAtPath(predicate: Positive, byPresence: boolean): TermExpression | undefined {
    if (systemColumnOf(predicate.path)) return undefined;
    const byValue = this.exact(predicate);
    return byValue ?? (byPresence ? this.#reach(predicate.path, endsOf(predicate)) : undefined);
  }

  /** The documents without a scalar at the path, and so without a sort key. `hasFact`: a term says that there is one. */
  lacksScalar(path: Path, hasFact = isOrderedPath(path, this.#declaredPaths)): TermExpression {
    return not(this.#reach(path, hasFact ? [{ text: 'v' satisfies PathFact }] : scalars));
  }

  /** Documents that may have several instants or numbers at the path (on ordered paths, several values of any type). */
  mayHaveSeveral(path: Path): TermExpression {
    return this.#reach(path, [{ text: 'm' satisfies PathFact }]);
  }
}

/** Conditions that only hold of documents with something at the path. */
type Positive = Extract<Predicate, { readonly kind: 'in' | 'within' | 'defined' | 'circle' | 'matchesIgnoreCase' }>;

/** The ends of which a document has at least one where the condition holds. */
function endsOf(predicate: Positive): readonly End[] {
  const ofTypes = (asked: readonly { readonly type: Scalar['type'] }[]) =>
    [...new Set(asked.map(({ type }) => type))].flatMap((type) => kinds[type]);
  switch (predicate.kind) {
    case 'within':
      return ofTypes(intervalsOf(predicate.ranges));
    case 'matchesIgnoreCase':
      return [...kinds.string, ...kinds.instant];
    case 'in':
    case 'defined':
    case 'circle':
      return presence;
    default:
      return predicate satisfies never;
  }
}

function and(of: readonly TermExpression[]): TermExpression {
  return { kind: 'and', of };
}

function or(of: readonly TermExpression[]): TermExpression {
  return { kind: 'or', of };
}

function not(of: TermExpression): TermExpression {
  return of.kind === 'not' ? of.of : { kind: 'not', of };
}
