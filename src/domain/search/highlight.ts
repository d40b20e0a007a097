import { headsOf, isPlainSpace, isUnspaced, spacesOf, type WordSpan } from '#words';
import type { JsonObject } from '../../contract/json.ts';
import { spaceOfText, weightOfPath } from './field-rules.ts';
import type { MatchResult, SearchQuery, TextQuery } from './query/query.ts';
import { type DocumentText, textsOfDocument } from './words/document-texts.ts';
import { inAttribute } from './words/document-words.ts';
import { type AnswerOf, headAnswer, type PartsAnswer, strictAnswers, typoAnswers } from './words/word-answers.ts';

/** Which words of a document answer a query: by the rules by which it was found, looked up in the document itself. */

/** Words that answer a query in a text: from the first unit up to the last. */
export type Range = readonly [start: number, end: number];

/** A text of a document with words that answer a query. */
export interface MarkedText {
  readonly path: DocumentText['path'];
  readonly locale: string;
  readonly text: string;
  /** Ascending, apart from each other, in UTF-16 units. */
  readonly ranges: readonly Range[];
}

export interface Marker {
  /** The marked texts of a document. Texts beyond `maxUnits` units are left out. */
  mark(document: JsonObject, maxUnits: number): { readonly texts: readonly MarkedText[]; readonly units: number };
}

/** How one word of documents answers the words of a query: a bit for each of them. */
interface Uses {
  readonly anywhere: number;
  /** In names and attributes only. */
  readonly inShort: number;
  /** With typos. */
  readonly nearly: number;
  /** `nearly` in names and attributes only. */
  readonly nearlyInShort: number;
  /** The parts that it is of alternatives that need several words. */
  readonly parts: readonly PartUse[];
}

interface PartUse {
  readonly alternative: number;
  readonly part: number;
}

/** An alternative that needs several words of a document; `of`: the place of the asked word. */
type SeveralWords = PartsAnswer & { readonly of: number };

/** Number of different words that are cached for each text of a query. */
const maxKnownWords = 50_000;

/**
 * A marker for a query. `withTypos`: words that a document has in no other way are marked where they are nearly as asked,
 * as on the rungs after the first. `corrected`: the asked words that were taken for others, of which the heads are marked then.
 */
export function createMarker(query: SearchQuery, withTypos: boolean, corrected: MatchResult['corrected'] = {}): Marker {
  const texts = query.texts.map((text) => textMarker(text, query, withTypos, corrected));
  return {
    mark(document, maxUnits) {
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

interface TextMarker {
  /** The locales that it looks at. */
  readonly spaces: ReadonlySet<string>;
  /** Adds what answers the text to the ranges of each text of a document. */
  mark(texts: readonly DocumentText[], ranges: readonly Range[][]): void;
}

function textMarker(
  asked: TextQuery,
  query: SearchQuery,
  withTypos: boolean,
  corrected: MatchResult['corrected'],
): TextMarker {
  const { locale, words, small } = asked;
  const spaces = new Set(spacesOf(locale));
  const marked = words.map((_, at) => at).filter((at) => !small.includes(at));
  const answers = marked.map((at) => {
    const word = words[at]!;
    const isCorrected = withTypos && query.match !== 'all' && Object.hasOwn(corrected, word);
    const heads = isCorrected ? headsOf(word, locale).map((head) => headAnswer(locale, head)) : [];
    const near: readonly AnswerOf[] = withTypos ? [...heads, ...typoAnswers(asked, at, query)] : [];
    return { at, near, ...strictAnswers(asked, at, query.prefix) };
  });
  const several = answers.flatMap(({ at, several: own }) => own.map((one): SeveralWords => ({ ...one, of: at })));
  const known = new Map<string, Uses>();

  function usesOf(word: string): Uses {
    const uses = known.get(word) ?? findUses(word);
    if (known.size >= maxKnownWords) known.clear();
    known.set(word, uses);
    return uses;
  }

  function findUses(word: string): Uses {
    let [anywhere, inShort, nearly, nearlyInShort] = [0, 0, 0, 0];
    for (const { at, words: strict, near } of answers) {
      for (const answerOf of strict) {
        const answer = answerOf(word);
        if (answer?.isShort) inShort |= 1 << at;
        else if (answer) anywhere |= 1 << at;
      }
      for (const answerOf of near) {
        const answer = answerOf(word);
        if (answer?.isShort) nearlyInShort |= 1 << at;
        else if (answer) nearly |= 1 << at;
      }
    }
    const parts = several.flatMap((one, alternative) =>
      one.parts.flatMap((isPart, part) => (isPart(word) ? [{ alternative, part }] : [])),
    );
    return { anywhere, inShort, nearly, nearlyInShort, parts };
  }

  /** Without spaces between words, only the letters that are asked for. */
  function rangesOf({ word, start, end }: WordSpan, answered: number): readonly Range[] {
    if (!isUnspaced(word) || word.length !== end - start) return [[start, end]];
    return marked
      .filter((at) => (answered & (1 << at)) !== 0)
      .map((at): Range => {
        const asked = words[at]!;
        const from = word.indexOf(asked);
        return from < 0 ? [start, end] : [start + from, start + from + asked.length];
      });
  }

  return {
    spaces,
    mark(texts, ranges) {
      const own = texts.map(({ locale: space, words: spans, place }, text) => {
        if (!spaces.has(space)) return [];
        return spans.map((span) => ({ span, text, isShort: place >= inAttribute, uses: usesOf(span.word) }));
      });
      const all = own.flat();
      const complete = completeOf(several, all);
      const counts = ({ uses, isShort }: (typeof all)[number]) => {
        let bits = uses.anywhere | (isShort ? uses.inShort : 0);
        for (const { alternative } of uses.parts) {
          const { of, isShort: onlyShort } = several[alternative]!;
          if (complete.has(alternative) && (isShort || !onlyShort)) bits |= 1 << of;
        }
        return bits;
      };
      const bits = all.map(counts);
      const found = bits.reduce((sum, each) => sum | each, 0);
      for (const [at, { span, text, isShort, uses }] of all.entries()) {
        const near = uses.nearly | (isShort ? uses.nearlyInShort : 0);
        const answered = bits[at]! | (near & ~found);
        if (answered !== 0) ranges[text]!.push(...rangesOf(span, answered));
      }
    },
  };
}

/** The alternatives of which a document has all parts. */
function completeOf(
  several: readonly SeveralWords[],
  words: readonly { readonly uses: Uses; readonly isShort: boolean }[],
): ReadonlySet<number> {
  const found = new Map<number, Set<number>>();
  for (const { uses, isShort } of words) {
    for (const { alternative, part } of uses.parts) {
      if (several[alternative]!.isShort && !isShort) continue;
      found.set(alternative, (found.get(alternative) ?? new Set()).add(part));
    }
  }
  const complete = [...found].filter(([alternative, parts]) => parts.size === several[alternative]!.parts.length);
  return new Set(complete.map(([alternative]) => alternative));
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
