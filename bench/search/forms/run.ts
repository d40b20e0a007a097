/**
 * Judges the forms of words by an outside dictionary: of the 400 most frequent forms of a language that are not their lemma, how many find
 * it and are found by it, and how much of what they find belongs to other words. Once for those, and once for the 400 behind the
 * 2,000 most frequent ones. Needs Python with the packages that `tools/lemmas/dictionary.py` names.
 *
 *   PYTHONPATH=<folder> npm run bench:forms -- [language…] [--sample]
 *
 * `--sample` writes a fourth of both to test/domain/search/forms/frequent-forms.json, for the test that holds the floors.
 */
import { writeFileSync } from 'node:fs';
import { lemmasByForm, pythonWithDictionary, withLemmas } from '../../../tools/lemmas/dictionary.ts';
import { judgeForms } from './judge.ts';

const counted = 400;
const before = 2000;
const sampled = 4;

const python = pythonWithDictionary();
if (python === undefined) {
  console.log('Skipped: Python with simplemma and wordfreq is missing, see tools/lemmas/dictionary.py.');
} else {
  const options = process.argv.slice(2);
  const asked = options.filter((option) => !option.startsWith('--'));
  const sample: Record<string, string> = {};
  console.log('language: found and foreign hits of the most frequent forms, and of rarer ones');
  for (const code of withLemmas.filter((one) => asked.length === 0 || asked.includes(one))) {
    const pairs = [...lemmasByForm(python, code)].filter(([form, lemma]) => form !== lemma);
    const parts = [pairs.slice(0, counted), pairs.slice(before, before + counted)];
    const results = parts.map((part) => judgeForms(code, part));
    console.log(
      `${code}: ${results.map(({ found, foreign }) => `${found.toFixed(1)} % ${foreign.toFixed(1)} %`).join(', ')}`,
    );
    const chosen = parts.flat().filter((_, at) => at % sampled === 0);
    sample[code] = chosen.map((pair) => pair.join(' ')).join('|');
  }
  if (options.includes('--sample')) {
    const file = new URL('../../../test/domain/search/forms/frequent-forms.json', import.meta.url);
    writeFileSync(file, `${JSON.stringify(sample, undefined, 2)}\n`);
  }
}
