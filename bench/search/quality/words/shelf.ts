/** A small shop in one language, written by hand: each product is a real one, and each question names what answers it. */
export interface Shelf {
  readonly locale: string;
  /** A product a line: its key, its name, who made or wrote it, its code, and a remark; empty where it has none. */
  readonly products: string;
  /** A question a line: its kind, what is asked, and the keys of all products that answer it. */
  readonly questions: string;
  /** The sentence that names two other products. */
  readonly goesWith: (one: string, other: string) => string;
}
