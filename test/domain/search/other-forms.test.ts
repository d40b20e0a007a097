import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchesWord, otherForms, wordsOf } from '#words';
import { askedText, askedWordsOf } from '../../../src/domain/search/words/asked-text.ts';

/** Whether a word that is asked for finds one of a text, as it is, by its stem or by another form. */
function finds(asked: string, written: string, locale: string): boolean {
  const { words, synonyms } = askedText(locale, [asked], false);
  const wanted = [...words, ...synonyms.flatMap((one) => one.words)];
  const found = [...wordsOf(written), ...askedWordsOf(locale, written)];
  return wanted.some((one) => found.some((word) => matchesWord(word, one, locale)));
}

const plurals: readonly (readonly [locale: string, pairs: string])[] = [
  ['ar', 'كتاب كتب|حذاء أحذية|قميص قمصان|فستان فساتين|كرسي كراسي|سرير أسرة|قلم أقلام|كوب أكواب|باب أبواب|نافذة نوافذ'],
  ['ar', 'غطاء أغطية|خاتم خواتم|سكين سكاكين|شاحن شواحن|قارورة قوارير|قصة قصص|حبة حبوب|سلة سلال|كرة كرات|زر أزرار'],
  ['ar', 'حزام أحزمة|شريط أشرطة|لون ألوان|لعبة ألعاب|لوح ألواح|سلم سلالم|رف رفوف|امرأة نساء|كأس كؤوس|سجادة سجاجيد'],
  ['en', 'man men|woman women|child children|foot feet|tooth teeth|mouse mice'],
  ['da', 'mand mænd|hånd hænder|barn børn'],
  ['sv', 'bok böcker|hand händer|fot fötter'],
  ['no', 'mann menn|fot føtter'],
  ['nl', 'kind kinderen|ei eieren'],
  ['fi', 'leipä leivät|kenkä kengät|pöytä pöydät'],
  ['it', 'uomo uomini|uovo uova|lenzuolo lenzuola'],
  ['fr', 'œil yeux|travail travaux'],
  ['pt', 'pão pães|cão cães'],
  ['ro', 'masă mese|geantă genți|saltea saltele'],
  ['pl', 'dziecko dzieci|ręka ręce'],
  ['cs', 'dítě děti|nůž nože'],
  ['ru', 'ребёнок дети|стул стулья|мешок мешки|подушка подушек'],
  ['uk', 'стілець стільці|мішок мішки'],
  ['ko', '의자 의자를|충전기 충전기가|책상 책상은'],
  ['ja', 'コンピューター コンピュータ|くつ クツ|プリンター ﾌﾟﾘﾝﾀ|赤い 赤|青い 青|黒い 黒|黄色い 黄色|丸い 丸'],
];

test('plurals that begin or are made otherwise find their singular and the other way round', () => {
  for (const [locale, pairs] of plurals) {
    for (const pair of pairs.split('|')) {
      const [one, many] = pair.split(' ') as [string, string];
      assert.ok(finds(one, many, locale), `${locale}: ${one} finds ${many}`);
      assert.ok(finds(many, one, locale), `${locale}: ${many} finds ${one}`);
    }
  }
});

test('words that look like plurals of others stay words of their own', () => {
  const apart: readonly (readonly [locale: string, pairs: string])[] = [
    ['ar', 'قلم كتاب|باب بيت|خبز خزانة|حذاء حزام|لون لبن|كوب كيس|سكر سكين|صابون صحون|فرن فول|ماء مرآة|طبق طبل'],
    ['en', 'men main|foot food|mice mouth|child chill'],
    ['ko', '고양이 고무|사과 사진|포도 포장|종이 종류|커피로스터 커피'],
    ['ja', 'スキー スキ|カバー カバ|タワー タワシ|赤い 青い|赤 青|赤い 明るい|青い 青空|黒い 黒板'],
  ];
  for (const [locale, pairs] of apart) {
    for (const pair of pairs.split('|')) {
      const [one, other] = pair.split(' ') as [string, string];
      assert.ok(!finds(one, other, locale), `${locale}: ${one}, ${other}`);
      assert.ok(!finds(other, one, locale), `${locale}: ${other}, ${one}`);
    }
  }
});

test('otherForms: by their locale, with a region too, and none of languages without a list', () => {
  assert.deepEqual(otherForms('feet', 'en-GB'), ['foot']);
  assert.deepEqual(otherForms('feet', 'xx'), []);
  assert.deepEqual(otherForms('shoe', 'en'), []);
  assert.deepEqual(otherForms('menn', 'nn'), ['mann']);
});

test('askedText: another form answers its own word only; small words and numbers have none', () => {
  const { words, synonyms } = askedText('en', ['shoes for men'], false);
  assert.deepEqual(synonyms, [{ words: ['man'], of: [words.indexOf('men')] }]);
  assert.deepEqual(askedText('ar', ['من في'], false).synonyms, []);
});
