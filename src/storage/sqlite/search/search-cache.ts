import type { DatabaseSync } from 'node:sqlite';
import { Cache } from '../../../cache/cache.ts';
import type { KeptPlans, WordPlan } from '../../query/plan-words.ts';
import { sql } from '../../query/sql.ts';
import type { Choice } from '../../query/word-choices.ts';
import { inReadTransaction } from '../query/run-list.ts';
import { selectOne } from '../query/statements.ts';
import type { BuildPolicy } from './build-policy.ts';
import { type Columns, createColumns, maxColumnBytes } from './columns/columns.ts';
import { createIdOrders, type IdOrders } from './columns/id-order.ts';
import { createVocabularies, type Vocabularies } from './known/vocabulary.ts';
import { type BegunPlacesCache, createBegunPlacesCache } from './postings/begun-places.ts';

/** What a connection caches from search to search: all of it follows the open snapshot. */
export interface SearchCache {
  readonly vocabularies: Vocabularies;
  readonly columns: Columns;
  readonly idOrders: IdOrders;
  /** As texts: see `plansIn`. */
  readonly plans: Cache<string, string>;
  readonly begunPlaces: BegunPlacesCache;
}

/** Memory for plans of words, and of each with its name. */
const maxPlanBytes = 4 * 1024 * 1024;
const planBytes = 200;

const onlyLatin1 = /^[\0-\xff]*$/;

function bytesOfPlan(text: string): number {
  return planBytes + (onlyLatin1.test(text) ? 1 : 2) * text.length;
}

/** Choices by their locales: words of one stand together. */
type WrittenChoices = readonly (readonly [locale: string, ...words: string[]])[];

function written(choices: readonly Choice[]): WrittenChoices {
  const all: [string, ...string[]][] = [];
  for (const { locale, word } of choices) {
    const last = all.at(-1);
    if (last?.[0] === locale) last.push(word);
    else all.push([locale, word]);
  }
  return all;
}

function read(all: WrittenChoices): readonly Choice[] {
  return all.flatMap(([locale, ...words]) => words.map((word) => ({ locale, word })));
}

/** Plans as they are kept: as objects they take three times the memory, and the same memory has fewer of them. */
export function plansIn(texts: SearchCache['plans']): KeptPlans {
  return {
    get(name) {
      const text = texts.get(name);
      if (text === undefined) return undefined;
      const [forms, compounds, inParts] = JSON.parse(text) as [WrittenChoices, WrittenChoices, WrittenChoices[][]];
      return { forms: read(forms), compounds: read(compounds), inParts: inParts.map((parts) => parts.map(read)) };
    },
    set(name, { forms, compounds, inParts }: WordPlan) {
      const all = [written(forms), written(compounds), inParts.map((parts) => parts.map(written))];
      texts.set(name, JSON.stringify(all));
    },
  };
}

/** An empty cache for a connection that `registerFunctions` prepared. */
export function createSearchCache(db: DatabaseSync, policy: BuildPolicy, columnBytes = maxColumnBytes): SearchCache {
  return {
    vocabularies: createVocabularies(db, policy),
    columns: createColumns(db, policy, columnBytes),
    idOrders: createIdOrders(db, policy),
    begunPlaces: createBegunPlacesCache(),
    plans: new Cache({ maxBytes: maxPlanBytes, bytesOf: bytesOfPlan }),
  };
}

/** True if `advanceSearchCache` has something to do. Most searches leave nothing: that must cost no transaction. */
export function hasUnfinished({ vocabularies, columns, idOrders }: SearchCache): boolean {
  return [vocabularies, columns, idOrders].some((each) => each.hasUnfinished());
}

/** Builds a portion of what searches needed and did not have; true if there is more to do. */
export function advanceSearchCache(db: DatabaseSync, cache: SearchCache): boolean {
  if (!hasUnfinished(cache)) return false;
  const { vocabularies, columns, idOrders } = cache;
  return inReadTransaction(db, () => {
    const commits = lastCommit(db);
    // One after the other: each call is a portion for which other searches may have to wait.
    return idOrders.advance(commits) || columns.advance(commits) || vocabularies.advance();
  });
}

/** The number of the last commit that the indexes have, in the open snapshot. */
export function lastCommit(db: DatabaseSync): number {
  return (selectOne(db, sql`SELECT indexed AS commits FROM store`) as { commits: number }).commits;
}
