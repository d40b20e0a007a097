/**
 * Makes the tables of lemmas in packages/words/tables from an outside dictionary and from the forms that are listed by hand in
 * `forms-by-hand.json`. Needs Python with the packages that `dictionary.py` names. To be run when the rules of a stemmer change much:
 * a table says which lemmas share a stem.
 *
 *   PYTHONPATH=<folder> node tools/lemmas/build.ts [language…]
 */
import { writeFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';
import { type LanguageCode, languages } from '../../packages/words/src/languages.ts';
import { apart } from '../../packages/words/src/lemmas/lemma-table.ts';
import { ruleStemmer, spelled } from '../../packages/words/src/stem.ts';
import { wordsOf } from '../../packages/words/src/words.ts';
import { lemmasByForm, pythonWithDictionary, withLemmas } from './dictionary.ts';
import byHand from './forms-by-hand.json' with { type: 'json' };

const folder = new URL('../../packages/words/tables/', import.meta.url);

/** A lemma with as many other forms is a word of its own, although it may be a form of another one: `meeting` of *meet*. */
const formsOfOwnWord = 4;

/** Stemmers that join so many words that each lemma has a stem of its own. */
const joinsTooMuch: ReadonlySet<string> = new Set(['el', 'hu']);

/** The lemma of each form, the most frequent form first, the lists by hand before the dictionary. */
function lemmasOf(code: LanguageCode, dictionary: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const lemmas = new Map(dictionary);
  const counts = new Map<string, number>();
  for (const [form, lemma] of dictionary) if (form !== lemma) counts.set(lemma, (counts.get(lemma) ?? 0) + 1);
  for (const [lemma, count] of counts) if (count >= formsOfOwnWord && lemmas.has(lemma)) lemmas.set(lemma, lemma);
  for (const forms of listedByHand(code)) for (const form of forms) lemmas.set(form, forms[0]!);
  return lemmas;
}

function listedByHand(code: LanguageCode): readonly (readonly string[])[] {
  const lists: Readonly<Record<string, readonly string[]>> = byHand;
  return (lists[code] ?? []).map((group) => wordsOf(group).map((form) => spelled(form, code)));
}

/** The last lemma of the chain that begins with a form. */
function lastLemma(form: string, lemmas: ReadonlyMap<string, string>): string {
  const seen = new Set<string>();
  for (let lemma = form; ; ) {
    seen.add(lemma);
    const next = lemmas.get(lemma);
    if (next === undefined || seen.has(next)) return lemma;
    lemma = next;
  }
}

/** The lines of a table (`LemmaTable`). */
function linesOf(code: LanguageCode, lemmas: ReadonlyMap<string, string>): readonly string[] {
  const words = new Map<string, Set<string>>();
  for (const form of lemmas.keys()) {
    const lemma = lastLemma(form, lemmas);
    const forms = words.get(lemma) ?? new Set([lemma]);
    words.set(lemma, forms.add(form));
  }
  const stem = ruleStemmer(code);
  const firstOfStem = new Map<string, string>();
  for (const [lemma] of [...words].toSorted(([, one], [, other]) => other.size - one.size)) {
    if (!firstOfStem.has(stem(lemma))) firstOfStem.set(stem(lemma), lemma);
  }
  const listed = new Set(listedByHand(code).map(([lemma]) => lemma));
  return [...words].map(([lemma, [, ...forms]]) => {
    // A word of which the dictionary knows two forms at most is as often as not a form of what has its stem: `Nadeln`, also a verb, of *Nadel*.
    const isKnownWell = forms.length > 1 || listed.has(lemma) || joinsTooMuch.has(code);
    const isApart = isKnownWell && firstOfStem.get(stem(lemma)) !== lemma;
    return [isApart ? lemma + apart : lemma, ...forms].join(' ');
  });
}

const python = pythonWithDictionary();
if (python === undefined)
  throw new Error('Python with simplemma and wordfreq is missing: see tools/lemmas/dictionary.py.');
const asked = process.argv.slice(2);
for (const code of [...withLemmas, 'ja'] as readonly LanguageCode[]) {
  if (asked.length > 0 && !asked.includes(code)) continue;
  const dictionary = code === 'ja' ? new Map<string, string>() : lemmasByForm(python, code);
  const lines = linesOf(languages.find((one) => one.code === code)!.code, lemmasOf(code, dictionary));
  const text = lines.toSorted((a, b) => (a < b ? -1 : 1)).join('\n');
  const params = { [constants.BROTLI_PARAM_LGWIN]: 22, [constants.BROTLI_PARAM_SIZE_HINT]: text.length };
  const table = brotliCompressSync(text, { params });
  writeFileSync(new URL(`${code}.br`, folder), table);
  console.log(
    `${code}: ${lines.length} words with ${text.split(/\s/).length} forms, ${Math.round(table.length / 1024)} KiB`,
  );
}
