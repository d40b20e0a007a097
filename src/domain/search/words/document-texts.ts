import {
  accentedWordsOf,
  barePartsOf,
  bigramSpansOf,
  codesOf,
  doubledOf,
  joinedPartsOf,
  katakanaRunsOf,
  measureFormsOf,
  readMarkup,
  signedWordsOf,
  unitsOf,
  type VisibleText,
  type WordSpan,
  wordSpansOf,
} from '#words';
import type { JsonObject } from '../../../contract/json.ts';
import {
  eachText,
  inName,
  isSearchedField,
  localeOfText,
  placeOfText,
  type Role,
  roleOf,
  type TakeText,
  type TextPlace,
} from './document-words.ts';

/**
 * The texts of a document one by one, with where each of their words stands: for what looks at single documents. The
 * words are those of `wordsOfDocument`.
 */
export interface DocumentText {
  /** Names, and positions in arrays, from the outside in. */
  readonly path: readonly (string | number)[];
  /** '' for none. */
  readonly locale: string;
  /** A string as a reader sees it, or the text of a number as it is stored. */
  readonly text: string;
  /** Where a part of the text stands in the string; absent where that is the text. */
  readonly writtenRange?: VisibleText['writtenRange'];
  /** The weight of the words of this string; 1: as in a text. */
  readonly place: TextPlace;
  /** Its words, and the other forms in which they are found, such as `10l` for `10 l`. */
  readonly words: readonly WordSpan[];
}

/** Decides whether a text is divided into words at all. */
type IsWanted = (text: string, locale: string, path: DocumentText['path']) => boolean;

/** The texts that have words, in the order of the document, its key at the end. `isWanted` may leave some out. */
export function textsOfDocument(document: JsonObject, isWanted: IsWanted = () => true): readonly DocumentText[] {
  const fields = Object.entries(document).filter(([name]) => isSearchedField(name));
  // A resource that has the word elsewhere shows it there, as people write it.
  const isKey = ([name]: (typeof fields)[number]) => name === 'key';
  const texts: DocumentText[] = [];
  for (const [name, value] of [...fields.filter((field) => !isKey(field)), ...fields.filter(isKey)]) {
    const path: (string | number)[] = [name];
    const take: TakeText = (written, under, role) => {
      const markup = readMarkup(written);
      const text = markup?.text ?? written;
      const locale = localeOfText(text, under);
      const found = isWanted(text, locale, path) ? documentText(text, [...path], locale, role) : undefined;
      if (found) texts.push(markup ? { ...found, writtenRange: markup.writtenRange } : found);
    };
    eachText(value, '', roleOf(name), take, path);
  }
  return texts;
}

function documentText(
  text: string,
  path: readonly (string | number)[],
  locale: string,
  role: Role,
): DocumentText | undefined {
  const spans = wordSpansOf(text);
  if (spans.length === 0) return undefined;
  const place = placeOfText(role, spans.length);
  const isText = place === 1;
  const found = spans.map(({ word }) => word);
  const bare = barePartsOf(found).map(({ form, at }): WordSpan => ({ ...spans[at]!, word: form }));
  const units = [...unitsOf(found), ...(isText ? [] : doubledOf(found))].map(
    ({ form, first, last }): WordSpan => ({ word: form, start: spans[first]!.start, end: spans[last]!.end }),
  );
  const codes = isText ? [] : codesOf(text).map(({ code, start, end }): WordSpan => ({ word: code, start, end }));
  const pairs = place === inName ? bigramSpansOf(text) : [];
  const joined = [
    ...measureFormsOf(text),
    ...joinedPartsOf(text),
    ...signedWordsOf(text),
    ...accentedWordsOf(text),
    ...(isText ? [] : katakanaRunsOf(text)),
  ];
  return { path, locale, text, place, words: [...spans, ...bare, ...units, ...joined, ...codes, ...pairs] };
}
