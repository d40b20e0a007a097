import type { SearchQuery } from '../../../domain/search/query/query.ts';
import { mostFrequent, resemblingWords, type WordCounts } from '../../../index/plan/ladder.ts';
import { sql } from '../../../index/plan/sql.ts';
import {
  type Alternative,
  anyAlternative,
  type Choice,
  looseAlternatives,
  type PlannedWord,
  type QueryText,
} from '../../../index/plan/word-choices.ts';
import { termHead } from '../../../index/terms/term-encoding.ts';
import { wordTerm } from '../../../index/terms/word-terms.ts';
import type { Connection } from '../open/connection.ts';
import type { Selection } from '../query/plan-list.ts';
import { countMatches, runSql } from '../query/run-sql.ts';
import { fromMatches } from '../query/select.ts';
import { termArray, termCondition, textArray } from '../query/term-condition.ts';
import { isSampled, weightOf } from './facets.ts';
import { worthOf } from './rank-terms.ts';
import type { FieldRules } from './rules/field-rules.ts';
import { choicesInIndex, inIndex } from './rules/plain-words.ts';
import { noRuledDocuments } from './rules/ruled-documents.ts';

/** Counts the resources that have the words of a search, in its snapshot. */
export interface WordCounter {
  /**
   * `withTypos`: also those that have them with typos; else these count as the others. What more than `many` words find is
   * estimated in a sample.
   */
  count(texts: readonly QueryText[], withTypos?: boolean, many?: number): Promise<WordCounts>;
  /** Whether a resource has one of the alternatives. */
  has(alternatives: readonly Alternative[]): Promise<boolean>;
  /** The words that are taken for those that no resource has as they were written. */
  correct(texts: readonly QueryText[], counts: WordCounts): Promise<ReadonlyMap<PlannedWord, string>>;
  /** Resources of the project. */
  resources(): Promise<number>;
}

/** Resources of a sample for weights, at most: their logarithm is what counts. */
const sampleSize = 2500;

/** A counter for one search. Without the documents that rules of the project change, words count where terms have them, plain ones where they may be. */
export function createWordCounter(
  connection: Connection,
  { projectKey, staged }: SearchQuery,
  rules: () => FieldRules,
): WordCounter {
  const selected = (conditions: Selection['conditions']): Selection => {
    return { projectKey, staged, conditions, isNarrowed: true, usesEntries: false };
  };
  const withAny = async (alternatives: readonly Alternative[], most?: number) => {
    if (alternatives.length === 0) return 0;
    const has = (some: readonly Alternative[]) =>
      termCondition((projection) => anyAlternative(projectKey, projection, some, { byBeginning: false }), staged);
    const { whole = noRuledDocuments, orPlain } = rules();
    const condition = orPlain(has(alternatives), () => has(inIndex(alternatives)));
    const others = whole.documents.filter(({ document }) => worthOf(document, alternatives) > 0).length;
    return others + (await countMatches(connection, whole.without(selected([condition])), most));
  };

  let counting: Promise<number> | undefined;
  const resources = () => {
    counting ??= countMatches(connection, selected([]));
    return counting;
  };
  let sampling: Promise<{ readonly ids: readonly string[]; readonly weight: number }> | undefined;

  async function sample() {
    const weight = weightOf(await resources(), sampleSize);
    const rows = await runSql<{ id: string }>(
      connection,
      sql`SELECT r.id ${fromMatches(selected([isSampled(weight)]))}`,
    );
    return { ids: rows.map(({ id }) => id), weight };
  }

  /** Terms of a sample are looked up in the list of words, where the index would compare each row with all of them. */
  async function estimate(choices: readonly Choice[]): Promise<number> {
    sampling ??= sample();
    const { ids, weight } = await sampling;
    const head = termHead(projectKey, 'c');
    const own = rules().whole ? choices : choicesInIndex(choices);
    const terms = termArray(own.map(({ locale, word }) => wordTerm(head, locale, word)));
    const [row] = await runSql<{ found: number }>(
      connection,
      sql`SELECT count(DISTINCT s.id) AS found FROM (SELECT r.id, r.terms FROM resource r
          WHERE r.project_key = ${projectKey} AND r.id = ANY (${textArray(ids)}) OFFSET 0) s
        CROSS JOIN LATERAL unnest(s.terms) t (term) JOIN unnest(${terms}) w (term) ON w.term = t.term`,
    );
    return Math.min(await resources(), Math.max(1, row!.found * weight));
  }

  async function correctionOf({ spaces }: QueryText, asked: PlannedWord): Promise<string | undefined> {
    for (const words of resemblingWords(asked)) {
      const found: { readonly word: string; readonly documents: number }[] = [];
      for (const word of words) {
        const choices = spaces.map((space) => ({ locale: space, word }));
        found.push({ word, documents: await withAny([{ factor: 1, isShort: false, parts: [choices] }]) });
      }
      const best = mostFrequent(found);
      if (best !== undefined) return best;
    }
    return undefined;
  }

  return {
    resources,
    has: async (alternatives) => (await withAny(alternatives, 1)) > 0,
    async count(texts, withTypos = true, many = Number.POSITIVE_INFINITY) {
      const strict = new Map<PlannedWord, number>();
      const loose = new Map<PlannedWord, number>();
      const countOf = (alternatives: readonly Alternative[]) => {
        const choices = alternatives.flatMap(({ parts }) => (parts.length === 1 ? parts[0]! : []));
        const isCertain = choices.length <= many || staged || (rules().whole?.documents.length ?? 0) > 0;
        return isCertain ? withAny(alternatives) : estimate(choices);
      };
      for (const word of texts.flatMap(({ words }) => words)) {
        strict.set(word, await countOf(word.strict));
        loose.set(
          word,
          !withTypos || word.typos.length === 0 ? strict.get(word)! : await countOf(looseAlternatives(word)),
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
