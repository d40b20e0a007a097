import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { JsonObject } from '../../src/contract/json.ts';
import { rungs } from '../../src/contract/search-pages.ts';
import { parseStoredJson, stringifyJson } from '../../src/domain/json/parse.ts';
import { pathSyntax } from '../../src/domain/json/path-syntax.ts';
import type { SearchPage } from '../../src/domain/ports/list-query.ts';
import type { Documents } from '../../src/domain/ports/resource-store.ts';
import { hourOf } from '../../src/domain/search/boosts.ts';
import type { Explanation } from '../../src/domain/search/explain.ts';
import { explain } from '../../src/domain/search/explain.ts';
import { parseSearch } from '../../src/domain/search/query/parse-search.ts';
import type { Rung, SearchQuery } from '../../src/domain/search/query/query.ts';
import { noSettings, type SearchSettings } from '../../src/domain/search/settings.ts';
import {
  type AnyResource,
  anyResource,
  anySearch,
  resourceOf,
  someSettings,
} from '../domain/search/arbitrary-search.ts';
import { evaluateSearch, type LastItem, type SearchedResource } from '../domain/search/reference.ts';
import type { Rank } from '../domain/search/reference-text.ts';
import { sampleOf } from '../rounds.ts';
import { testSeed } from '../seed.ts';
import { facetsOf } from './facets-of.ts';

/** An engine that random searches are run on. */
export interface SearchedEngine {
  readonly name: string;
  /** Each round has documents and searches in a project of its own. */
  readonly rounds: number;
  readonly searchesOfRound: number;
  /** One of so many names and words is typed: 1 for all. */
  readonly typesOneOf: number;
  /** An empty store. */
  open(): Promise<SearchedStore>;
}

export interface SearchedStore {
  /** Creates, overwrites or (without documents) deletes a resource. */
  write(projectKey: string, id: string, documents: Documents | undefined): Promise<void> | void;
  /** The number selects settings of the engine. */
  search(query: SearchQuery, choice: number): Promise<SearchPage> | SearchPage;
  close(): Promise<void>;
}

const documentsOfRound = 50;
/** Searches between two changes of the documents, which everything that is cached from search to search must follow. */
const searchesBetweenChanges = 25;

/** The first of so many searches is followed from page to page. */
const searchesBetweenWalks = 11;
/** After so many of its pages documents change. */
const changesOfWalk = 3;

/** Searches return what the reference among the tests does. Every engine runs it. */
export function searchAgreementSuite({ name, rounds, searchesOfRound, typesOneOf, open }: SearchedEngine): void {
  const counts = [rounds * searchesOfRound, rounds * documentsOfRound].map((count) => count.toLocaleString('en'));
  test(`${counts[0]} random searches of ${counts[1]} random documents that change meanwhile, on ${name}: results, order, totals and facets as the reference has them`, async () => {
    const store = await open();
    try {
      for (let round = 0; round < rounds; round += 1) await runRound(store, round, searchesOfRound);
    } finally {
      await store.close();
    }
  });

  test(`words that are typed in other spellings, on ${name}: what a beginning finds the longer ones do, as the reference has it`, async () => {
    const store = await open();
    try {
      await typeSpellings(store, asNames, typesOneOf);
    } finally {
      await store.close();
    }
  });

  test(`the same on ${name} where the settings say that texts are in no language`, async () => {
    const store = await open();
    try {
      await typeSpellings(store, asLabels, typesOneOf);
    } finally {
      await store.close();
    }
  });

  test(`words that are typed with slips, on ${name}: what begins like them, rungs and completions as the reference has them`, async () => {
    const store = await open();
    try {
      await typeWords(store, typesOneOf);
    } finally {
      await store.close();
    }
  });
}

/** A name with a text that finds it when it is whole. */
const spelledNames = [
  ['de', 'Größentabelle', 'groessentabelle'],
  ['de', 'Groessentabelle', 'größentabelle'],
  ['de', 'Türschloss', 'tuerschloss'],
  ['de', 'Tuerschlösser', 'türschloesser'],
  ['de', 'Kinderschuhe', 'kinder schuhe'],
  ['de', 'Kindertür', 'kinder tuer'],
  ['de', 'Arbeitshose', 'arbeit hose'],
  ['de', 'Garten Tür', 'gartentuer'],
  ['de', 'Arbeit Hose', 'arbeitshose'],
  ['nl', 'Keukenstoel', 'keuken stoel'],
  ['en', 'coffee table', 'coffeetable'],
  ['en', 'iPhone 15 Pro', 'iphone15'],
  ['en', 'AB-12/75', 'ab 1275'],
  ['ko', '청소기 필터', '청소기필터'],
  ['en', 'run', 'running'],
  ['en', 'homerun', 'home running'],
  ['sv', 'Regnbyxa', 'byxorna'],
  ['fr', 'cheval', 'chevaux'],
] as const;

