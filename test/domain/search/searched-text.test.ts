import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ParameterValue } from '../../../src/domain/paging.ts';
import { searchedText } from '../../../src/domain/search/counts/searched-text.ts';
import { parseSearch } from '../../../src/domain/search/query/parse-search.ts';

function counted(...pairs: readonly (readonly [string, ParameterValue])[]) {
  const values = new Map(pairs);
  const match = { rung: 'most', totals: { all: 0, most: 7 }, dropped: [], corrected: {} } as const;
  return searchedText(values, parseSearch(values, 'p'), { results: [], count: 0, facets: [], match });
}

test('the text of a finished search counts as it was typed, but for case and spaces', () => {
  assert.deepEqual(counted(['text.de', ' Rotes  KLEID ']), { locale: 'de', text: 'rotes kleid', hits: 7 });
  assert.deepEqual(counted(['text.en', '"Oak chair" -red'])?.text, '"oak chair" -red');
  assert.deepEqual(counted(['text.ja', 'Ｍ８　ボルト'])?.text, 'm8 ボルト');
  assert.deepEqual(counted(['text.fr', 'robe'], ['text.de', 'kleid']), { locale: 'fr', text: 'robe', hits: 7 });
});

test('what is typed, continued, explained or staged does not count, nor does what may tell of a person', () => {
  for (const [name, value] of [
    ['prefix', true],
    ['offset', 20],
    ['explain', true],
    ['staged', true],
  ] as const) {
    assert.equal(counted(['text.en', 'chair'], [name, value]), undefined, name);
  }
  for (const text of ['jane@example.com', 'ｊａｎｅ＠example.com', 'jane﹫example.com', 'x'.repeat(101)]) {
    assert.equal(counted(['text.en', text]), undefined, text);
  }
  for (const text of [
    '+49 170 123 45 67',
    '(030) 123-4567',
    '030 / 123 45 67',
    '030 – 1234567',
    '12345678',
    '１２３４５６７',
  ]) {
    assert.equal(counted(['text.en', text]), undefined, text);
  }
  assert.equal(counted(['text.en', '!'])?.text, '!');
  for (const text of ['iphone 15 pro', 'AB-12345', '90 x 200 cm', 'din en 14683', '10 - 12 x 50'])
    assert.ok(counted(['text.en', text]), text);
  assert.equal(counted(['filter', 'a:1']), undefined);
});
