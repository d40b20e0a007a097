import { below, type Random, seededRandom } from './random.ts';

/** Made-up words that have the build of a language: syllables, then the endings that its stemmer knows. */

export const languages = ['en', 'de', 'fr'] as const;
export type Language = (typeof languages)[number];

export const wordsPerLanguage = 30_000;

interface Build {
  readonly onsets: readonly string[];
  readonly vowels: readonly string[];
  readonly codas: readonly string[];
  /** Forms of one stem; '' is the stem itself. */
  readonly endings: readonly string[];
}

const split = (text: string) => text.split(' ').map((part) => (part === '-' ? '' : part));

const builds: Readonly<Record<Language, Build>> = {
  en: {
    onsets: split('b br c ch cl d dr f fl g gl h k l m n p pl r s sh sl st t tr w'),
    vowels: split('a e i o u ea oo ai ou'),
    codas: split('- - - n r l m t ck nd st p sh'),
    endings: split('- s ed ing er ness'),
  },
  de: {
    onsets: split('b bl br d dr f fl g gr h k kl kr l m n pf r s sch schl st str t tr w z'),
    vowels: split('a e i o u ei au ä ö ü ie'),
    codas: split('- - - n r l m t ch nd st ck lz ng'),
    endings: split('- e en er es lich ung'),
  },
  fr: {
    onsets: split('b bl br c ch cl d f fl g gr j l m n p pl pr r s t tr v'),
    vowels: split('a e i o u ou oi ai é eau an on'),
    codas: split('- - - - r l n t s ss ch'),
    endings: split('- s e es ment ique'),
  },
};

function stem({ onsets, vowels, codas }: Build, random: Random): string {
  const syllables = 1 + below(random, 2) + below(random, 2);
  const pick = (parts: readonly string[]) => parts[below(random, parts.length)]!;
  return Array.from({ length: syllables }, () => pick(onsets) + pick(vowels) + pick(codas)).join('');
}

function shuffle(words: string[], random: Random): readonly string[] {
  for (let at = words.length - 1; at > 0; at -= 1) {
    const other = below(random, at + 1);
    [words[at], words[other]] = [words[other]!, words[at]!];
  }
  return words;
}

/** 30,000 different words of 3 letters and more; a word's index is its rank, 0 the most frequent. */
export function vocabularyOf(language: Language): readonly string[] {
  const build = builds[language];
  const random = seededRandom(1 + languages.indexOf(language));
  const words = new Set<string>();
  while (words.size < wordsPerLanguage) {
    const made = stem(build, random);
    for (const ending of build.endings) {
      const word = made + ending;
      if (random() < 0.5 && word.length > 2 && words.size < wordsPerLanguage) words.add(word);
    }
  }
  return shuffle([...words], random);
}

/** `count` different names with a capital, for brands and series. */
export function namesOf(count: number, seed: number): readonly string[] {
  const random = seededRandom(seed);
  const names = new Set<string>();
  while (names.size < count) {
    const made = stem(builds.en, random) + stem(builds.en, random);
    names.add(made[0]!.toUpperCase() + made.slice(1));
  }
  return [...names];
}