/** Where the names stand, and what the settings say of it. */
interface Spelled {
  readonly projectKey: string;
  readonly fieldsOf: (locale: string, name: string, at: number) => JsonObject;
  readonly settings: SearchSettings;
}

const asNames: Spelled = {
  projectKey: 'spelled',
  fieldsOf: (locale, name) => ({ name: { [locale]: name } }),
  settings: noSettings,
};

/** Under a name that is the locale of the search, or of another language. */
const asLabels: Spelled = {
  projectKey: 'labelled',
  fieldsOf: (locale, name, at) => ({ label: { [at % 2 === 0 ? 'uk' : locale]: name } }),
  settings: { ...noSettings, fields: [{ path: ['label'], isPlain: true }] },
};

async function typeSpellings(
  store: SearchedStore,
  { projectKey, fieldsOf, settings }: Spelled,
  typesOneOf: number,
): Promise<void> {
  const named = spelledNames.map(([locale, name], at) => fieldsOf(locale, name, at));
  // What begins alike in part, has one word of two, has both in a text only, or has more letters than are looked for.
  const others = [
    { name: { de: 'Grossist' }, description: { de: 'Garten, Tür' } },
    { name: { en: 'coffee', de: 'Kinder' }, description: { en: 'for your table 15' } },
    { name: { en: 'table', de: 'Schuhe' } },
    { name: { en: 'coffee taboo', de: 'Kinderschutz' } },
    { name: { en: 'coffee ta', de: 'Tuer' } },
    { name: { uk: 'Größen Türen Kinderschuh coffee' } },
  ];
  const all = [...named, ...others].map((fields, at) =>
    resourceOf(`s${at}`, { key: null, fields, staged: null, second: at % 3 }),
  );
  for (const resource of all) await store.write(projectKey, idOf(resource), resource);
  let choice = 0;
  for (const [at, [locale, , text]] of sampleOf([...spelledNames.entries()], typesOneOf)) {
    let isFound = false;
    for (let letters = 1; letters <= text.length; letters += 1) {
      const typed = text.slice(0, letters);
      for (const fuzzy of [false, true]) {
        const asked = { [`text.${locale}`]: typed, prefix: true, fuzzy };
        const parsed = parseSearch(new Map(Object.entries(asked)), projectKey, settings);
        const query: SearchQuery = { ...parsed, suggest: 5, explain: true };
        const expected = evaluateSearch(all, query);
        const found = await store.search(query, choice);
        choice += 1;
        const results = parseStoredJson(`[${found.results}]`) as unknown as readonly JsonObject[];
        const ids = results.map(({ id }) => id as string);
        assert.deepEqual(ids, expected.ids, typed);
        assert.deepEqual(found.match, expected.match, typed);
        const completions = found.completions?.map(({ word, count }) => ({ word, count }));
        assert.deepEqual(completions, expected.completions, typed);
        for (const [n, result] of results.entries()) {
          assertExplains(explain(result, query, found.weights!, pathSyntax)!, expected.ranks[n]!, typed);
        }
        if (fuzzy) continue;
        if (isFound) assert.ok(ids.includes(`s${at}`), `${typed} finds what ${text.slice(0, letters - 1)} does`);
        isFound = ids.includes(`s${at}`) && (isFound || letters >= 3 || locale === 'ko');
      }
    }
    assert.ok(isFound, text);
  }
}

/** Words that are typed with each slip at each place, and others that begin alike. */
const typedWords = [
  'Wintermantel',
  'Winterstiefel',
  'Wasserkocher',
  'Wanderschuh',
  'Gießkanne',
  'Shirt',
  'Shirts',
  'Wint3000',
];

