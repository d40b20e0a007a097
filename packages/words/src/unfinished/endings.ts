import { type LanguageCode, listsFor } from '../languages.ts';

const loaded = new Map<LanguageCode, readonly string[]>();

/** The endings of a language; none in Japanese and Tamil, nor where words have no forms. */
export function endingsOf(code: LanguageCode): readonly string[] {
  const known = loaded.get(code) ?? listsFor(code)?.endings?.split(' ') ?? [];
  loaded.set(code, known);
  return known;
}
