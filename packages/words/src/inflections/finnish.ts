/** `lautanen` as `lautasen`, `punainen` as `punaisen`: of a folded Finnish word the stemmer leaves n or s. Not `sienen`, of `sieni`. */
export function finnishForm(word: string): string {
  return word.endsWith('nen') && /..[aiouy]nen$/.test(word) ? `${word.slice(0, -3)}sen` : word;
}

/** `sormukset` and `sormus`, `puhelimet` and `puhelin`, `vihreät` and `vihreä`, `lasi` and `lasin`, `suuri` and `suuret`. */
export function finnishStem(stem: string): string {
  if (stem.endsWith('ks')) return stem.replace(/(?<=...[uyo])ks$/, 's');
  if (stem.endsWith('im')) return stem.replace(/(?<=..)im$/, '');
  return stem.replace(/(?<=..[^aeiouy])(?:ea|[ei])$/, '');
}
