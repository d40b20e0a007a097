import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { languages } from '../../packages/words/src/languages.ts';
import { spelled } from '../../packages/words/src/stem.ts';
import { wordsOf } from '../../packages/words/src/words.ts';

/** Where the dictionary and the frequencies have other names for a language. */
const dictionaries: Readonly<Record<string, string>> = { sr: 'hbs' };
const frequencies: Readonly<Record<string, string>> = { sr: 'sh', nn: 'nb' };

/** Words that are looked at, the most frequent first. */
const mostWords = 100_000;

/** The codes of the languages that have a table of lemmas from the dictionary. */
export const withLemmas: readonly string[] = [
  ...new Set(languages.flatMap(({ lemmas }) => (lemmas === undefined || lemmas === 'ja' ? [] : [lemmas]))),
];

/** Python with both packages, of which PYTHONPATH may tell the folder; undefined if it is missing. */
export function pythonWithDictionary(): string | undefined {
  const { status } = spawnSync('python3', ['-c', 'import simplemma, wordfreq']);
  return status === 0 ? 'python3' : undefined;
}

/** The folded lemma of each folded form that the dictionary knows, the most frequent form first. */
export function lemmasByForm(python: string, code: string): ReadonlyMap<string, string> {
  const script = fileURLToPath(new URL('dictionary.py', import.meta.url));
  const options = [script, dictionaries[code] ?? code, frequencies[code] ?? code, String(mostWords)];
  const { stdout, stderr, status } = spawnSync(python, options, { encoding: 'utf8', maxBuffer: 1e8 });
  if (status !== 0) throw new Error(stderr);
  const language = languages.find((one) => one.code === code)!.code;
  const lemmas = new Map<string, string>();
  for (const line of stdout.split('\n')) {
    const [form, lemma] = line.split('\t').map((text) => {
      const [word, ...others] = wordsOf(text);
      return word === undefined || others.length > 0 || /\d/.test(word) ? undefined : spelled(word, language);
    });
    // Of forms that differ in their accents only, the most frequent one counts.
    if (form !== undefined && lemma !== undefined && !lemmas.has(form)) lemmas.set(form, lemma);
  }
  return lemmas;
}