async function typeWords(store: SearchedStore, typesOneOf: number): Promise<void> {
  const all = typedWords.map((word, at) => {
    return resourceOf(`t${at}`, {
      key: null,
      fields: { name: { de: word, en: `${word}x` } },
      staged: null,
      second: at % 3,
    });
  });
  for (const resource of all) await store.write('typed', idOf(resource), resource);
  let begun = 0;
  for (const [at, text] of sampleOf([...typedWords.flatMap(withSlips).entries()], typesOneOf)) {
    const asked = { [at % 3 === 0 ? 'text.en' : 'text.de']: text, prefix: true, fuzzy: true, match: 'all' };
    const query: SearchQuery = { ...parseSearch(new Map(Object.entries(asked)), 'typed'), suggest: 5 };
    const expected = evaluateSearch(all, query);
    const found = await store.search(query, at);
    const ids = (parseStoredJson(`[${found.results}]`) as unknown as { readonly id: string }[]).map(({ id }) => id);
    assert.deepEqual(ids, expected.ids, text);
    assert.deepEqual(found.match, expected.match, text);
    const completions = found.completions?.map(({ word, count }) => ({ word, count }));
    assert.deepEqual(completions, expected.completions, text);
    if (ids.length > 0 && expected.match!.rung === 'typos') begun += 1;
  }
  assert.ok(begun > 100 / typesOneOf, `${begun} found with typos`);
}

/** Beginnings of a word with two letters swapped, one left out, or one replaced. */
function withSlips(word: string): readonly string[] {
  return [1, 2, 4].flatMap((at) => {
    const [before, one, other, after] = [word.slice(0, at), word[at]!, word[at + 1] ?? '', word.slice(at + 2)];
    const slips = [before + other + one + after, before + other + after, `${before}q${other}${after}`];
    return slips.flatMap((slip) => [3, 4, 5, 7, 9].map((length) => slip.slice(0, length)));
  });
}

const groupPaths = [['color'], ['size'], ['variants', 'size'], ['released'], ['missing'], ['createdAt']];
const firstHour = hourOf(Date.parse('2024-01-01'));

async function runRound(store: SearchedStore, round: number, searches: number): Promise<void> {
  const seed = testSeed + round;
  const projectKey = `p${round}`;
  const all = new Map<string, SearchedResource>();
  const put = async (id: string, any: AnyResource | undefined) => {
    const documents = any && resourceOf(id, any);
    await store.write(projectKey, id, documents);
    if (documents) all.set(id, documents);
    else all.delete(id);
  };
  /** Replaces, deletes and adds some documents. */
  const change = async (number: number) => {
    for (const [n, any] of fc.sample(anyResource, { numRuns: 8, seed: seed + number }).entries()) {
      await put(`r${(n * 7 + number) % (documentsOfRound + 2)}`, n % 5 === 4 ? undefined : any);
    }
  };
  for (const [at, any] of fc.sample(anyResource, { numRuns: documentsOfRound, seed }).entries()) {
    await put(`r${at}`, any);
  }
  for (const [at, values] of fc.sample(anySearch, { numRuns: searches, seed }).entries()) {
    if (at % searchesBetweenChanges === searchesBetweenChanges - 1) {
      await change(at);
    }
    const settings = someSettings[Math.trunc(at / 3) % someSettings.length]!;
    const parsed = { ...parseSearch(values, projectKey, settings), hour: firstHour + (at % 50) };
    const more = { ...(at % 3 === 0 && { suggest: 4 }), ...(at % 2 === 0 && { explain: true }) };
    const pinned = [`r${at % 60}`, `key=shoe-r${at % 13}`, `r${(at * 7) % 50}`, `key=x-1-r${at % 9}`, `r${at % 13}`];
    const ungrouped: SearchQuery =
      parsed.texts.length > 0
        ? { ...parsed, ...more, ...(at % 6 === 4 && parsed.sort.length === 0 && { pinned }) }
        : parsed;
    const group = groupPaths[at % groupPaths.length];
    const query: SearchQuery = { ...ungrouped, ...(at % 7 === 3 && group && { group }) };
    const expected = evaluateSearch([...all.values()], query);
    const found = await store.search(query, at);
    const results = parseStoredJson(`[${found.results}]`) as unknown as { readonly id: string }[];
    const ids = results.map(({ id }) => id);
    const message = `round ${round}, search ${at}: ${stringifyJson(Object.fromEntries(values) as never)}`;
    assert.deepEqual(ids, expected.ids, message);
    assert.equal(found.count, ids.length, message);
    assert.equal(found.total, query.withTotal ? expected.total : undefined, message);
    assert.deepEqual(facetsOf(found), asJson(expected.facets), message);
    assert.deepEqual(found.groups, expected.groups, message);
    assert.deepEqual(found.match, expected.match, message);
    const corrections = new Set(Object.values(found.match?.corrected ?? {}));
    assert.deepEqual(new Set(Object.keys(found.written ?? {})), corrections, message);
    const completions = found.completions?.map(({ word, count }) => ({ word, count }));
    assert.deepEqual(completions, expected.completions, message);
    assert.equal(found.weights !== undefined, query.explain === true, message);
    for (const [n, result] of (query.explain ? results : []).entries()) {
      const explanation = explain(result as unknown as JsonObject, query, found.weights!, pathSyntax)!;
      assertExplains(explanation, expected.ranks[n]!, message);
    }
    if (at % searchesBetweenWalks === 0 && !query.group) {
      const paged = { ...query, limit: 2 + (at % 13), offset: 0, withTotal: at % 2 === 0 };
      await walkPages(store, paged, { all, at, change }, message);
    }
  }
}

