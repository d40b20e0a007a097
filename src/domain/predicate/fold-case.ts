/**
 * The form of a text in which two texts are equal if they differ in case only: upper case and back, so that `ß` meets
 * `SS` and both small sigmas meet, then composed (NFC). No locale: `I` folds to `i` everywhere.
 */
export function foldCase(text: string): string {
  return text.toUpperCase().toLowerCase().normalize('NFC');
}
