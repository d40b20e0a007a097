import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearestName } from '../../src/http/request/nearest-name.ts';

const known = [
  'text.*',
  'fuzzyLevel',
  'filter',
  'filter.query',
  'where',
  'var.*',
  'limit',
  'withTotal',
  'sort',
  'expand',
];

for (const [name, expected] of [
  ['limt', 'limit'],
  ['Limit', 'limit'],
  ['offfset', undefined],
  ['with_total', 'withTotal'],
  ['total', 'withTotal'],
  ['where[]', 'where'],
  ['whereClause', 'where'],
  ['sortBy', 'sort'],
  ['txt.en', 'text.en'],
  ['text', 'text.*'],
  ['txt', 'text.*'],
  ['variable.x', undefined],
  ['vars.x', 'var.x'],
  ['filterQuery', 'filter.query'],
  ['fitler', 'filter'],
  ['q', undefined],
  ['', undefined],
  ['é', undefined],
  ['x'.repeat(5000), undefined],
] as const) {
  test(`the known name nearest to ${JSON.stringify(name.slice(0, 20))} is ${expected}`, () => {
    assert.equal(nearestName(name, known), expected);
  });
}
