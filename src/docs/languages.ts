import type { Language } from '../domain/search/words/languages.ts';
import { markdownPage, markdownTable } from './markdown.ts';

const introduction = [
  'Languages that a search treats in a way of their own (decision 21); how, is told in [search.md](search.md). The language',
  'is the first part of a locale: `text.de` and `text.de-AT` both stem German words. Texts in every other language are',
  'found by their words as they are written, in any case and with or without accents.',
].join('\n');

/** docs/languages.md: every language that search knows, by name. */
export function languagesMarkdown(languages: readonly Language[]): string {
  const rows = languages
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ code, name, stemmer, usesDictionary }) => [
      `\`${code}\``,
      name,
      stemmer ? 'yes' : '–',
      usesDictionary ? 'a dictionary' : 'spaces and punctuation',
    ]);
  const head = ['Code', 'Language', 'Forms of a word find each other', 'Words are told apart by'];
  return markdownPage('Languages of search', [introduction, markdownTable(head, rows)]);
}
