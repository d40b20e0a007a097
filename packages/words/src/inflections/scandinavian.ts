/** Scandinavian words, folded: what their stemmers do not know of forms that no table lists, such as those of compounds. */

/** `barnskor` and `barnskorna` of `barnsko`. Not `flaskor`, `sköterskor`, `franskor`: their words end in -ska. */
const swedishShoes =
  /(?<=[^aeiouy](?<!dan|fran|ien|m[ae]n|mor|skoter|somme|sven)|inne|tra|sno|gummi|^)sk(?:orna|or|on)$/;

/** A folded Swedish word as its stemmer knows it. */
export function swedishForm(word: string): string {
  return word.includes('sko') ? word.replace(swedishShoes, 'sko') : word;
}

/** `cykel`, `cyklar`; `møbel`, `møbler`. */
export function withoutFleetingE(stem: string): string {
  return stem.endsWith('el') && /[aeiouy][^aeiouy]+el$/.test(stem) ? `${stem.slice(0, -2)}l` : stem;
}

/** `gaffel` and `gafler`, `nøkkel` and `nøkler`. */
export function danishStem(stem: string): string {
  const short = withoutFleetingE(stem);
  return short.endsWith('l') ? short.replace(/([bdfgkpt])\1(?=l$)/, '$1') : short;
}
