import { beginningOf, headsOf, lettersOfHead } from '#words';
import type { SearchQuery } from '../../../domain/search/query/query.ts';
import { anyForm, type KnownHead, knownHeads, mayHaveHead, withHead } from '../../../index/plan/plan-heads.ts';
import type { Alternative, PlannedWord, QueryText } from '../../../index/plan/word-choices.ts';
import type { Connection } from '../open/connection.ts';
import { gather } from './known-words.ts';
import { readWords } from './query-terms.ts';

/** Says whether some resource has one of the alternatives. */
export type HasAny = (alternatives: readonly Alternative[]) => Promise<boolean>;

/** A text with the heads of its words that no resource has, as far as the vocabulary knows them. */
export interface TextWithHeads {
  /** With all of these heads as alternatives of their words: what the rules of the project have to know. */
  readonly all: QueryText;
  /** With the longest head of each word that a resource has. */
  choose(has: HasAny): Promise<QueryText>;
}

/** Looks the heads up; undefined where no word of a text has any. */
export async function findHeads(
  connection: Connection,
  { projectKey }: SearchQuery,
  text: QueryText,
  isUnknown: (word: PlannedWord) => Promise<boolean>,
): Promise<TextWithHeads | undefined> {
  const { locale } = text;
  const unknown: PlannedWord[] = [];
  for (const word of text.words) {
    if (mayHaveHead(word, text) && (await isUnknown(word))) unknown.push(word);
  }
  if (unknown.length === 0) return undefined;
  const heads = [...new Set(unknown.flatMap(({ word }) => headsOf(word, locale)))];
  const lookup = { exact: [], ofForms: [], beginnings: [], ofHeads: [] };
  const ofForms = [...new Set(heads.map(beginningOf))];
  const asForms = await gather(text.spaces, (space) =>
    readWords(connection, projectKey, space, { ...lookup, exact: heads, ofForms }),
  );
  const found = new Map(unknown.map((word) => [word, knownHeads(text, word.word, asForms)]));
  const ofHeads = [...new Set([...found.values()].flat().map(({ head }) => lettersOfHead(head, locale)))];
  if (ofHeads.length === 0) return undefined;
  const known = await gather(text.spaces, async (space) => {
    return [...asForms(space).words, ...(await readWords(connection, projectKey, space, { ...lookup, ofHeads }))];
  });
  const taking = (word: PlannedWord, some: readonly KnownHead[]) =>
    some.reduce((own, head) => withHead(own, head, text, known), word);
  return {
    all: { ...text, words: text.words.map((word) => taking(word, found.get(word) ?? [])) },
    async choose(has) {
      const words: PlannedWord[] = [];
      for (const word of text.words) words.push(taking(word, await firstOf(found.get(word) ?? [], has)));
      return { ...text, words };
    },
  };
}

async function firstOf(heads: readonly KnownHead[], has: HasAny): Promise<readonly KnownHead[]> {
  for (const head of heads) if (await has([anyForm(head)])) return [head];
  return [];
}
