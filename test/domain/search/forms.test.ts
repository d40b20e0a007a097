import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldWord, isBegunForm, matchesWord, wordsOf } from '#words';
import { askedText, askedWordsOf } from '../../../src/domain/search/words/asked-text.ts';
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

/** What is typed of a form when another one is not found any more, though it was with fewer letters; undefined if it always is. */
function gapIn(form: string, other: string, locale: string): string | undefined {
  let wasFound = false;
  for (let typed = 3; typed < form.length; typed += 1) {
    const begun = form.slice(0, typed);
    const found = other.startsWith(begun) || matchesWord(other, begun, locale) || isBegunForm(other, begun, locale);
    if (wasFound && !found) return begun;
    wasFound ||= found;
  }
  return undefined;
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

  test(`${locale}: while a form is typed, the others stay found`, () => {
    let pairs = 0;
    const gaps: string[] = [];
    for (const group of groupsOf(same)) {
      const forms = group.map(foldWord);
      for (const [form, other] of forms.flatMap((form) => forms.map((other) => [form, other] as const))) {
        if (form === other || !matchesWord(form, other, locale)) continue;
        pairs += 1;
        const gap = gapIn(form, other, locale);
        if (gap !== undefined) gaps.push(`${gap} of ${form} does not find ${other}`);
      }
    }
    assert.ok(gaps.length <= pairs * 0.04, `of ${pairs} pairs: ${gaps.join(', ')}`);
  });
}
