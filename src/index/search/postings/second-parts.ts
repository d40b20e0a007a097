import { begunPartsOf, indexedLocale, spellingsOf } from '#words';
import { inAttribute, wordsOfDocument } from '../../../domain/search/words/document-words.ts';
import { eachDocument } from '../../query/rows.ts';
import { intersect, union } from '../../terms/row-sets.ts';
import { termHead } from '../../terms/term-encoding.ts';
import { openTermReader, type TakeRows, type TermReader } from '../../terms/term-reader.ts';
import { placeMarks, wordTerm } from '../../terms/word-terms.ts';
import type { SearchBase } from '../query-terms.ts';
import type { SecondParts } from '../words/plan-words.ts';
import type { Choice } from '../words/word-choices.ts';
import { type Postings, projectionsOf, readBegunWords, readMarkedWords } from './postings.ts';
import { rowsInShort } from './word-places.ts';

/** In so few resources with the first part, the words are read out of the resources: many first parts are rare words. */
const fewBeside = 16;

/**
 * Finds the words that may be the second part of a compound which is still being typed: of `coffeet` those in a name or an attribute
 * beside *coffee* that begin with `t`.
 */
export function createSecondParts(context: SearchBase & { readonly postings: Postings }): SecondParts {
  const { db, projectKey, deadline, postings } = context;

  /** Adds words of the resources themselves. */
  function addOfDocuments(rows: Uint32Array, locale: string, isPart: (word: string) => boolean, found: Set<string>) {
    eachDocument(context, rows, (document) => {
      for (const [word, place] of wordsOfDocument(document).get(locale)?.places ?? []) {
        if (place >= inAttribute && isPart(word)) found.add(word);
      }
    });
  }

  /** Adds words that the index has in one of the rows. */
  function addIndexed(rows: Uint32Array, begun: Choice, isPart: (word: string) => boolean, found: Set<string>) {
    const reader = openTermReader(db);
    for (const projection of projectionsOf(context)) {
      const head = termHead(projectKey, projection);
      const start = wordTerm(head, begun.locale, '').length;
      readShort(reader, head, begun, (term, short) => {
        deadline.check();
        const word = term.slice(start);
        if (isPart(word) && intersect([short, rows]).length > 0) found.add(word);
      });
    }
  }

  return (first, second, asLocale, spaces) => {
    postings.load(first);
    const beside = union(first.map((choice) => postings.of(choice, true)));
    if (beside.length === 0) return [];
    const isPart = begunPartsOf(second, asLocale);
    return spaces.flatMap((space): readonly Choice[] => {
      const locale = indexedLocale(space);
      const found = new Set<string>();
      if (beside.length <= fewBeside) addOfDocuments(beside, locale, isPart, found);
      else for (const word of spellingsOf(second, asLocale)) addIndexed(beside, { locale, word }, isPart, found);
      return [...found].map((word) => ({ locale: space, word }));
    });
  };
}

/** Calls `take` for the words that begin like one, with the rows that have each in a name or an attribute. */
function readShort(reader: TermReader, head: string, begun: Choice, take: TakeRows): void {
  const { place, marks } = placeMarks(begun.locale);
  if (place >= inAttribute) {
    readBegunWords(reader, head, begun, (term, placed) => take(term, rowsInShort(placed)));
    return;
  }
  // Most words stand in texts: the rows of these are not read.
  const short = marks.filter((each) => each.place >= inAttribute);
  const found = readMarkedWords(reader, wordTerm(head, begun.locale, begun.word), short);
  for (const [term, lists] of found) take(term, union(lists));
}
