import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { JsonNumber } from '../../../src/contract/check.ts';
import { sumOf } from '../../../src/domain/json/decimal.ts';
import { parseJson, stringifyJson } from '../../../src/domain/json/parse.ts';

/** The sum of two numbers as their texts; undefined where there is none. */
function sum(a: string, b: string): string | undefined {
  const result = sumOf(parseJson(a) as JsonNumber, parseJson(b) as JsonNumber);
  return result === undefined ? undefined : stringifyJson(result);
}

describe('the sum of two numbers', () => {
  const sums: readonly (readonly [a: string, b: string, sum: string | undefined])[] = [
    ['0.1', '0.2', '0.3'],
    ['1.005', '0.005', '1.01'],
    ['19.99', '0.01', '20'],
    ['-0.1', '0.1', '0'],
    ['0', '-0', '0'],
    ['1e-7', '2e-7', '3e-7'],
    ['1.5e3', '1', '1501'],
    ['9007199254740991', '1', '9007199254740992'],
    ['9007199254740993', '-2', '9007199254740991'],
    ['9223372036854775806', '1', '9223372036854775807'],
    ['-9223372036854775807', '-1', '-9223372036854775808'],
    ['9223372036854775807', '1', undefined],
    ['-9223372036854775808', '-1', undefined],
    ['9223372036854775808', '-1', '9223372036854775807'],
    ['9223372036854775807', '0.5', undefined],
    ['99999999999999.9', '0.1', '100000000000000'],
    ['99999999999999.9', '0.01', undefined],
    ['1e300', '1', undefined],
    ['1e-300', '1', undefined],
    ['1e21', '1', undefined],
    ['9'.repeat(300), '1', undefined],
  ];
  for (const [a, b, expected] of sums) {
    test(`${a.slice(0, 30)} and ${b} make ${expected ?? 'none that is exact'}`, () => {
      assert.equal(sum(a, b), expected);
      assert.equal(sum(b, a), expected);
    });
  }

  test('is exact for any integers of 64 bits, and none beyond them', () => {
    const integer = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    fc.assert(
      fc.property(integer, integer, (a, b) => {
        const expected = BigInt.asIntN(64, a + b) === a + b ? String(a + b) : undefined;
        assert.equal(sum(String(a), String(b)), expected);
      }),
    );
  });

  test('is exact for any decimals of few digits', () => {
    const cents = fc.integer({ min: -999_999_999, max: 999_999_999 });
    fc.assert(
      fc.property(cents, cents, (a, b) => assert.equal(sum(`${a / 1000}`, `${b / 1000}`), `${(a + b) / 1000}`)),
    );
  });
});
