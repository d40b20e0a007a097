import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wordsOf } from '#words';
import { judge } from '../../bench/search/quality/judge.ts';
import type { Question } from '../../bench/search/quality/questions.ts';
import { vocabularies } from '../../bench/search/quality/sets.ts';
import { everydayWords } from '../../bench/search/quality/words/everyday.ts';
import { below, type Random, seededRandom } from '../../bench/search/random.ts';
import type { JsonArray, JsonObject } from '../../src/contract/json.ts';
import type { Documents } from '../../src/domain/ports/resource-store.ts';
import { parseSearch } from '../../src/domain/search/query/parse-search.ts';
import type { SearchQuery } from '../../src/domain/search/query/query.ts';
import { parseSettings, settingsOf } from '../../src/domain/search/settings-draft.ts';
import { documentOf } from './document-of.ts';

/** An engine whose answers are judged. */
export interface JudgedEngine {
  readonly name: string;
  readonly productsPerLanguage: number;
  /** One question of so many is asked, and one word of so many is typed: 1 for all. */
  readonly oneOf: number;
  /** An empty store. */
  open(): Promise<JudgedStore> | JudgedStore;
}

/** A store that is asked. */
export interface JudgedStore {
  write(projectKey: string, id: string, documents: Documents): Promise<void> | void;
  /** The results as they are in the page. */
  search(query: SearchQuery): Promise<readonly string[]> | readonly string[];
  close(): Promise<void> | void;
}

/** Another seed than that of the bench. */
const seed = 11;

/** Judges an engine by the questions of the bench: floors that it must not fall below. */
export function searchQualitySuite({ name: engine, productsPerLanguage, oneOf, open }: JudgedEngine): void {
  const isAsked = (_: unknown, at: number) => at % oneOf === 0;
  for (const { name, stock, leastTopHit = 0.95 } of vocabularies.values()) {
    test(`${engine}: search answers what shops with the vocabulary ${name} are asked: floors of recall, top hits, no hits, and for words of descriptions`, async () => {
      const { catalogue, questions, synonyms } = stock(productsPerLanguage, seed);
      const store = await open();
      const write = ({ key, document }: (typeof catalogue)[number]) =>
        store.write(name, key, { current: documentOf(key, document as JsonObject) });
      await Promise.all(catalogue.map(write));
      const settings = settingsOf(parseSettings({ synonyms: synonyms as unknown as JsonArray }));
      const ask = async ({ locale, text }: Question): Promise<readonly string[]> => {
        const values = new Map<string, string | boolean | number>([
          [`text.${locale}`, text],
          ['fuzzy', true],
          ['limit', 10],
        ]);
        return idsOf(await store.search(parseSearch(values, name, settings)));
      };
      const misses: string[] = [];
      const { all, guards } = await judge(questions.filter(isAsked), ask, ({ kind, locale, text }) => {
        misses.push(`${kind}, ${locale}: ${text}`);
      });
      await store.close();
      const said = `${JSON.stringify({ all, guards })}\n${misses.join('\n')}`;
      assert.ok(all.questions >= Math.floor((4 * productsPerLanguage) / oneOf), said);
      assert.ok(all.recall >= 0.95, said);
      assert.ok(all.topHit >= leastTopHit, said);
      assert.ok(all.noHits <= 0.02, said);
      assert.ok(guards.recall >= 0.9, said);
    });
  }

  test(`${engine}: while a word is typed with a typo, the product that has it is among the hits from the fourth letter on`, async () => {
    const { uses, kinds } = everydayWords.find(({ locale }) => locale === 'de')!;
    const compounds = uses.flatMap((use) => kinds.map(([kind]) => `${use}${kind.toLowerCase()}`));
    const names = [...compounds, ...kinds.map(([kind]) => kind)].map((name, at) => ({ id: `p${at}`, name }));
    const store = await open();
    await Promise.all(
      names.map(({ id, name }) => store.write('p', id, { current: documentOf(id, { name: { de: name } }) })),
    );
    const find = async (text: string): Promise<readonly string[]> => {
      const asked = { 'text.de': text, prefix: true, fuzzy: true, limit: 500 };
      return idsOf(await store.search(parseSearch(new Map(Object.entries(asked)), 'p')));
    };
    const random = seededRandom(seed);
    const typed = names.filter(isAsked);
    let keystrokes = 0;
    for (const { id, name } of typed) {
      const word = wordsOf(name)[0]!;
      const wrong = withSlip(word, random);
      for (let letters = 4; letters <= wrong.length; letters += 1) {
        const text = wrong.slice(0, letters);
        assert.ok((await find(text)).includes(id), `${text}, of ${wrong}, for ${word}`);
        keystrokes += 1;
      }
    }
    await store.close();
    assert.ok(names.length >= 60 && keystrokes >= 5 * typed.length, `${typed.length} words, ${keystrokes} keystrokes`);
  });
}

const idsOf = (results: readonly string[]) => (JSON.parse(`[${results}]`) as { id: string }[]).map(({ id }) => id);

/** One letter more, less, other or swapped with the next one, behind the first. */
function withSlip(word: string, random: Random): string {
  const letters = [...word];
  const at = 1 + below(random, letters.length - 1);
  const letter = String.fromCharCode(97 + below(random, 26));
  const slips = [
    () => letters.splice(at, 1),
    () => letters.splice(at, 0, letter),
    () => letters.splice(at, 1, letter),
    () => letters.splice(at, 2, ...letters.slice(at, at + 2).reverse()),
  ];
  slips[below(random, slips.length)]!();
  return letters.join('');
}
