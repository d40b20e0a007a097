import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Boost, factorOf, hourOf } from '../../../src/domain/search/boosts.ts';

const now = Date.parse('2026-03-31T12:34:56Z');
const factor = (boost: Boost, document: object) => factorOf(boost, document as never, hourOf(now));

test('recent: in full for now and later, half as much a half-life before, of several instants the latest', () => {
  const boost: Boost = { recent: ['soldOn'], halfLifeDays: 30, factor: 3 };
  for (const [soldOn, expected] of [
    ['2026-03-31T12:00:00Z', 3],
    ['2026-03-31T14:59:59+02:00', 3],
    ['2027-01-01', 3],
    ['2026-03-01T12:00:00Z', 2],
    ['2026-01-30T12:00:00Z', 1.5],
    [['2020-01-01', '2026-03-01T12:59:00Z', 'soon'], 2],
    [null, 1],
    ['soon', 1],
    [20260301, 1],
    [[], 1],
  ] as const) {
    assert.equal(factor(boost, { soldOn }), expected, JSON.stringify(soldOn));
  }
  assert.equal(factor(boost, {}), 1);
  assert.ok(factor(boost, { soldOn: '1950-01-01' }) < 1.000_001);
  assert.equal(factor({ ...boost, factor: 0.5 }, { soldOn: '2026-03-01T12:00:00Z' }), 0.75);
});

test('near: in full at the origin, half as much one scale away on either side, of several numbers the nearest', () => {
  const boost: Boost = { near: ['variants', 'price'], origin: 100, scale: 50, factor: 3 };
  for (const [prices, expected] of [
    [[100], 3],
    [[50], 2],
    [[150], 2],
    [[200], 1.5],
    [[1000, 150, -4], 2],
    [['100'], 1],
    [[], 1],
  ] as const) {
    const variants = prices.map((price) => ({ price }));
    assert.equal(factor(boost, { variants }), expected, JSON.stringify(prices));
  }
  const far = factor(boost, { variants: [{ price: 1e18 }] });
  assert.ok(far >= 1 && far < 1.000_001, String(far));
});

test('a predicate: its factor where it holds, else none', () => {
  const boost: Boost = { predicate: { kind: 'not', of: { kind: 'empty', path: ['sale'] } }, factor: 2 };
  assert.deepEqual([factor(boost, { sale: true }), factor(boost, {})], [2, 1]);
});
