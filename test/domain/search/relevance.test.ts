import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idf, impact, mostOf, nameLengthClass, textLengthClass } from '../../../src/domain/search/relevance.ts';
import { inAttribute, inName } from '../../../src/domain/search/words/document-words.ts';

const classes = Array.from({ length: 16 }, (_, each) => each);

test('nameLengthClass: the number of words, up to 15', () => {
  assert.deepEqual([1, 2, 15, 16, 1000].map(nameLengthClass), [1, 2, 15, 15, 15]);
});

test('textLengthClass: two classes for each doubling of the length', () => {
  const ends = [4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512];
  assert.deepEqual(ends.map(textLengthClass), classes.slice(0, 15));
  assert.deepEqual(
    ends.map((end) => textLengthClass(end + 1)),
    classes.slice(1),
  );
  assert.equal(textLengthClass(1_000_000), 15);
});

test('idf: is greater the rarer the word, and above 0 even for one that all have', () => {
  assert.equal(idf(10, 3), Math.log(1 + 7.5 / 3.5));
  assert.ok(idf(1000, 1) > idf(1000, 10) && idf(1000, 10) > idf(1000, 1000));
  assert.ok(idf(1000, 1000) > 0);
  assert.ok(idf(1, 1) > 0);
});

test('impact: a word of any name weighs more than one of an attribute, and that more than one of any text', () => {
  for (const each of classes) {
    assert.ok(impact(inName, each, 0) > impact(inAttribute, 0, 0));
    assert.ok(impact(inAttribute, each, each) > impact(3, 0, each));
  }
});

test('impact: rises with occurrences, and falls with the length of the field that has the word', () => {
  for (const each of classes) {
    assert.ok(
      0 < impact(1, 0, each) && impact(1, 0, each) < impact(2, 0, each) && impact(2, 0, each) < impact(3, 0, each),
    );
    if (each < 15) assert.ok(impact(1, 0, each) > impact(1, 0, each + 1));
    if (each < 15) assert.ok(impact(inName, each, 0) > impact(inName, each + 1, 0));
  }
  assert.equal(impact(inName, 8, 3), 2.6 / 2.2);
  assert.equal(impact(inAttribute, 8, 3), 2.08 / 2.2);
});

test('mostOf: one of two words, else at least 60 % of those that anything has', () => {
  assert.deepEqual([1, 2, 3, 4, 5, 8].map(mostOf), [1, 1, 2, 3, 3, 5]);
});
