/**
 * A folded German word as its stemmer knows it. Only endings are taken off, and an e behind a, o or u: `lettersOfForms` counts on that.
 */
export function germanForm(word: string): string {
  return ownEnding(plural(withoutUmlautE(word)));
}

/** `Groesse` is `Größe`: an umlaut may be written with an e. Not in `neue` and `Quelle`. */
export function withoutUmlautE(word: string): string {
  return word.replace(/(?<![aeiouq])([aou])e/g, '$1');
}

/** `Gabeln`, `Löffeln`, and the plurals of words that end in a vowel: `Handys`, `Sofas`, `Fotos`, `Akkus`. */
function plural(word: string): string {
  if (word.endsWith('eln')) return word.replace(/(?<=[^aeiou]el)(?<!einzel)n$/, '');
  if (!word.endsWith('s') || ownS.test(word)) return word;
  return word.replace(/(?<=..[^aeiou][aioy]|radio|tudio|folio|eo|oo|kku|glu|kanguru)s$/, '');
}

/** Words with an s of their own and other forms: `Gläser`, `Zeugnisse`, `kabellose`, `nervöse`, `Moose`. Not `Cellos`, `Kilos`, `Tangas`, `Dominos`. */
const ownS =
  /(?:[^aeiou]nis|paris|glas|gras|(?<!man|ome|tan|yo)gas|(?<!cel|ha|ki|si)los|nervos|poros|famos|pompos|monstros|rigoros|glamouros|generos|(?<!do)minos|zeros|albatros|moos)$/;

/** Words whose s behind a consonant the stemmer takes for an ending: `Keks` and `Kekse`, `Kurs` and `Kurse`. */
const lastS =
  /(?:keks|lachs|fuchs|luchs|dachs|wachs|ochs|krebs|raps|schnaps|klops|mops|gips|kurs|vers|hals|puls|fels|zins|knicks|klecks|schwips)$/;

/** Without their ending `Schale`, `Reise` and `Buche` would be `Schal`, `Reis` and `Buch`; without their last letter, words in -s would differ from their plural. */
function ownEnding(word: string): string {
  if (word.endsWith('s')) return lastS.test(word) ? `${word}e` : word;
  return word.replace(/(?<=schal|(?<![gkp])reis|buch|kohl|rind|(?<!ge|ver)deck)en?$/, 'ee');
}
