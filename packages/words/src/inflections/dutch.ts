/** A folded Dutch word as its stemmer knows it: without the ending of a diminutive or of a plural behind a vowel. */
export function dutchForm(word: string): string {
  if (word.endsWith('s')) return diminutive(withoutPluralS(word));
  if (word.endsWith('en')) return word.replace(/(?<=ie|ee)en$/, '');
  return diminutive(word);
}

/** `machines`, `horloges`, `cadeaus`, `portemonnees`, `functies`. */
function withoutPluralS(word: string): string {
  if (ownS.test(word)) return word;
  return word.replace(
    /(?<=..(?:[^aeiou]e|eau|nnee|ffee|ctie|[ntr]tie|atie|erie|okie|elfie|ownie|[ao]rie|ilie|emie))s$|(?<=^serie)s$/,
    '',
  );
}

/** Words that end in s themselves: `messen`, `lessen`, `adressen`, `prinsessen`. Not `dames`, `capsules`, `tubes`, `brochures`. */
const ownS =
  /(?:(?<!a|[rvt]e|lu|cla|oste?u|cr|pom)mes|(?<!u)les|(?<![ou])bes|[dpt]res|[ae]res|proces|succes|[ax]cces|exces|abces|prinses|barones)$/;

/** The base of `kopje`, `tafeltje`, `raampje`, `kettinkje`, `pannetje`; vowels and doubled letters are left to the stemmer. Not of `vrije`, `oranje`. */
function diminutive(word: string): string {
  if (!word.endsWith('je') && !word.endsWith('jes')) return word;
  const base = word.slice(0, word.lastIndexOf('je'));
  if (!/[aeiou].*[^ilnr]$/.test(base)) return word;
  if (base.endsWith('p')) return base.replace(/(?<=[aeiou]{2}m|[lr]m|[aeiou].*[^aeiou]em)p$/, '');
  if (base.endsWith('ink')) return base.replace(/(?<=[aeiou][^aeiou]+in)k$/, 'g');
  if (!base.endsWith('t') || ownT.test(base)) return base;
  return base.replace(linkingT, '');
}

/** The t of `kaart`, `poort`, `krijt`, `geit`, `tent` and `concert`, though `schaar`, `oor`, `bij`, `ei`, `deken` and `beker` link by one. */
const ownT = /(?:[ktvw]aar|(?:^|[^s])poor|soor|krij|gei|[mtcd]en|[cs]er)t$/;

/** Links the ending to a long vowel with l, n, r or w, to a diphthong, to an unstressed syllable and to a doubled consonant. */
const linkingT =
  /(?:(?<=(?:[aeiou]{2}|ij)[lnr]|[aeiou]uw|ij|ei|[ao]ai|o[eo]i|[aeiou].*[^aeiou]e[lnr]|eau|^koe|^trui|^ui|knie|kopie|idee|thee|zee|slee)t|(?<=[aeiou][^aeiou]+o)ot|(?<=[aeiou].*u)ut|(?<=\1([bglmnpr])|ng|oem)et)$/;

/**
 * `huizen` and `huis`, `brieven` and `brief`, `jassen` and `jas`: at the end of a word Dutch writes z as s, v as f, and
 * no double consonant.
 */
export function dutchStem(stem: string): string {
  return stem
    .replace(/z$/, 's')
    .replace(/v$/, 'f')
    .replace(/([bdfgklmnprst])\1$/, '$1');
}
