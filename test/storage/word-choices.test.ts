import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxTextWords } from '../../src/domain/search/query/limits.ts';
import { neededTerms, type PlannedWord } from '../../src/index/plan/word-choices.ts';

/** Words that count how often some of them are taken apart from the others. */
class CountedWords extends Array<PlannedWord> {
  static slices = 0;

  override slice(...bounds: readonly [number?, number?]): PlannedWord[] {
    CountedWords.slices += 1;
    return super.slice(...bounds);
  }
}

function countedWords(length: number): CountedWords {
  const words = new CountedWords();
  for (let at = 0; at < length; at += 1) {
    const choice = { locale: 'en', word: `word${at}` };
    const strict = [{ factor: 1, isShort: false, parts: [[choice]] }];
    words.push({ word: choice.word, isRequired: true, isUnfinished: false, strict, typos: [] });
  }
  return words;
}

/** In how many different ways the words are needed, each of which needs so many of them. */
function waysOf(length: number, count: number): number {
  CountedWords.slices = 0;
  const needed = { words: countedWords(length), count };
  const condition = neededTerms('p', 'c', needed, ({ strict }) => strict, { byBeginning: false });
  if (condition.kind === 'constant') return 0;
  assert.ok(condition.kind === 'or', condition.kind);
  for (const way of condition.of) assert.ok(way.kind === 'and' && way.of.length === count, way.kind);
  return new Set(condition.of.map((way) => JSON.stringify(way))).size;
}

test('neededTerms: the cost of all words grows with their number, not with that of their subsets', () => {
  assert.equal(waysOf(20, 20), 1);
  assert.ok(CountedWords.slices > 0 && CountedWords.slices <= 100, `${CountedWords.slices}`);
  assert.equal(waysOf(maxTextWords, maxTextWords), 1);
});

test('neededTerms: some of the words in each way, and nothing where there are too few', () => {
  assert.equal(waysOf(5, 3), 10);
  assert.equal(waysOf(5, 1), 5);
  assert.equal(waysOf(2, 3), 0);
});
