/** The kinds of words that may follow at a place in a predicate. */
export type Expected =
  | { readonly kind: 'path'; readonly prefix: readonly string[] }
  | { readonly kind: 'operator'; readonly path: readonly string[]; readonly isNegated: boolean }
  | { readonly kind: 'value'; readonly path: readonly string[]; readonly needsList: boolean }
  | { readonly kind: 'connective'; readonly isNested: boolean }
  | { readonly kind: 'nothing' };

/** The place of the caret. */
export interface Position {
  readonly expected: Expected;
  /** Where the word begins that the caret is in or behind. */
  readonly start: number;
  /** The typed part of it. */
  readonly word: string;
}

const token = /"(?:[^"\\]|\\.)*"|`(?:[^`]|``)*`|[-_A-Za-z0-9]+|<>|!=|>=|<=|[=<>.,:()]|\s+|./gsu;
/** A word at the end: what may be a path or a value. */
const wordAtEnd = /:?(?:[-_A-Za-z0-9.]|`(?:[^`]|``)*`)*$/su;
const nameLike = /^(?:[-_A-Za-z0-9]+|`.*`)$/su;

/** A name without its backticks. */
export const plainName = (name: string): string =>
  name.startsWith('`')
    ? name.slice(1, name.endsWith('`') && name.length > 1 ? -1 : undefined).replaceAll('``', '`')
    : name;

/** A path as predicates write it: names of other characters stand in backticks. */
export function predicatePath(names: readonly string[]): string {
  return names.map((name) => (/^[-_A-Za-z0-9]+$/.test(name) ? name : `\`${name.replaceAll('`', '``')}\``)).join('.');
}

interface Group {
  readonly prefix: readonly string[];
  readonly isList: boolean;
}

type State = 'path' | 'afterName' | 'operator' | 'list' | 'value' | 'listNext' | 'connective' | 'mode' | 'is' | 'word';

/** Reads a predicate from the left, as far as it is written, and never fails: what is wrong, the API tells. */
class Reader {
  state: State = 'path';
  path: readonly string[] = [];
  isNegated = false;
  readonly groups: Group[] = [{ prefix: [], isList: false }];

  get group(): Group {
    return this.groups.at(-1)!;
  }

  take(text: string): void {
    const word = text.toLowerCase();
    if (this.state === 'path') this.takePath(text, word);
    else if (this.state === 'afterName' && text === '.') this.state = 'path';
    else if (this.state === 'afterName' || this.state === 'operator') this.takeOperator(text, word);
    else if (this.state === 'connective' || this.state === 'listNext') this.takeEnd(text, word);
    else this.takeOperand(text, word);
  }

  /** Reads an operand. */
  private takeOperand(text: string, word: string): void {
    if (this.state === 'mode') this.state = 'list';
    else if (this.state === 'is') {
      if (word !== 'not') this.state = 'connective';
    } else if (this.state === 'word') {
      if (word === 'case') this.state = 'value';
      else if (text === '(') this.open({ prefix: [], isList: true }, 'value');
    } else if (this.state === 'list') {
      if (text === '(') this.open({ prefix: [], isList: true }, 'value');
      else if (text !== ':') this.state = 'connective';
    } else if (text === ')') this.close();
    else if (text !== ':') this.state = this.group.isList ? 'listNext' : 'connective';
  }

  /** Reads what follows a value or a condition. */
  private takeEnd(text: string, word: string): void {
    if (text === ')') this.close();
    else if (this.state === 'listNext') {
      if (text === ',') this.state = 'value';
    } else if (word === 'and' || word === 'or') this.begin();
  }

  private begin(): void {
    this.state = 'path';
    this.path = [];
    this.isNegated = false;
  }

  private open(group: Group, state: State): void {
    this.groups.push(group);
    this.state = state;
  }

  private close(): void {
    if (this.groups.length > 1) this.groups.pop();
    this.state = 'connective';
  }

  private takePath(text: string, word: string): void {
    if (text === '(') this.open({ prefix: this.group.prefix, isList: false }, 'path');
    else if (word === 'not' && this.path.length === 0) return;
    else if (nameLike.test(text)) {
      this.path = [...this.path, plainName(text)];
      this.state = 'afterName';
    } else if (text.startsWith('"')) this.state = 'connective';
  }

  private takeOperator(text: string, word: string): void {
    if (/^(?:[=<>]|<>|!=|>=|<=)$/.test(text)) this.state = 'value';
    else if (text === '(') {
      const prefix = [...this.group.prefix, ...this.path];
      this.open({ prefix, isList: false }, 'path');
      this.path = [];
    } else if (word === 'not') {
      this.isNegated = true;
      this.state = 'operator';
    } else if (word === 'in') this.state = 'list';
    else if (word === 'contains') this.state = 'mode';
    else if (word === 'is') this.state = 'is';
    else if (word === 'matches' || word === 'within') this.state = 'word';
  }
}

/** The kind of word that may follow a text. */
function expectedAfter(text: string): Expected {
  const reader = new Reader();
  for (const [found] of text.matchAll(token)) if (found.trim() !== '') reader.take(found);
  const { state, group, path, isNegated, groups } = reader;
  const whole = [...(group.isList ? (groups.at(-2)?.prefix ?? []) : group.prefix), ...path];
  switch (state) {
    case 'path':
      return { kind: 'path', prefix: group.prefix };
    case 'afterName':
    case 'operator':
      return { kind: 'operator', path: whole, isNegated };
    case 'list':
      return { kind: 'value', path: whole, needsList: true };
    case 'value':
      return { kind: 'value', path: whole, needsList: false };
    case 'connective':
      return { kind: 'connective', isNested: groups.length > 1 };
    default:
      return { kind: 'nothing' };
  }
}

/** The kind of word that may follow at the caret, and the word that is being typed there. */
export function positionAt(text: string, caret: number): Position {
  const before = text.slice(0, caret);
  const open = openQuote(before);
  const whole = before.slice(0, open);
  // A name in backticks may be behind others: `name.` belongs to its word. A text in quotes is a word of its own.
  const isText = open !== undefined && before[open] === '"';
  const start = isText ? open : whole.length - (wordAtEnd.exec(whole)?.[0].length ?? 0);
  return { expected: expectedAfter(before.slice(0, start)), start, word: before.slice(start) };
}

/** Where a text in quotes or a name in backticks begins that is not closed. */
function openQuote(text: string): number | undefined {
  for (const found of text.matchAll(token)) if (found[0] === '"' || found[0] === '`') return found.index;
  return undefined;
}