/** Zero has no sign in JSON. */
function asJson(facets: ReturnType<typeof facetsOf>): ReturnType<typeof facetsOf> {
  return JSON.parse(JSON.stringify(facets));
}

interface Walk {
  /** What there is, by id; follows `change`. */
  readonly all: ReadonlyMap<string, SearchedResource>;
  readonly at: number;
  readonly change: (number: number) => Promise<void>;
}

/**
 * Follows a search from page to page while documents change. Each page is what the reference ranks behind the one before.
 * What nobody wrote is met exactly once, if it is found at all.
 */
async function walkPages(store: SearchedStore, query: SearchQuery, walk: Walk, message: string): Promise<void> {
  const { all, at, change } = walk;
  const first = [...all.values()];
  const whole = evaluateSearch(first, { ...query, limit: first.length }).ids;
  const met: string[] = [];
  let after: SearchQuery['after'];
  let last: LastItem | undefined;
  let rung: Rung | undefined;
  for (let number = 0; number === 0 || after !== undefined; number += 1) {
    const place = `${message}, page ${number} of ${query.limit}`;
    // Later pages judge recency as the first one did.
    const page = await store.search({ ...query, after, hour: query.hour + 100 * number }, at + number);
    const expected = evaluateSearch([...all.values()], query, last && { first, rung, last });
    const results = parseStoredJson(`[${page.results}]`) as unknown as { readonly id: string }[];
    const ids = results.map(({ id }) => id);
    assert.deepEqual(ids, expected.ids, place);
    assert.equal(page.total, query.withTotal ? expected.total : undefined, place);
    assert.deepEqual(page.match, expected.match, place);
    assert.deepEqual(facetsOf(page), asJson(expected.facets), place);
    assert.equal(page.next !== undefined, expected.last !== undefined, place);
    met.push(...ids);
    after = page.next && (JSON.parse(JSON.stringify(page.next)) as SearchQuery['after']);
    last = expected.last;
    rung = expected.match?.rung;
    if (number < changesOfWalk && at % 2 === 0) await change(at + number);
  }
  const untouched = new Set(first.filter((each) => all.get(idOf(each)) === each).map(idOf));
  const ofThese = (ids: readonly string[]) => ids.filter((id) => untouched.has(id));
  assert.deepEqual(ofThese(met), ofThese(whole), message);
}

function idOf({ current }: SearchedResource): string {
  return current.id as string;
}

/** The score that the words add up to is that by which the result was ranked. */
function assertExplains(explanation: Explanation, rank: Rank, message: string): void {
  const { score, rung, share, boost, words, pinned } = explanation;
  assert.equal(pinned === true, rank.score > 1e200, message);
  if (pinned) return;
  const isNear = (one: number, other: number) => Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(other));
  assert.equal(rungs.indexOf(rung), rank.rung, message);
  assert.ok(isNear(score, rank.score), `${message}: ${score}, not ${rank.score}`);
  const sum = words.reduce((all, word) => all + word.score, 0);
  assert.ok(isNear(sum, score), `${message}: words add up to ${sum}, not ${score}`);
  for (const word of words) {
    assert.ok(isNear(word.weight * word.factor * word.field * share * boost, word.score), message);
    assert.equal(word.matched === undefined, word.path === undefined, `${message}: ${word.matched} at ${word.path}`);
  }
}
