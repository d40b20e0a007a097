/** Words of a small shop in one language, from which a catalogue and its questions are made. */
export interface ShopWords {
  readonly locale: string;
  /** Kinds of products: one, and several of it or another form. The first four are sold in sizes. */
  readonly kinds: readonly (readonly [one: string, many: string])[];
  /** What makes a kind a special one. */
  readonly uses: readonly string[];
  /** How a use and a kind make one name: as one word, or as a phrase. */
  readonly named: (use: string, kind: string) => string;
  /** True where a use and a kind are one word. */
  readonly compounds?: true;
  /** True where nothing stands between words. */
  readonly unspaced?: true;
  readonly colours: readonly string[];
  readonly materials: readonly string[];
  /** What stands between a product and what it is made of, such as *of*; none of it says what is wanted. */
  readonly of: string;
  readonly small: readonly string[];
  /** The sentence that names two other kinds. */
  readonly goesWith: (one: string, other: string) => string;
  readonly fillers: readonly string[];
  /** Words that stand in descriptions alone. The last ones are an edit or two away from the kind at their place. */
  readonly rare: readonly string[];
  /** Departments of the shop, for as many kinds each. */
  readonly departments?: readonly string[];
  /** What a kind is called as well, by its place in `kinds`; the project's settings say so. */
  readonly synonyms?: readonly (readonly [word: string, kind: number])[];
}

/** Pairs of words, one of `a/b` after the other; an underscore is a space inside a word. */
export const pairs = (text: string) => list(text).map((pair) => pair.split('/') as [string, string]);
/** Words that stand one after the other; an underscore is a space inside a word. */
export const list = (text: string) => text.split(' ').map((word) => word.replaceAll('_', ' '));

/** The lines of a text in their columns. */
export function rowsOf(text: string): readonly (readonly string[])[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => line.split('|').map((cell) => cell.trim()));
}

export const spaced = (use: string, kind: string) => `${use} ${kind}`;
export const after = (use: string, kind: string) => `${kind} ${use}`;
export const joined = (use: string, kind: string) => `${use}${kind.toLowerCase()}`;
