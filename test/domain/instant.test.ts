import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalInstant } from '../../src/domain/instant.ts';

for (const [text, canonical] of [
  ['2024-05-01', '2024-05-01T00:00:00'],
  ['2024-05-01T09:30', '2024-05-01T09:30:00'],
  ['2024-05-01T09:30:00.500Z', '2024-05-01T09:30:00.5'],
  ['2024-05-01T09:30:00+02:00', '2024-05-01T07:30:00'],
  ['2024-05-01T00:00:00+23:59', '2024-04-30T00:01:00'],
  ['2024-02-29T23:59:59.123456789-00:30', '2024-03-01T00:29:59.123456789'],
  ['0099-12-31', undefined],
  ['2023-02-29', undefined],
  ['2024-13-01', undefined],
  ['2024-05-01T24:00:00Z', undefined],
  ['2024-05-01T09:30:60Z', undefined],
  ['2024-05-01T09:30:00+24:00', undefined],
  ['2024-05-01T09:30:00+25:00', undefined],
  ['2024-05-01T09:30:00+02:60', undefined],
  ['2024-05-01T09:30:00+0200', undefined],
  ['20240501T093000Z', undefined],
  ['2024-05-01 09:30', undefined],
] as const) {
  test(`canonicalInstant of ${text}: ${canonical ?? 'no point in time'}`, () => {
    assert.equal(canonicalInstant(text), canonical);
  });
}
