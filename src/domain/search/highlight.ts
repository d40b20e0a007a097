import { headsOf, isPlainSpace, isUnspaced, spacesOf, type WordSpan } from '#words';
import type { JsonObject } from '../../contract/json.ts';
import { spaceOfText, weightOfPath } from './field-rules.ts';
import type { MatchResult, SearchQuery, TextQuery } from './query/query.ts';
import { type DocumentText, textsOfDocument } from './words/document-texts.ts';
import { inAttribute } from './words/document-words.ts';
import { phraseRanges } from './words/text-conditions.ts';
import {
  type AnswerOf,
  type Answers,
  headAnswer,
  type PartsAnswer,
  strictAnswers,
  typoAnswers,
} from './words/word-answers.ts';

/** Which words of a document answer a query: by the rules by which it was found, looked up in the document itself. */

/** Words that answer a query in a text: from the first unit up to the last. */
export type Range = readonly [start: number, end: number];

/** A text of a document with words that answer a query. */
export interface MarkedText extends Pick<DocumentText, 'path' | 'locale' | 'text' | 'writtenRange'> {
  /** Ascending, apart from each other, in UTF-16 units. */
  readonly ranges: readonly Range[];
}

/**
 * A marker for a query. `withTypos`: words that a document has in no other way are marked where they are nearly as asked,
 * as on the rungs after the first. `corrected`: the asked words that were taken for others, of which the heads are marked then.
 */
export function createMarker(query: SearchQuery, withTypos: boolean, corrected: MatchResult['corrected'] = {}) {
  const texts = query.texts.map((text) => textMarker(text, query, withTypos, corrected));
  return {
    /** The marked texts of a document. Texts beyond `maxUnits` units are left out. */
    mark(document: JsonObject, maxUnits: number): { readonly texts: readonly MarkedText[]; readonly units: number } {
      let units = 0;
      const localeOf = (locale: string, path: DocumentText['path']) =>
        isPlainSpace(spaceOfText(locale, path, query.fields)) ? '' : locale;
      const isWanted = (text: string, indexed: string, path: DocumentText['path']) => {
        const locale = localeOf(indexed, path);
        const isSearched = texts.some(({ spaces }) => spaces.has(locale));
        if (!isSearched || units + text.length > maxUnits) return false;
        units += text.length;
        return true;
      };
      const found = textsOfDocument(document, isWanted)
        .filter((text) => weightOfPath(text.path, query.fields) > 0)
        .map((text) => ({ ...text, locale: localeOf(text.locale, text.path) }));
      const ranges = found.map((): Range[] => []);
      for (const text of texts) text.mark(found, ranges);
      const marked = found.map((text, at) => ({ ...text, ranges: united(ranges[at]!) }));
      return { texts: marked.filter((text) => text.ranges.length > 0), units };
    },
  };
}

function textMarker(asked: TextQuery, query: SearchQuery, withTypos: boolean, corrected: MatchResult['corrected']) {
  const { locale, small, phrases, inPhrases } = asked;
  const spaces = new Set(spacesOf(locale));
  const answers = asked.words.flatMap((word, at) => {
    if (small.includes(at) || inPhrases.includes(at)) return [];
    const isCorrected = withTypos && query.match !== 'all' && Object.hasOwn(corrected, word);
    const heads = isCorrected ? headsOf(word, locale).map((head) => headAnswer(locale, head)) : [];
    const typos = withTypos ? typoAnswers(asked, at, query) : { words: [], several: [] };
    const near = { words: [...heads, ...typos.words], several: typos.several };
    return [{ word, near, strict: strictAnswers(asked, at, query.prefix) }];
  });
  return {
    /** The locales that it looks at. */
    spaces,
    /** Adds what answers the text to the ranges of each text of a document. */
    mark(texts: readonly DocumentText[], ranges: readonly Range[][]): void {
      for (const [at, { locale: space, text }] of phrases.length > 0 ? texts.entries() : []) {
        if (spaces.has(space)) ranges[at]!.push(...phrases.flatMap(({ words }) => phraseRanges(text, words)));
      }
      const all = texts.flatMap(({ locale: space, words: spans, place }, text): readonly Word[] => {
        return spaces.has(space) ? spans.map((span) => ({ span, text, isShort: place >= inAttribute })) : [];
      });
      const words = Map.groupBy(all, ({ span }) => span.word);
      const foundBy = (given: Answers) => [
        ...given.words.flatMap((answerOf) => answering(words, answerOf)),
        ...given.several.flatMap((parts) => answeringTogether(words, parts)),
      ];
      for (const { word, strict, near } of answers) {
        const found = foundBy(strict);
        const answered = found.length > 0 ? found : foundBy(near);
        for (const { span, text } of answered) ranges[text]!.push(rangeOf(span, word));
      }
    },
  };
}

/** A word of a document. */
interface Word {
  readonly span: WordSpan;
  /** The number of its text. */
  readonly text: number;
  /** In a name or an attribute. */
  readonly isShort: boolean;
}

type Words = ReadonlyMap<string, readonly Word[]>;

function answering(words: Words, answerOf: AnswerOf): readonly Word[] {
  return [...words].flatMap(([word, all]) => {
    const answer = answerOf(word);
    return answer ? all.filter(({ isShort }) => isShort || !answer.isShort) : [];
  });
}

/** The words that are the parts of an answer; none where the document does not have all of them. */
function answeringTogether(words: Words, answer: PartsAnswer): readonly Word[] {
  const found = answer.parts.map((isPart) => answering(words, (word) => (isPart(word) ? answer : undefined)));
  return found.every((part) => part.length > 0) ? found.flat() : [];
}

/** Without spaces between words, only the letters that are asked for. */
function rangeOf({ word, start, end }: WordSpan, asked: string): Range {
  const from = isUnspaced(word) && word.length === end - start ? word.indexOf(asked) : -1;
  return from < 0 ? [start, end] : [start + from, start + from + asked.length];
}

/** The ranges in their order, those that meet as one. */
function united(ranges: readonly Range[]): readonly Range[] {
  const apart: [number, number][] = [];
  for (const [start, end] of ranges.toSorted((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const last = apart.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else apart.push([start, end]);
  }
  return apart;
}
