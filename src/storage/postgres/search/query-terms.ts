import { compareUtf8 } from '../../../domain/predicate/scalar.ts';
import { hasPlainRules } from '../../../domain/search/field-rules.ts';
import type { SearchQuery, TextQuery } from '../../../domain/search/query/query.ts';
import {
  canBeginNearly,
  canBeHead,
  canBeNearHead,
  compoundsOf,
  editsAllowed,
  editsToBeginning,
  editsToHead,
  isLongEnoughToBegin,
  lettersOfHead,
  pairsOf,
  spacesWith,
  splitsOf,
} from '../../../domain/search/words/alternatives.ts';
import { indexedLocale, plainSpaceOf } from '../../../domain/search/words/locales.ts';
import { beginningOf, hasForms, matchesWord, stemOf } from '../../../domain/search/words/stem.ts';
import { addTypos, type KnownWords, planText } from '../../query/plan-words.ts';
import type { QueryText } from '../../query/word-choices.ts';
import type { Connection } from '../open/connection.ts';
import { type NearTo, readNear } from './near-words.ts';

/** Beyond every character: all words with a beginning are less than it with this end. */
const lastCharacter = '\u{10ffff}';

/** The texts of a query with what finds their words. */
export interface FoundWords {
  readonly texts: readonly QueryText[];
  /** Some word is the beginning of more words than are looked for. */
  readonly isCut: boolean;
}

/**
 * Looks up what finds the words of a query in the project's vocabulary, without typos (decision 111). Of the words with a
 * common beginning `mostBegun` of each locale, the shortest first: the index compares each of its rows with all of them.
 */
export async function findWords(connection: Connection, query: SearchQuery, mostBegun: number): Promise<FoundWords> {
  let isCut = false;
  const plainSpaces = hasPlainRules(query.fields) ? await readPlainSpaces(connection, query.projectKey) : [];
  const texts = await Promise.all(
    query.texts.map(async (text) => {
      const lookup = lookupOf(text, query.prefix);
      const known = await gather(spacesWith(text.locale, plainSpaces), async (locale) => {
        const words = await readWords(connection, query.projectKey, locale, { ...lookup, mostBegun });
        if (words.length <= mostBegun) return words;
        const [begun] = lookup.beginnings;
        const isBegun = (word: string) => begun !== undefined && word !== begun && word.startsWith(begun);
        const all = words.filter(isBegun);
        if (all.length <= mostBegun) return words;
        isCut = true;
        const most = new Set(all.sort(byLength).slice(0, mostBegun));
        return words.filter((word) => !isBegun(word) || most.has(word));
      });
      return planText(text, query.prefix, known, plainSpaces);
    }),
  );
  return { texts, isCut };
}

function byLength(left: string, right: string): number {
  return [...left].length - [...right].length || compareUtf8(left, right);
}

/** Adds the words that resemble those of the query. */
export function findTypos(
  connection: Connection,
  { projectKey, fuzzyLevel }: SearchQuery,
  texts: readonly QueryText[],
): Promise<readonly QueryText[]> {
  return Promise.all(
    texts.map(async (text) => {
      const asked = new Set(text.words.flatMap(({ word }) => [word, stemOf(word, text.locale)]));
      const known = await gather(text.spaces, async (locale) => {
        const near = [...asked].flatMap((word): NearTo[] => {
          const most = editsAllowed(word, fuzzyLevel);
          return most === 0 ? [] : [[word, most]];
        });
        const begun = text.words
          .filter(({ word, isUnfinished }) => isUnfinished && canBeginNearly(word, fuzzyLevel))
          .map(({ word }) => readNearBeginnings(connection, projectKey, locale, word, editsAllowed(word, fuzzyLevel)));
        const alike = await readWords(connection, projectKey, locale, lookupOfTypos(text, fuzzyLevel));
        return [...(await Promise.all([readNear(connection, projectKey, locale, near), ...begun])).flat(), ...alike];
      });
      return addTypos(text, fuzzyLevel, known);
    }),
  );
}

/** What the vocabulary is asked for. */
interface Lookup {
  readonly exact: readonly string[];
  /** Words of one stem have their first two characters in common. */
  readonly ofForms: readonly string[];
  readonly beginnings: readonly string[];
  /** So many of them, and one that is the beginning itself, and one more. */
  readonly mostBegun?: number;
  /** Letters of words that may have one of the asked words as their head. */
  readonly ofHeads: readonly string[];
}

function lookupOf({ locale, words, wholes, synonyms, last }: TextQuery, prefix: boolean): Lookup {
  const parts = words.flatMap((word) => splitsOf(word, locale).flat());
  const forms = new Set([
    ...words,
    ...parts,
    ...wholes.map(({ word }) => word),
    ...synonyms.flatMap((each) => each.words),
  ]);
  const begun = last === undefined ? '' : words[last]!;
  const heads = words.filter((word) => canBeHead(word, locale)).map((word) => lettersOfHead(word, locale));
  return {
    exact: [...forms, ...words.flatMap(pairsOf)],
    ofForms: [...new Set([...forms].filter((word) => hasForms(word, locale)).map(beginningOf))],
    beginnings: last !== undefined && isLongEnoughToBegin(begun, prefix) ? [begun] : [],
    ofHeads: [...new Set(heads)],
  };
}

