import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { numberKey, textKey, valueClass } from '../../../src/index/terms/order-key.ts';
import { entryRow, keyDigits, keysEnd } from '../../../src/record/postgres/index/entry-row.ts';
import { createTermHash } from '../../../src/record/postgres/index/term-hash.ts';

const { of, arrayOf } = createTermHash(Uint8Array.of(0, 1, 2, 3, 4, 5, 6, 7));

function hex(number: string): string {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(BigInt(number));
  return bytes.toString('hex');
}

test('the number of a term is its HalfSipHash-2-4: the vectors of the reference, for bytes 0, 1, …', () => {
  assert.equal(hex(of('')), '218d1f59b9b83cc8');
  assert.equal(hex(of('\u0100')), '064f39ef7c50eb57');
});

test('another key gives other numbers, the same key the same', () => {
  const other = createTermHash(Uint8Array.of(1, 1, 2, 3, 4, 5, 6, 7));
  const same = createTermHash(
    Buffer.from('xx0001020304050607', 'latin1')
      .fill(Uint8Array.of(0, 1, 2, 3, 4, 5, 6, 7), 2, 10)
      .subarray(2),
  );
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      assert.notEqual(other.of(text), of(text));
      assert.equal(same.of(text), of(text));
    }),
  );
  assert.equal(arrayOf(['a', 'b']), `{${of('a')},${of('b')}}`);
  assert.equal(arrayOf([]), '{}');
});

test('terms that differ in one character, or in their length, have different numbers, which use all bits', () => {
  const terms = Array.from({ length: 20_000 }, (_, at) => `p|c|path|s${at}`);
  for (let length = 0; length < 200; length += 1) terms.push('~'.repeat(length));
  const numbers = terms.map(of);
  assert.equal(new Set(numbers).size, terms.length);
  for (let bit = 0n; bit < 64n; bit += 1n) {
    const ones = numbers.filter((number) => (BigInt.asUintN(64, BigInt(number)) >> bit) & 1n).length;
    assert.ok(Math.abs(ones / numbers.length - 0.5) < 0.05, `bit ${bit}: ${ones} of ${numbers.length}`);
  }
});

const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc
    .bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
    .map((value) => (Number.isSafeInteger(Number(value)) ? Number(value) : value)),
);
const classAndKey = fc.oneof(
  number.map((value) => valueClass.number + numberKey(value)),
  fc.string({ unit: 'grapheme', maxLength: 40 }).map((text) => valueClass.text + textKey(text)),
  fc.constantFrom('20', '21', '3'),
);
const bytesOf = (digits: string) => {
  assert.equal(digits.length % 2, 0);
  return Buffer.from(digits, 'hex');
};

test('the bytes of keys are in the order of the keys, and the end of a beginning is behind all that begin like it', () => {
  fc.assert(
    fc.property(classAndKey, classAndKey, (one, other) => {
      const order = one < other ? -1 : one > other ? 1 : 0;
      assert.equal(Buffer.compare(bytesOf(keyDigits(one)), bytesOf(keyDigits(other))), order, `${one} ${other}`);
      for (const beginning of [one, one.slice(0, 1)]) {
        const isBeyond = Buffer.compare(bytesOf(keyDigits(other)), bytesOf(keysEnd(beginning))) >= 0;
        assert.equal(isBeyond, other > beginning && !other.startsWith(beginning), `${other} ${beginning}`);
      }
    }),
    { numRuns: 500 },
  );
});

test('an entry is a place and a key; one that only says that there are several values has no key', () => {
  const hash = { key: new Uint8Array(), of, arrayOf };
  assert.deepEqual(entryRow('c|name.en|v1666f6f', hash), { place: of('c|name.en|v'), key: '01666f6f' });
  assert.deepEqual(entryRow('s|x|m', hash), { place: of('s|x|m'), key: '' });
  assert.equal(
    entryRow('c|x|z20', createTermHash(new Uint8Array(8))).place,
    createTermHash(new Uint8Array(8)).of('c|x|z'),
  );
});
