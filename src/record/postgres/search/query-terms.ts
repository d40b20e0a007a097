import {
  beginningOf,
  begunSplitsOf,
  canBeginNearly,
  canBeHead,
  canBeNearHead,
  editsAllowed,
  hasForms,
  leastOfPart,
  lettersOfHead,
  pairsOf,
  plainSpaceOf,
  spacesWith,
  spellingsOf,
  splitsOf,
  stemOf,
} from '#words';
import { hasPlainRules } from '../../../domain/search/field-rules.ts';
import type { SearchQuery, TextQuery } from '../../../domain/search/query/query.ts';
import { begunFormsAt, begunWith } from '../../../domain/search/words/asked-text.ts';
import { addTypos, type KnownIn, planText, type SecondParts, shortestWords } from '../../../index/plan/plan-words.ts';
import type { QueryText } from '../../../index/plan/word-choices.ts';
import type { Connection } from '../open/connection.ts';
import { gather } from './known-words.ts';
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
  const { projectKey, prefix } = query;
  let isCut = false;
  const onCut = () => {
    isCut = true;
  };
  const plainSpaces = hasPlainRules(query.fields) ? await readPlainSpaces(connection, projectKey) : [];
  const texts = await Promise.all(
    query.texts.map(async (text) => {
      const spaces = spacesWith(text.locale, plainSpaces);
      const lookup = { ...lookupOf(text, prefix), mostBegun };
      const known = await gather(spaces, (locale) => readWords(connection, projectKey, locale, lookup));
      const begun = prefix ? begunPartsOfText(text, spaces, known) : [];
      const all =
        begun.length === 0
          ? known
          : await gather(spaces, async (locale) => [
              ...known(locale).words,
              ...(await readBegunParts(connection, projectKey, locale, begun, mostBegun)),
            ]);
      const secondParts: SecondParts = (_, second, locale) =>
        spaces.flatMap((space) => {
          const words = shortestWords(all(space).begunParts(second, locale), mostBegun, onCut);
          return words.map((word) => ({ locale: space, word }));
        });
      return planText(text, prefix, all, plainSpaces, { secondParts, mostBegun, onCut });
    }),
  );
  return { texts, isCut };
}

/** The beginning of a word, which has at least so many letters. */
interface BegunPart {
  readonly beginning: string;
  readonly least: number;
}

/** The second parts of the last word, which is still being typed, that follow a known word. */
function begunPartsOfText(
  { words, locale, last }: TextQuery,
  spaces: readonly string[],
  known: KnownIn,
): readonly BegunPart[] {
  if (last === undefined) return [];
  const isKnown = (part: string) => spaces.some((space) => known(space).forms(part, locale).length > 0);
  const begun = begunSplitsOf(words[last]!, locale).filter(([first]) => isKnown(first));
  const seconds = [...new Set(begun.map(([, second]) => second))];
  return seconds.flatMap((second) => {
    return spellingsOf(second, locale).map((beginning) => ({ beginning, least: leastOfPart(second) }));
  });
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
  /** So many of each, and one that is the beginning itself, and one more. */
  readonly mostBegun?: number;
  /** Letters of words that may have one of the asked words as their head. */
  readonly ofHeads: readonly string[];
}

function lookupOf(text: TextQuery, prefix: boolean): Lookup {
  const { locale, words, wholes, synonyms, last } = text;
  const begun = words.flatMap((_, at) => begunWith(text, at, prefix));
  const parts = words.flatMap((word) => splitsOf(word, locale).flat());
  const firsts = prefix && last !== undefined ? begunSplitsOf(words[last]!, locale).map(([first]) => first) : [];
  const forms = new Set([
    ...words,
    ...words.flatMap((_, at) => begunFormsAt(text, at, prefix)),
    ...parts,
    ...firsts,
    ...wholes.map(({ word }) => word),
    ...synonyms.flatMap((each) => each.words),
  ]);
  const heads = words.filter((word) => canBeHead(word, locale)).map((word) => lettersOfHead(word, locale));
  return {
    exact: [...forms, ...words.flatMap(pairsOf)],
    ofForms: [...new Set([...forms].filter((word) => hasForms(word, locale)).map(beginningOf))],
    beginnings: [...new Set(begun.map(({ beginning }) => beginning))],
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

export async function readWords(
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
      UNION SELECT w.word FROM unnest($5::text[]) b (beginning) CROSS JOIN LATERAL (SELECT w.word FROM word w
        WHERE ${inSpace} AND w.word >= b.beginning AND w.word < b.beginning || '${lastCharacter}'
        ORDER BY char_length(w.word), w.word LIMIT $6::int) w`,
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

/** Words that begin like one of some parts, and may be parts themselves. Of each as many as are looked for, and one more. */
async function readBegunParts(
  connection: Connection,
  projectKey: string,
  space: string,
  begun: readonly BegunPart[],
  mostBegun: number,
): Promise<readonly string[]> {
  const rows = await connection.query<Word>({
    name: 'words-begun-parts',
    text: `SELECT w.word FROM unnest($3::text[], $4::int[]) b (beginning, least) CROSS JOIN LATERAL (SELECT w.word FROM word w
        WHERE w.project_key = $1 AND w.locale = $2 AND w.word >= b.beginning AND w.word < b.beginning || '${lastCharacter}'
          AND (b.beginning ~ '[0-9]' OR w.word !~ '[0-9]') AND char_length(w.word) >= b.least
        ORDER BY char_length(w.word), w.word LIMIT $5::int) w`,
    values: [
      projectKey,
      space,
      begun.map(({ beginning }) => beginning),
      begun.map(({ least }) => least),
      mostBegun + 1,
    ],
  });
  return rows.map(({ word }) => word);
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
