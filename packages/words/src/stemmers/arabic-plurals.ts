/**
 * Broken plurals of Arabic, which change inside a word: where `كتاب` has `كتب`, its light stem is enough; those that begin
 * otherwise (`قلم`, `أقلام`) or have another number of consonants (`باب`, `أبواب`) follow one of these patterns. For folded
 * words, so that every alef is bare. A digit is a consonant, the same one wherever it stands.
 */
const patterns: readonly (readonly [one: string, many: string])[] = [
  ['123', 'ا12ا3'],
  ['123ة', 'ا12ا3'],
  ['1ا2', 'ا1وا2'],
  ['12', 'ا12ا2'],
  ['12ا3', 'ا123ة'],
  ['12ي3', 'ا123ة'],
  ['12اء', 'ا12ية'],
  ['12ي2', 'ا12ة'],
  ['1ا23', '1وا23'],
  ['1ا23ة', '1وا23'],
  ['1ا2و3', '1وا2ي3'],
  ['1ا2و3ة', '1وا2ي3'],
  ['12ا3', '12ا2ي3'],
  ['12ي3', '12ا2ي3'],
  ['12ا3ة', '12ا2ي3'],
  ['12و3ة', '12ا2ي3'],
  ['123', '12ا23'],
  ['12ة', '122'],
  ['12ة', '12و2'],
  ['12ة', '12ا2'],
  ['12ة', '12ات'],
  ['12', '12و2'],
];

const consonant = '[بتثجحخدذرزسشصضطظعغفقكلمنهوي]';

/** A pattern as an expression that captures each consonant once, and how to write another one with them. */
function rewriting(from: string, to: string): readonly [RegExp, string] {
  const seen = new Set<string>();
  const source = from.replace(/\d/g, (slot) => {
    if (seen.has(slot)) return `\\k<c${slot}>`;
    seen.add(slot);
    return `(?<c${slot}>${consonant})`;
  });
  return [new RegExp(`^${source}$`), to.replace(/\d/g, '$<c$&>')];
}

const rewritings = patterns.flatMap(([one, many]) => [rewriting(one, many), rewriting(many, one)]);

/** Possible plurals of a folded word without its article, and words that it may be the plural of. Most do not exist. */
export function arabicPlurals(word: string): readonly string[] {
  if (word.length > 6) return [];
  return rewritings.filter(([from]) => from.test(word)).map(([from, to]) => word.replace(from, to));
}
