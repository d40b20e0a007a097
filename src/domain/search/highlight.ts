import type { WordSpan } from '#words';
import {
  begunCompoundsOf,
  begunPartsOf,
  begunSplitsOf,
  canBeginNearly,
  canBeHead,
  canBeNearHead,
  editsBetween,
  editsToBeginning,
  editsToHead,
  headsOf,
  isBegunForm,
  isHeadOf,
  isPlainSpace,
  isUnspaced,
  matchesWord,
  pairsOf,
  spacesOf,
  splitsOf,
} from '#words';
import type { JsonObject } from '../../contract/json.ts';
import { spaceOfText, weightOfPath } from './field-rules.ts';
import type { MatchResult, SearchQuery, TextQuery } from './query/query.ts';
import { formFactor } from './relevance.ts';
import { begunFormsAt, begunWith } from './words/asked-text.ts';
import { type DocumentText, textsOfDocument } from './words/document-texts.ts';
import { inAttribute } from './words/document-words.ts';

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
  /** The marked texts of a document. Texts with which it would have looked at more than `maxUnits` units are left out. */
  mark(document: JsonObject, maxUnits: number): { readonly texts: readonly MarkedText[]; readonly units: number };
}

/** How one word of documents answers the words of a query: a bit for each of them. */
interface Uses {
  readonly anywhere: number;
  /** In names and attributes only. */
  readonly inShort: number;
  /** With typos. */
  readonly nearly: number;
  /** The same, in names and attributes only. */
  readonly nearlyInShort: number;
  /** The parts that it is of alternatives that need several words. */
  readonly parts: readonly PartUse[];
}

interface PartUse {
  readonly alternative: number;
  readonly part: number;
}

/** An alternative that needs several words of a document. */
interface SeveralWords {
  readonly of: number;
  readonly isShort: boolean;
  readonly parts: readonly ((word: string) => boolean)[];
}

/** So many different words are remembered for each text of a query. */
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
      const found = [...textsOfDocument(document, isWanted)]
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
  { prefix, fuzzyLevel, match }: SearchQuery,
  withTypos: boolean,
  corrected: MatchResult['corrected'],
): TextMarker {
  const { locale, words, wholes, small, last } = asked;
  const spaces = new Set(spacesOf(locale));
  const several = severalWords(asked, prefix);
  const begun = words.map((_, at) => begunWith(asked, at, prefix));
  const begunForms = words.map((_, at) => begunFormsAt(asked, at, prefix));
  const isBegunHead = prefix && last !== undefined ? begunCompoundsOf(words[last]!, locale) : undefined;
  const heads = words.map((word) => {
    return withTypos && match !== 'all' && Object.hasOwn(corrected, word) ? headsOf(word, locale) : [];
  });
  const known = new Map<string, Uses>();
  const marked = words.map((_, at) => at).filter((at) => !small.includes(at));

  function usesOf(word: string): Uses {
    const uses = known.get(word) ?? findUses(word);
    if (known.size >= maxKnownWords) known.clear();
    known.set(word, uses);
    return uses;
  }

  function findUses(word: string): Uses {
    let [anywhere, inShort, nearly, nearlyInShort] = [0, 0, 0, 0];
    for (const at of marked) {
      const wanted = words[at]!;
      const begins =
        begun[at]!.some(({ beginning }) => word.startsWith(beginning)) ||
        begunForms[at]!.some((each) => isBegunForm(word, each, locale));
      const isWhole = wholes.some((whole) => whole.of.includes(at) && matchesWord(word, whole.word, locale));
      if (begins || isWhole || formFactor(word, wanted, locale) !== undefined) anywhere |= 1 << at;
      else if (canBeHead(wanted, locale) && isHeadOf(wanted, word, locale)) inShort |= 1 << at;
      else if (at === last && isBegunHead?.(word)) inShort |= 1 << at;
      if (heads[at]!.some((head) => matchesWord(word, head, locale))) nearly |= 1 << at;
      else if (heads[at]!.some((head) => isHeadOf(head, word, locale))) nearlyInShort |= 1 << at;
      if (withTypos && editsBetween(word, wanted, locale, fuzzyLevel) !== undefined) nearly |= 1 << at;
      if (withTypos && prefix && at === last && canBeginNearly(wanted, fuzzyLevel)) {
        if (editsToBeginning(word, wanted, fuzzyLevel) !== undefined) nearly |= 1 << at;
      }
      if (
        withTypos &&
        canBeNearHead(wanted, locale, fuzzyLevel) &&
        editsToHead(word, wanted, fuzzyLevel) !== undefined
      ) {
        nearlyInShort |= 1 << at;
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

function severalWords({ locale, words, synonyms, small, last }: TextQuery, prefix: boolean): readonly SeveralWords[] {
  return words.flatMap((word, of) => {
    if (small.includes(of)) return [];
    const splits = splitsOf(word, locale).map((parts): SeveralWords => {
      return { of, isShort: true, parts: parts.map((part) => (each: string) => matchesWord(each, part, locale)) };
    });
    const begun = prefix && of === last ? begunSplitsOf(word, locale) : [];
    for (const [first, second] of begun) {
      const isFirst = (each: string) => matchesWord(each, first, locale);
      splits.push({ of, isShort: true, parts: [isFirst, begunPartsOf(second, locale)] });
    }
    const own = synonyms
      .filter((one) => one.of.includes(of))
      .map(({ words: needed }): SeveralWords => {
        return { of, isShort: false, parts: needed.map((part) => (each: string) => matchesWord(each, part, locale)) };
      });
    const pairs = pairsOf(word);
    if (pairs.length === 0) return [...splits, ...own];
    return [...splits, ...own, { of, isShort: true, parts: pairs.map((pair) => (each: string) => each === pair) }];
  });
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
