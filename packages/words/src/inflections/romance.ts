/** Folded words of Romance languages as their stemmers know them, and what is left to do with a stem. */

/** A folded French word as its stemmer knows it: without an accent, or in the plural, it does not know these endings. */
export function frenchForm(word: string): string {
  return word.replace(/ee(s?)$/, 'ée$1').replace(/er(?:es?|s)$/, 'er');
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
