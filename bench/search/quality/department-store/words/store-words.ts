/** Words of a department store in one language: tables have a row a line, and `|` between cells; the last may be left out. */
export interface StoreWords {
  readonly locale: string;
  /** True where a special kind is one word with its kind. */
  readonly compounds?: true;
  /** True where nothing stands between words. */
  readonly unspaced?: true;
  /**
   * Kinds of products: the key, with the key of the kind that it is a special one of; `m`, `f`, `n`, or `p` for what has
   * a plural only; one; several, and several in the genitive where it is asked for; further forms; what people write as
   * well; another name, that some products have.
   */
  readonly kinds: string;
  /**
   * Colours: the key; the name; how it agrees with one thing and with several, in one form or as masculine, feminine and
   * neuter; further forms.
   */
  readonly colours: string;
  /** How a colour and a kind stand together. */
  readonly coloured: string;
  readonly materials: readonly string[];
  /** The names of the departments, in the order of `departments`. */
  readonly departments: readonly string[];
  readonly names: readonly string[];
  /** Sentences that name two other kinds. */
  readonly goesWith: readonly string[];
  readonly fillers: readonly string[];
  /** Sentences of descriptions, with words by which they are asked for. */
  readonly features: string;
  readonly withSmallWords: readonly string[];
  readonly withRequests: readonly string[];
  /** Words that no product has. */
  readonly unknown: readonly string[];
  /** What people ask: the text, the key of the kind, the key of the colour, and the size. */
  readonly sentences: string;
  /** The letters of typos, where they are not the Latin ones. */
  readonly letters?: string;
}
