import type { Stemmer } from './load-stemmer.ts';

/**
 * Light stems for languages without a stemmer in the package: the longest ending of a case or a number is taken off, an
 * i behind a consonant too, and a fleeting e goes (`zámek`, `zámku`). For folded words. Three letters stay.
 */

interface LightRules {
  readonly endings: readonly string[];
  /** Letters before which an e may come and go. */
  readonly fleetingBefore: string;
}

const rules: Readonly<Record<string, LightRules>> = {
  cs: {
    endings:
      'a e i o u y ach ami am ata at e eho ech em emi emu eni ete eti eto ho i ich im imi imu ite ito mi mu ou ova ove ovi ovo ovou ovy u um ych ym ymi yho ymu ym ech ich atech atum aty'.split(
        ' ',
      ),
    fleetingBefore: 'klcntr',
  },
  pl: {
    endings:
      'a e i o u y ach ami am ach e ego ej em emu ecie i ia iach iami iam ie iego iej iem iemu ich im imi io iom iow iu mi o om owa owe owego owej owi owie owy owych owym owymi ow u y ych ym ymi'.split(
        ' ',
      ),
    fleetingBefore: 'klcn',
  },
};

const shortestStem = 3;

/** The light stemmer of a language: `cs` or `pl`. */
export function lightStemmer(language: string): Stemmer {
  const { endings, fleetingBefore } = rules[language]!;
  const longestFirst = [...new Set(endings)].sort((a, b) => b.length - a.length);
  const fleeting = new RegExp(`(?<=[^aeiouy])e(?=[${fleetingBefore}]$)`);
  return (word) => {
    const ending = longestFirst.find((one) => word.length - one.length >= shortestStem && word.endsWith(one));
    const base = ending === undefined ? word : word.slice(0, word.length - ending.length);
    const hard = base.length > shortestStem ? base.replace(/(?<=[^aeiouy])i$/, '') : base;
    return hard.length > shortestStem ? hard.replace(fleeting, '') : hard;
  };
}
