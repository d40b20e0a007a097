/**
 * The syntax of paths in texts, the same wherever a client names a field (docs/paths.md): names between dots. A name in
 * backticks may have any characters, and two backticks in it stand for one.
 */

/** A name, or an index of an array; `*` is every index. */
export type PathStep = string | { readonly index: number | '*' };

/** Reads what a sticky expression matches next; undefined, with nothing read, where it does not match. */
type Take = (sticky: RegExp) => string | undefined;

/** No name has a NUL (U+0000). */
const quotedName = /`(?:[^`\0]|``)*`(?!`)/y;
const dot = /\./y;
/** An index of an array. */
export const index = /\[(?:\*|\d{1,6})\]/y;

/** Names without backticks, by the place of the path. */
export const nameForms = {
  /** Where other words stand around the path, such as a predicate. */
  word: /[-_A-Za-z0-9]+/y,
  /** Where the path is the whole text. Brackets are a part of a name unless they are an index. */
  free: /(?:[^.`[]|\[(?!(?:\*|\d{1,6})\]))+/y,
  /** A path before a colon: a CSV header. */
  column: /(?:[^.:`[]|\[(?!(?:\*|\d{1,6})\]))+/y,
} as const;
type NameForm = keyof typeof nameForms;

export interface PathOptions {
  readonly names: NameForm;
  /** True if indexes may follow a name. */
  readonly indexes?: boolean;
}

/** Reads a path; undefined where no name follows, at the beginning or after a dot. What is behind the path stays. */
export function readPathSteps(take: Take, { names, indexes = false }: PathOptions): readonly PathStep[] | undefined {
  const steps: PathStep[] = [];
  do {
    const quoted = take(quotedName)?.slice(1, -1).replaceAll('``', '`');
    const name = quoted ?? take(nameForms[names]);
    if (name === undefined) return undefined;
    steps.push(name);
    for (let text = indexes ? take(index) : undefined; text !== undefined; text = take(index)) {
      steps.push({ index: text === '[*]' ? '*' : Number(text.slice(1, -1)) });
    }
  } while (take(dot) !== undefined);
  return steps;
}

/** The path that a text begins with, and what is behind it; undefined where it begins with none. */
export function pathAtStart(text: string, options: PathOptions) {
  let end = 0;
  const steps = readPathSteps((sticky) => {
    sticky.lastIndex = end;
    const [found] = sticky.exec(text) ?? [];
    if (found !== undefined) end += found.length;
    return found;
  }, options);
  return steps && { steps, rest: text.slice(end) };
}

/** The paths of a list separated by commas; undefined for any other text. */
export function pathsOfList(text: string): readonly (readonly string[])[] | undefined {
  const paths: (readonly string[])[] = [];
  for (let left = text; ; left = left.slice(1)) {
    const found = namesAtStart(left.trimStart(), 'word');
    if (!found) return undefined;
    paths.push(found.names);
    left = found.rest.trimStart();
    if (left === '') return paths;
    if (!left.startsWith(',')) return undefined;
  }
}

/** The names of a path that begins a text and has no indexes, and what is behind it; undefined where it begins with none. */
export function namesAtStart(text: string, names: NameForm) {
  const found = pathAtStart(text, { names });
  return found && { names: found.steps as readonly string[], rest: found.rest };
}

/** The advice for an index in a path that takes none. */
export const noIndex = 'a path has no index here, as an array stands for its elements';

/** True if a text begins with an index of an array. */
export function beginsWithIndex(text: string): boolean {
  index.lastIndex = 0;
  return index.test(text);
}

/** A name as it stands in a path: in backticks unless it matches. */
export function nameText(name: string, form: NameForm = 'word'): string {
  const plain = nameForms[form];
  plain.lastIndex = 0;
  const isPlain = plain.test(name) && plain.lastIndex === name.length && name === name.trim();
  return isPlain ? name : `\`${name.replaceAll('`', '``')}\``;
}

/** The text of a path, which `readPathSteps` reads back. */
export function pathSyntax(path: readonly (string | number)[], form: NameForm = 'word'): string {
  return path.reduce<string>((before, step) => {
    if (typeof step === 'number') return `${before}[${step}]`;
    return before === '' ? nameText(step, form) : `${before}.${nameText(step, form)}`;
  }, '');
}
