import type { SearchDocument } from './corpus.ts';
import type { Question } from './questions.ts';
import { languages } from './vocabulary.ts';

/** A search library that lives in the memory of its process: what the bench asks of it. */
export interface Library {
  readonly name: string;
  add(documents: readonly FlatDocument[]): Promise<void>;
  /** Number of matches, all facets counted and the page made. */
  search(question: Question): Promise<number>;
  /** Throws where the text would be longer than a JavaScript string can be. */
  save(): string;
  load(text: string): void;
}

/** A document as libraries take it: fields without nesting, one text field for each language. */
export interface FlatDocument {
  readonly id: string;
  readonly en: string;
  readonly de: string;
  readonly fr: string;
  readonly color: string;
  readonly brand: string;
  readonly series: string;
  readonly price: number;
}

/** The fields of a document that a library is given. */
export function flatten({ key, name, description, color, brand, series, price }: SearchDocument): FlatDocument {
  const [en, de, fr] = languages.map((language) => `${name[language]} ${description[language]}`);
  return { id: key, en: en!, de: de!, fr: fr!, color, brand, series, price };
}

/** Edits that a word may be away with `fuzzy`: the service's own rule, for all. */
export function editsFor(word: string): number {
  if (word.length < 3) return 0;
  return word.length < 6 ? 1 : 2;
}