/** What has a typo in its stem, and what ends in a word with one. */
function lookupOfTypos({ words, locale }: QueryText, level: 0 | 1 | 2): Lookup {
  const asked = words.map(({ word }) => word);
  const withForms = asked.filter((word) => hasForms(word, locale) && editsAllowed(word, level) > 0);
  const heads = asked.filter((word) => canBeNearHead(word, locale, level));
  const beginnings = (some: readonly string[]) => [...new Set(some.map(beginningOf))];
  return { exact: [], ofForms: beginnings(withForms), beginnings: [], ofHeads: beginnings(heads) };
}

type Word = { readonly word: string };

async function readWords(
  connection: Connection,
  projectKey: string,
  space: string,
  { exact, ofForms, beginnings, ofHeads, mostBegun = 0 }: Lookup,
): Promise<readonly string[]> {
  const inSpace = 'w.project_key = $1 AND w.locale = $2';
  const rows = await connection.query<Word>({
    name: 'words-asked',
    text: `SELECT w.word FROM word w WHERE ${inSpace} AND w.word = ANY ($3::text[])
      UNION SELECT w.word FROM unnest($4::text[]) b (beginning)
        JOIN word w ON ${inSpace} AND w.word >= b.beginning AND w.word < b.beginning || '${lastCharacter}' AND w.word !~ '[0-9]'
      UNION (SELECT w.word FROM unnest($5::text[]) b (beginning)
        JOIN word w ON ${inSpace} AND w.word >= b.beginning AND w.word < b.beginning || '${lastCharacter}'
        ORDER BY char_length(w.word), w.word LIMIT $6::int)`,
    values: [projectKey, space, exact, ofForms, beginnings, mostBegun + 2],
  });
  const compounds =
    ofHeads.length === 0
      ? []
      : await connection.query<Word>({
          name: 'words-ending',
          text: `SELECT w.word FROM word w WHERE ${inSpace}
            AND EXISTS (SELECT 1 FROM unnest($3::text[]) h (letters) WHERE strpos(w.word, h.letters) > 1)`,
          values: [projectKey, space, ofHeads],
        });
  return [...rows, ...compounds].map(({ word }) => word);
}

/** The words with the same first letter of which some beginning may be near enough, by the same count of edits. */
async function readNearBeginnings(
  connection: Connection,
  projectKey: string,
  space: string,
  asked: string,
  maxEdits: 0 | 1 | 2,
): Promise<readonly string[]> {
  const rows = await connection.query<Word>({
    name: 'words-near-beginning',
    text: `SELECT w.word FROM word w WHERE w.project_key = $1 AND w.locale = $2
      AND w.word >= left($3::text, 1) AND w.word < left($3::text, 1) || '${lastCharacter}' AND w.word !~ '[0-9]'
      AND EXISTS (
        SELECT 1 FROM generate_series(char_length($3::text) - $4::int, char_length($3::text) + $4::int) l (length)
        WHERE public.levenshtein_less_equal(left(w.word, l.length), $3::text, 2 * $4::int) <= 2 * $4::int)`,
    values: [projectKey, space, asked, maxEdits],
  });
  return rows.map(({ word }) => word);
}

/** The spaces of plain words: the database looks up one locale after the other, not all of their words. */
async function readPlainSpaces(connection: Connection, projectKey: string): Promise<readonly string[]> {
  const next = '(SELECT min(w.locale) FROM word w WHERE w.project_key = $1';
  const rows = await connection.query<{ readonly locale: string }>({
    name: 'word-locales',
    text: `WITH RECURSIVE found (locale) AS (SELECT ${next}) UNION ALL
        SELECT ${next} AND w.locale > f.locale) FROM found f WHERE f.locale IS NOT NULL)
      SELECT locale FROM found WHERE locale <> ''`,
    values: [projectKey],
  });
  return rows.map(({ locale }) => plainSpaceOf(locale));
}

/** Reads the words of each space that a text is compared with. */
async function gather(
  spaces: readonly string[],
  read: (locale: string) => Promise<readonly string[]>,
): Promise<(space: string) => KnownWords> {
  const known = new Map<string, KnownWords>();
  for (const locale of new Set(spaces.map(indexedLocale))) known.set(locale, knownWords(await read(locale)));
  return (space) => known.get(indexedLocale(space))!;
}

function knownWords(words: readonly string[]): KnownWords {
  const all = new Set(words);
  const byBeginning = Map.groupBy(all, beginningOf);
  return {
    has: (word) => all.has(word),
    forms(word, locale) {
      if (!hasForms(word, locale)) return all.has(word) ? [word] : [];
      return (byBeginning.get(beginningOf(word)) ?? []).filter((each) => matchesWord(each, word, locale));
    },
    beginning: (word) => [...all].filter((each) => each !== word && each.startsWith(word)),
    compounds: (head, locale) => [...all].filter(compoundsOf(head, locale)),
    near: () => [...all],
    ofNearStem: (word) => byBeginning.get(beginningOf(word)) ?? [],
    nearBeginnings: (word, most) => [...all].filter((each) => editsToBeginning(each, word, most) !== undefined),
    nearCompounds: (word, level) => [...all].filter((each) => editsToHead(each, word, level) !== undefined),
  };
}
