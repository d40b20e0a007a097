import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askedText, askedWordsOf } from '../../../src/domain/search/words/asked-text.ts';
import { matchesWord } from '../../../src/domain/search/words/stem.ts';
import { wordsOf } from '../../../src/domain/search/words/words.ts';
import type { FormsOfLanguage } from './forms/forms.ts';
import { otherFamilies } from './forms/other-families.ts';
import { romance } from './forms/romance.ts';
import { scandinavian } from './forms/scandinavian.ts';
import { slavic } from './forms/slavic.ts';
import { westGermanic } from './forms/west-germanic.ts';

const languages: readonly (readonly [locale: string, forms: FormsOfLanguage])[] = [
  westGermanic,
  scandinavian,
  romance,
  slavic,
  otherFamilies,
].flatMap(Object.entries);

/** Whether a word that is asked for finds one of a text, as it is, by its stem or as an irregular form. */
function finds(asked: string, written: string, locale: string): boolean {
  const { words, synonyms } = askedText(locale, [asked], false);
  const wanted = [...words, ...synonyms.flatMap((one) => one.words)];
  const found = [...wordsOf(written), ...askedWordsOf(locale, written)];
  return wanted.some((one) => found.some((word) => matchesWord(word, one, locale)));
}

function groupsOf(text: string): readonly (readonly string[])[] {
  return text.split('|').map((group) => group.trim().split(/\s+/));
}

for (const [locale, { same, apart }] of languages) {
  test(`${locale}: the forms of a word of shops find each other`, () => {
    const missed: string[] = [];
    const groups = groupsOf(same);
    assert.ok(groups.length >= 60, `${groups.length} words`);
    for (const [word = '', ...forms] of groups) {
      assert.ok(forms.length > 0, word);
      for (const form of forms) {
        if (!finds(word, form, locale)) missed.push(`${word} does not find ${form}`);
        if (!finds(form, word, locale)) missed.push(`${form} does not find ${word}`);
      }
    }
    assert.deepEqual(missed, []);
  });

  test(`${locale}: other words that look alike stay apart`, () => {
    const joined: string[] = [];
    const pairs = groupsOf(apart);
    assert.ok(pairs.length >= 60, `${pairs.length} pairs`);
    for (const pair of pairs) {
      assert.equal(pair.length, 2, pair.join(' '));
      const [one, other] = pair as [string, string];
      if (finds(one, other, locale) || finds(other, one, locale)) joined.push(`${one} finds ${other}`);
    }
    assert.deepEqual(joined, []);
  });
}
