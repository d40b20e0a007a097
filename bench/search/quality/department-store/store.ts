import { rowsOf } from '../words/shop-words.ts';
import type { StoreWords } from './words/store-words.ts';

/** A kind of products in one language. */
export interface Kind {
  readonly key: string;
  /** Its own key and the keys of all kinds that it is a special one of: what is asked for by their names. */
  readonly within: ReadonlySet<string>;
  readonly gender: string;
  readonly one: string;
  readonly many: string;
  readonly genitive: string;
  readonly forms: readonly string[];
  readonly spellings: readonly string[];
  readonly synonym: string | undefined;
}

/** A colour in one language. */
export interface Colour {
  readonly key: string;
  readonly name: string;
  /** Masculine, feminine and neuter, or one form for all. */
  readonly one: readonly string[];
  readonly many: readonly string[];
  readonly forms: readonly string[];
}

/** The words of a language, read from their tables. */
export interface Store {
  readonly words: StoreWords;
  readonly kinds: readonly Kind[];
  readonly colours: ReadonlyMap<string, Colour>;
  readonly features: readonly (readonly [sentence: string, asked: string])[];
}

export function readStore(words: StoreWords): Store {
  const rows = rowsOf(words.kinds);
  const generic = new Map(rows.map(([first]) => partsOf(first, '<') as [string, string | undefined]));
  const within = (key: string): readonly string[] => {
    const parent = generic.get(key);
    return parent === undefined ? [key] : [key, ...within(parent)];
  };
  return {
    words,
    kinds: rows.map((row) => kindOf(row, within)),
    colours: new Map(rowsOf(words.colours).map((row) => [row[0]!, colourOf(row)])),
    features: rowsOf(words.features).map(([sentence, asked]) => [sentence!, asked!]),
  };
}

function kindOf(
  [first, gender, one, several, forms, spellings, synonym]: readonly string[],
  within: (key: string) => readonly string[],
): Kind {
  const key = partsOf(first, '<')[0]!;
  const [many, genitive = many] = partsOf(several, '/');
  return {
    ...{ key, within: new Set(within(key)), gender: gender!, one: one!, many: many!, genitive: genitive!, synonym },
    ...{ forms: partsOf(forms, ','), spellings: partsOf(spellings, ',') },
  };
}

function colourOf([key, name, one, many, forms]: readonly string[]): Colour {
  return {
    ...{ key: key!, name: name!, one: partsOf(one, '/'), many: partsOf(many, '/') },
    forms: partsOf(forms, ','),
  };
}

function partsOf(cell: string | undefined, between: string): readonly string[] {
  return (cell ?? '').split(between).flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));
}

/** A colour as it agrees with one or several of a kind. */
export function adjectiveOf(colour: Colour, { gender }: Kind, isSeveral: boolean): string {
  const forms = isSeveral || gender === 'p' ? colour.many : colour.one;
  return forms[['m', 'f', 'n'].indexOf(gender)] ?? forms[0]!;
}

/** A text with values in the place of their names in braces. */
export function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{([\w.]+)\}/g, (_, name: string) => values[name]!);
}

export const capitalized = (text: string) => text.replace(/^./u, (first) => first.toLocaleUpperCase('de'));
