/**
 * Scandinavian words, folded, as their stemmers know them, and what is left to do with a stem. The stemmers take less than a
 * microsecond, so that a rule looks at the last letters first.
 */

/** `barnskor` and `barnskorna` of `barnsko`. Not `flaskor`, `sköterskor`, `franskor`: their words end in -ska. */
const swedishShoes =
  /(?<=[^aeiouy](?<!dan|fran|ien|m[ae]n|mor|skoter|somme|sven)|inne|tra|sno|gummi|^)sk(?:orna|or|on)$/;

/** Where -er is of the word: `filtret` and `filter` are not of `filt`, `fingrar` is of `finger`. */
const swedishEr = /(fing|filt|fonst|monst|papp|vint|syst|kalend|cylind|teat|sock|pulv)e?r(?:arna|ar|na|et|en|n)?s?$/;

/** True if an r has at most the four letters of an ending behind it. */
function hasLateR(word: string): boolean {
  const at = word.lastIndexOf('r');
  return at > 3 && at >= word.length - 5;
}

/** `blått`, `ljusgrått`, `rött`, `nya`. */
const swedishColour = /^(ljus|mork|kno|sno|off)?(bla|gra|vi|ro|ny)(?:tt|a)$/;

const swedishColours: Readonly<Record<string, string>> = { bla: 'bla', gra: 'gra', vi: 'vit', ro: 'rod', ny: 'ny' };

/** `grönt`, `billigt`, `gammalt`. */
const swedishNeuter = /(?:gron|gul|brun|stor|mjuk|varm|kall|lang|fin|tjock|ig|gammal)t$/;

/** A folded Swedish word as its stemmer knows it. */
export function swedishForm(word: string): string {
  if (word.includes('kamer')) return word.replace(camera, 'kamerk');
  if (word.includes('sko')) return word.replace(swedishShoes, 'sko');
  if (word.endsWith('n') || word.endsWith('ns')) {
    if (swedishN.test(word)) return word.replace(/ns?$/, '');
    if (word.endsWith('banden')) return word.slice(0, -2);
  }
  if (word.endsWith('bandet')) return word.slice(0, -2);
  if (word.endsWith('tt') || word.endsWith('a')) {
    const found = swedishColour.exec(word);
    if (found) return (found[1] ?? '') + swedishColours[found[2]!]!;
  }
  if (word.endsWith('t') && swedishNeuter.test(word)) return word.slice(0, -1);
  return hasLateR(word) ? word.replace(swedishEr, '$1r') : word;
}

/** `cykeln` and `datorn`; not `torn`. */
const swedishN = /(?:[aeiouy][^aeiouy]+el|[aeiou][kt]?tor)ns?$/;

/** Without their last vowel, `kamera` and its forms would look like forms of `kam`. */
const camera = /kamera(?:n|et|er|ene|erne|s)?$|kameror(?:na|s)?$/;

/** `lampan`, `glaset` and `kontoret`, which the stemmer leaves, and `cyklar` of `cykel`. Not `lakan`, `planet`. */
export function swedishStem(stem: string): string {
  if (stem.endsWith('an')) return swedishAn.test(stem) ? stem.slice(0, -2) : stem;
  if (stem.endsWith('et')) return swedishEt.test(stem) ? stem.slice(0, -2) : stem;
  return withoutFleetingE(stem);
}

const swedishAn = /[aeiouy][^aeiouy]+an$(?<!(?:lak|tulp|rom|div|alt|org|kaft)an)/;
const swedishEt = /[aeiouy][^aeiouy]+et$(?<!(?:pak|rak|plan|magn|tap|kabin|stak|tabl|kom)et)/;

/** `cykel`, `cyklar`; `møbel`, `møbler`. */
function withoutFleetingE(stem: string): string {
  return stem.endsWith('el') && /[aeiouy][^aeiouy]+el$/.test(stem) ? `${stem.slice(0, -2)}l` : stem;
}

/** True for a stem that may end in what looks like an ending: `tomat` of `tomater`, for the stemmer makes `tom` of `tomat`. */
export function looksSwedishForm(stem: string): boolean {
  const last = stem.at(-1)!;
  return (last === 'r' || last === 't') && 'ao'.includes(stem.at(-2)!);
}

/** As in Swedish: `saks` of `sakse`, `genser` of `gensere`, `tallerken` of `tallerkener`. */
export function looksDanishForm(stem: string): boolean {
  const last = stem.at(-1)!;
  return last === 's' || ((last === 'r' || last === 'n') && stem.at(-2) === 'e');
}

/** Where -er is of the word: `filtre` and `filter` are not of `filt`, `kammer` is no `kam`. */
const danishEr = /(fing|filt|vint|monst|teat|kalend|cylind|soest|ham|(?<!s)kam)m?e?r(?:ene|ne|en|et|e)?s?$/;

const danishNeuter = /(?:rod|hvit|hvid|gron|gul|brun|stor|varm|blod|god|kold|kald|myk|lang|rund|hoj|hoy|ig)t$/;

/** A folded Danish or Norwegian word as its stemmer knows it. */
export function danishForm(word: string): string {
  if (word.includes('kamera')) return word.replace(camera, 'kamerk');
  if (word.includes('skoen')) return word.replace(/skoen(?:e|s)?$/, 'sko');
  if (word.endsWith('t')) {
    if (danishNeuter.test(word)) return word.slice(0, -1);
    if (/(?:bla|gra|^ny)tt?$/.test(word)) return word.replace(/tt?$/, '');
  }
  if (word === 'nye') return 'ny';
  if (word.endsWith('gronn') || word.endsWith('gronne')) return word.replace(/ne?$/, '');
  return hasLateR(word) ? word.replace(danishEr, '$1r') : word;
}

/** `cykel` and `cykler`, `gaffel` and `gafler`, `nøkkel` and `nøkler`. */
export function danishStem(stem: string): string {
  const short = withoutFleetingE(stem);
  return short.endsWith('l') ? short.replace(/([bdfgkpt])\1(?=l$)/, '$1') : short;
}
