/** Folded words of Romance languages as their stemmers know them, and what is left to do with a stem. */

/** `bijoux`, `jeux`, `pneus`, `tuyaux`, and plurals in -os, -as and -us that the stemmer leaves: `vélos`, `menus`. */
const frenchPlural =
  /(?<=bijou|caillou|genou|chou|joujou|hibou|pou|^(?:[fj]|li|pi|bl|pn)eu|cheveu|neveu|voeu|enjeu|milieu|essieu|[nt]uyau|[nj]oyau|boyau)x$/;
const frenchS =
  /(?<=..[^aeiou][ao]|[aeiou].*[^aeiou]u|^(?:bl|pn)eu|[^nv]ou|io)s$(?<!(?:gr|cl|p|her)os|(?:incl|excl|recl|conf|diff|obt|ref|ab)us|tous)/;

/** A folded French word as its stemmer knows it: without an accent, or in the plural, it does not know these endings. */
export function frenchForm(word: string): string {
  if (word.endsWith('x')) return word.replace(frenchPlural, '');
  if (word.endsWith('s') && frenchS.test(word)) return word.slice(0, -1);
  if (word === 'petit' || word === 'petits') return 'petite';
  return word.replace(/ee(s?)$/, 'ée$1').replace(/er(?:es?|s)$/, 'er');
}

/** `active` and `actif`, `neuve` and `neuf`. */
export function frenchStem(stem: string): string {
  return stem.endsWith('v') ? stem.replace(/(?<=[^aeiou]i|^neu)v$/, 'f') : stem;
}

/** Nouns and adjectives that look like forms of verbs: their stem is that of their plural. */
const spanishNouns: ReadonlySet<string> = new Set(
  (
    'sarten almacen joven examen imagen orden origen volumen anden pared cesped red huesped ' +
    'mujer taller alfiler alquiler caracter poster toner sueter boxer blazer router escaner laser neceser ' +
    'altar bar collar hogar lugar lunar molar pilar pulgar solar telar azucar militar escolar bulevar ' +
    'auricular celular circular rectangular triangular muscular particular popular espectacular'
  ).split(' '),
);

/**
 * A folded Spanish word as its stemmer knows it: `habitacion` with its accent, `lápiz` and `collar` nearly as in the plural,
 * `champús` and `bikinis` without it.
 */
export function spanishForm(word: string): string {
  if (/[au]cion$/.test(word)) return `${word.slice(0, -2)}ón`;
  if (word.endsWith('z')) return `${word.slice(0, -1)}ce`;
  if (word.endsWith('us') || word.endsWith('is')) {
    return word.replace(/(?<=..[^aeiou].)s$(?<!(?:gr|bu|ten|an|[cs])[iu]?s)/, '');
  }
  // Else the stem would be that of `cama`.
  if (word === 'camara' || word === 'camaras') return 'camera';
  return spanishNouns.has(word) ? `${word}e` : word;
}

/** `ollas`, `aros` and their like, which are too short for the stemmer. */
export function spanishStem(stem: string): string {
  return stem.endsWith('s') ? stem.replace(/(?<=^[aeiou][^aeiou]{1,2}[aeo])s$/, '') : stem;
}

/** `asciugamano`, `lanterne`, `teiere`, `telefono`, `chiavi`: nouns that look like forms of verbs, as ones that do not. */
export function italianForm(word: string): string {
  if (word.endsWith('i')) {
    return word
      .replace(/(?<=..ier|(?:mater|comp|inc|mat|gr|^b|^s)ass)i$/, 'o')
      .replace(/(?<=chiav)i$/, 'e')
      .replace(/(?<=.[^u]o|.chia|dana)i$/, 'io');
  }
  if (word.endsWith('e')) {
    return word
      .replace(/(?<=[aeio]rn|(?:par|mon|magn|com|^ab)et)e$/, 'a')
      .replace(/(?<=..(?<!gl)ier)e$/, 'o')
      .replace(/(?<=cellular|(?:circ|rettang|auric|^ang|musc)olar|^collar|^altar|^alvear|^militar|^solar)e$/, 'i');
  }
  return word.endsWith('o') ? word.replace(/(?<=..an|fon)o$/, 'i') : word.replace(/(?<=..ier)a$/, 'o');
}

/** `bianchi`, and vowels that the stemmer leaves. */
export function italianStem(stem: string): string {
  return stem.replace(/(?<=..[^aeiou])[aeio]$/, '').replace(/(?<=..)([cg])h$/, '$1');
}

/** `botões`, `azuis`, `infantis`, `homens`, `chapéus`: plurals that change the end of the stem. Shorter words are no plurals. */
export function portugueseSingular(word: string): string {
  if (word.length < 5 || !word.endsWith('s')) return word;
  return word
    .replace(/oes$/, 'ao')
    .replace(/([aeou])is$/, '$1l')
    .replace(/(?<=infant|juven|fuz|barr|perf|gent|mercant|sut)is$/, 'il')
    .replace(/ns$/, 'm')
    .replace(/(?<=e)us$/, 'u');
}

/** `becuri`, `rafturi` and `birouri`; not `prăjituri`, `linguri`, whose words end in -ură. */
export function romanianForm(word: string): string {
  const at = word.lastIndexOf('ur');
  if (at < 3 || !romanianUri.test(word)) return word;
  return word[at - 1] === 'o' ? word.slice(0, at + 1) : word.slice(0, at);
}

const romanianUri =
  /..(?:[^adgiouty]|[fr]t|o)(?<!mas|ars|bros|fis|tras|dres|arm|^ram|bl|tulb|obsc|iep|spart|bord|ing|g)uri(?:le|lor)?$/;

/** `telefoane` and `telefon`, `neagră` and `negru`, `oglinzi` and `oglindă`, `albă` and `alb`, `fotolii` and `fotoliu`. */
export function romanianStem(stem: string): string {
  let found = stem;
  if (found.endsWith('u')) found = found.replace(/(?<=..[^aeiou])i?u$/, '');
  else if (found.length <= 4) found = found.replace(/(?<=^[aeiou][^aeiou]{1,2})[aei]$/, '');
  const at = found.lastIndexOf('a');
  if (at > 1 && at < found.length - 1 && (found[at - 1] === 'o' || found[at - 1] === 'e')) {
    found = found.replace(/(?<=[oe])a(?=[^aeiou]{1,3}$)/, '');
  }
  return found.endsWith('z') ? found.replace(/(?<=[nr])z$/, 'd') : found;
}
