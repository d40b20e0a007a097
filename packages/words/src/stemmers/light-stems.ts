import type { Stemmer } from './load-stemmer.ts';

/**
 * Light stems for languages whose stemmer in the package does not fit, or is none. For folded words. In Czech and Polish
 * the longest ending of a case or a number is taken off, an i behind a consonant too, and a fleeting e goes (`zámek`,
 * `zámku`); three letters stay.
 */

interface LightRules {
  readonly endings: readonly string[];
  /** Letters before which an e may come and go. */
  readonly fleetingBefore: string;
  /** A change inside a word. */
  readonly alike?: readonly [RegExp, string];
}

const rules: Readonly<Record<string, LightRules>> = {
  cs: {
    endings:
      'a e i o u y ach ami am e eho ech em emi emu eni ete eti eto ho i ich im imi imu ite ito mi mu ou ova ove ovi ovo ovou ovy u um ych ym ymi yho ymu ym ech ich'.split(
        ' ',
      ),
    fleetingBefore: 'klcntrv',
    // `stůl`, `stoly`: folding took the ring off.
    alike: [/(?<=..)u(?=[^aeiouy]$)/, 'o'],
  },
  pl: {
    endings:
      'a e i o u y ach ami am ach e ego ej em emu ecie i ia iach iami iam ie iego iej iem iemu ich im imi io iom iow iu mi o om owa owe owego owej owi owie owy owych owym owymi ow u y ych ym ymi'.split(
        ' ',
      ),
    fleetingBefore: 'klcnrb',
  },
};

const shortestStem = 3;

/** The light stemmer of a language: `ar`, `cs`, `ja`, `ko`, `pl` or `tr`. */
export function lightStemmer(language: string): Stemmer {
  return ownStemmers[language] ?? endingStemmer(rules[language]!);
}

const ownStemmers: Readonly<Record<string, Stemmer>> = {
  ar: arabicStem,
  ja: japaneseStem,
  ko: koreanStem,
  tr: turkishStem,
};

function endingStemmer({ endings, fleetingBefore, alike }: LightRules): Stemmer {
  const longestFirst = [...new Set(endings)].sort((a, b) => b.length - a.length);
  const fleeting = new RegExp(`(?<=[^aeiouy])e(?=[${fleetingBefore}]$)`);
  return (word) => {
    const ending = longestFirst.find((one) => word.length - one.length >= shortestStem && word.endsWith(one));
    const base = ending === undefined ? word : word.slice(0, word.length - ending.length);
    const hard = base.length > shortestStem ? base.replace(/(?<=[^aeiouy])i$/, '') : base;
    const stem = hard.length > shortestStem ? hard.replace(fleeting, '') : hard;
    return alike ? stem.replace(...alike) : stem;
  };
}

/** The long vowel at the end of a longer word may be left out: `コンピューター`, `コンピュータ`. */
function japaneseStem(word: string): string {
  return word.replace(/(?<=[ァ-ヺー]{3})ー$/, '');
}

/** Particles that are written as one with a word: behind a consonant, behind a vowel, behind either. */
const koreanParticles =
  /(?<=..)(?:(?<closed>[을은이과]|으로|이나)|(?<open>[를는가와로나])|에서|에게|까지|부터|하고|처럼|보다|[의에도만])$/;
const firstSyllable = 0xac00;
const syllablesOfVowel = 28;

/** Korean nouns without one particle; two syllables stay. */
function koreanStem(word: string): string {
  const found = koreanParticles.exec(word);
  if (!found) return word;
  const base = word.slice(0, found.index);
  const isClosed = (base.charCodeAt(base.length - 1) - firstSyllable) % syllablesOfVowel !== 0;
  const { closed, open } = found.groups!;
  return (closed && !isClosed) || (open && isClosed) ? word : base;
}

const article = /^(?:[وبكف]?ال|لل)(?=...)/;
/** Endings of the feminine, the dual, regular plurals and of what belongs to somebody. */
const arabicEnding = /(?:(?<=....)(?:تان|تين)|(?<=...)(?:ات|ان|ون|ين|يه|ية|ها|ة|ه|ي))$/;
/** Letters that come and go in broken plurals: `حقيبة`, `حقائب`. */
const weakLetters = /(?<=..)[اويءئؤى]/g;

/**
 * Arabic nouns: the article and an ending off, then the consonants behind the first two letters, which broken plurals
 * keep. Those that begin otherwise (`قلم`, `أقلام`) stay words of their own, since forms of a word begin alike.
 */
function arabicStem(word: string): string {
  let stem = word.replace(article, '');
  for (let shorter = stem.replace(arabicEnding, ''); shorter !== stem; shorter = stem.replace(arabicEnding, '')) {
    stem = shorter;
  }
  return stem.replace(weakLetters, '');
}

interface TurkishEnding {
  readonly ending: RegExp;
  /** The fewest letters that stay. */
  readonly rest: number;
  /** True if its vowel follows that of the rest. */
  readonly isHarmonic?: true;
}

/**
 * Turkish endings for folded words, which tell neither ı from i nor ö and ü from o and u: places, whose it is, the plural.
 * `-im` and `-in`, which many words end in by themselves, need a longer rest, and a or e alone stays: `masa`, `lale`.
 */
const turkishEndings: readonly TurkishEnding[] = [
  { ending: /(?<=[iu])nd[ae]n?$/, rest: 3, isHarmonic: true },
  { ending: /(?:(?<=[fstkchp])t|(?<![fstkchp])d)[ae]n?$/, rest: 4, isHarmonic: true },
  { ending: /(?<=[aeiou])(?:n[iu]n|yl[ae]|y[iu])$/, rest: 4 },
  { ending: /(?<=[aeiou]s[iu]|l[ae]r[iu])n[iu]$/, rest: 4 },
  { ending: /(?<=[^aeiou])[iu](?:[mn]|[mn][iu]z)$/, rest: 4 },
  { ending: /(?<=[aeiou])s[iu]$/, rest: 3 },
  { ending: /(?<=[^aeiou])[iu]$/, rest: 3 },
  { ending: /l[ae]r$/, rest: 2 },
];

/**
 * Endings off, one after the other, and the last consonant as in the word without any: `rengi`, `renk`. Of `telefonun` one cannot tell
 * whether `telefon` or `telefo` is meant: both are one.
 */
function turkishStem(word: string): string {
  let stem = word;
  for (let shorter = withoutEnding(stem); shorter !== stem; shorter = withoutEnding(stem)) stem = shorter;
  if (stem.endsWith('on') && stem.length > 4) return stem.slice(0, -1);
  return stem.replace(/(?<=..)[bdg]$/, (letter) => hardened[letter]!);
}

const hardened: Readonly<Record<string, string>> = { b: 'p', d: 't', g: 'k' };

function withoutEnding(word: string): string {
  for (const { ending, rest, isHarmonic } of turkishEndings) {
    const at = word.search(ending);
    if (at < rest) continue;
    const base = word.slice(0, at);
    if (!isHarmonic || fits(base, word.slice(at))) return base;
  }
  return word;
}

/** Only a and e tell; where the base has neither, either may follow. */
function fits(base: string, ending: string): boolean {
  const last = /[ae](?=[^ae]*$)/.exec(base)?.[0];
  return last === undefined || ending.includes(last);
}
