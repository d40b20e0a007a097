/** `мешок` and `мешки`, `кошелёк` and `кошельки`, `полотенце` and `полотенец`. */
export function slavicStem(stem: string): string {
  if (stem.endsWith('к')) return stem.replace(/(?<=.[лн])ек$/, 'ьк').replace(/(?<=.[^аеёиіїоуыэюяє])[ое]к$/, 'к');
  return stem.endsWith('ец') ? stem.replace(/(?<=..)ец$/, 'ц') : stem;
}

/** As in Russian; `зимовий` and `дешевий` end like forms of nouns (`зимова`, `дешеві`). */
export function ukrainianStem(stem: string): string {
  return stem.endsWith('в') ? stem.replace(/(?<=..)[ое]в$/, '') : slavicStem(stem);
}
