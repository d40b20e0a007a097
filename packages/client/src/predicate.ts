/** A predicate whose values are quoted. `String(…)` is its text. */
export class Predicate {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/** The path of a field whose names may have any characters. */
export class FieldPath {
  readonly names: readonly string[];

  constructor(names: readonly string[]) {
    this.names = names;
  }
}

export type PredicateValue =
  | string
  | number
  | bigint
  | boolean
  | Date
  | Predicate
  | FieldPath
  | readonly PredicateValue[];

/**
 * A predicate as a tagged template. Values are quoted, so that what a user typed is never read as a part of the
 * predicate: texts, numbers, dates, lists in brackets (`size in ${[1, 2]}`), other predicates, and names by `field`.
 * Throws `TypeError` for anything else, `undefined` above all: a condition must not vanish.
 */
export function where(texts: TemplateStringsArray, ...values: readonly PredicateValue[]): Predicate {
  return new Predicate(texts.reduce((before, text, index) => before + quote(values[index - 1]) + text));
}

/** The path of a field in a predicate: each name is quoted if it has to be. */
export function field(...names: readonly string[]): FieldPath {
  return new FieldPath(names);
}

/** Predicates that must all hold. */
export function all(predicates: readonly Predicate[]): Predicate {
  return joined(predicates, ' and ');
}

/** Predicates of which one must hold. */
export function any(predicates: readonly Predicate[]): Predicate {
  return joined(predicates, ' or ');
}

function joined(predicates: readonly Predicate[], word: string): Predicate {
  if (predicates.length === 0) throw new TypeError('Expected at least one predicate.');
  return new Predicate(predicates.map(({ text }) => `(${text})`).join(word));
}

function quote(value: PredicateValue | undefined): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (typeof value === 'number' && Number.isFinite(value)) return String(value).replace('e+', 'e');
  if (value instanceof Date) return JSON.stringify(value.toISOString());
  if (value instanceof Predicate) return `(${value.text})`;
  if (value instanceof FieldPath) return value.names.map(quoteName).join('.');
  if (Array.isArray(value) && value.length > 0) return `(${value.map(quote).join(', ')})`;
  throw new TypeError(`A predicate cannot have the value ${Array.isArray(value) ? '[] (an empty list)' : value}.`);
}

function quoteName(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : `\`${name.replaceAll('`', '``')}\``;
}
