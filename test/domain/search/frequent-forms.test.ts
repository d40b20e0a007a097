import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeForms } from '../../../bench/search/forms/judge.ts';
import sample from './forms/frequent-forms.json' with { type: 'json' };

/** Floors of the figures that `npm run bench:forms` gives; its header says what they are of. */
const [leastFound, mostForeign] = [85, 10];

for (const [locale, text] of Object.entries(sample)) {
  test(`${locale}: frequent forms find their lemma, and few forms of other words`, () => {
    const pairs = text.split('|').map((pair) => pair.split(' ') as [string, string]);
    assert.ok(pairs.length >= 100, `${pairs.length} pairs`);
    const { found, foreign } = judgeForms(locale, pairs);
    assert.ok(found >= leastFound, `${found.toFixed(1)} % found`);
    assert.ok(foreign <= mostForeign, `${foreign.toFixed(1)} % of the hits are foreign`);
  });
}
