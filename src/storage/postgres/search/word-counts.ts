import type { SearchQuery } from '../../../domain/search/query/query.ts';
import { spacesOf } from '../../../domain/search/words/alternatives.ts';
import { mostFrequent, resemblingWords, type WordCounts } from '../../query/ladder.ts';
import {
  type Alternative,
  anyAlternative,
  looseAlternatives,
  type PlannedWord,
  type QueryText,
} from '../../query/word-choices.ts';
import type { Connection } from '../open/connection.ts';
import type { Selection } from '../query/plan-list.ts';
import { countMatches } from '../query/run-sql.ts';
import { termCondition } from '../query/term-condition.ts';
import { worthOf } from './rank-terms.ts';
import type { RuledDocuments } from './ruled-documents.ts';

/** Counts the resources that have the words of a search, in its snapshot. */
export interface WordCounter {
  /** `withTypos`: also those that have them with typos; else these count as the others. */
  count(texts: readonly QueryText[], withTypos?: boolean): Promise<WordCounts>;
  /** The words that are taken for those that no resource has as they were written. */
  correct(texts: readonly QueryText[], counts: WordCounts): Promise<ReadonlyMap<PlannedWord, string>>;
  /** Resources of the project. */
  resources(): Promise<number>;
}

/** A counter for one search. */
export function createWordCounter(
  connection: Connection,
  { projectKey, staged }: SearchQuery,
  ruled: () => RuledDocuments,
): WordCounter {
  const selected = (conditions: Selection['conditions']): Selection => {
    return { projectKey, staged, conditions, isNarrowed: true, usesEntries: false };
  };
  const withAny = async (alternatives: readonly Alternative[]) => {
    if (alternatives.length === 0) return 0;
    const condition = termCondition(
      (projection) => anyAlternative(projectKey, projection, alternatives, { byBeginning: false }),
      staged,
    );
    const others = ruled().documents.filter(({ document }) => worthOf(document, alternatives) > 0).length;
    return others + (await countMatches(connection, ruled().without(selected([condition]))));
  };

  async function correctionOf({ locale }: QueryText, asked: PlannedWord): Promise<string | undefined> {
    for (const words of resemblingWords(asked)) {
      const found: { readonly word: string; readonly documents: number }[] = [];
      for (const word of words) {
        const choices = spacesOf(locale).map((space) => ({ locale: space, word }));
        found.push({ word, documents: await withAny([{ factor: 1, isShort: false, parts: [choices] }]) });
      }
      const best = mostFrequent(found);
      if (best !== undefined) return best;
    }
    return undefined;
  }

  return {
    resources: () => countMatches(connection, selected([])),
    async count(texts, withTypos = true) {
      const strict = new Map<PlannedWord, number>();
      const loose = new Map<PlannedWord, number>();
      for (const word of texts.flatMap(({ words }) => words)) {
        strict.set(word, await withAny(word.strict));
        loose.set(
          word,
          !withTypos || word.typos.length === 0 ? strict.get(word)! : await withAny(looseAlternatives(word)),
        );
      }
      return { strict: (word) => strict.get(word)!, loose: (word) => loose.get(word)! };
    },
    async correct(texts, counts) {
      const corrections = new Map<PlannedWord, string>();
      for (const text of texts) {
        for (const word of text.words) {
          if (!word.isRequired || counts.strict(word) > 0) continue;
          const taken = await correctionOf(text, word);
          if (taken !== undefined) corrections.set(word, taken);
        }
      }
      return corrections;
    },
  };
}
