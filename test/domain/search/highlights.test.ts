import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { JsonObject } from '../../../src/contract/json.ts';
import type { ParameterValue } from '../../../src/domain/paging.ts';
import { createMarker } from '../../../src/domain/search/highlight.ts';
import { highlightLimits, highlightsOf, htmlOf } from '../../../src/domain/search/highlights.ts';
import { parseSearch } from '../../../src/domain/search/query/parse-search.ts';
import type { Rung } from '../../../src/domain/search/query/query.ts';
import { anyResource, anySearch, resourceOf } from './arbitrary-search.ts';
import { evaluateSearch } from './reference.ts';

type Parameters = Readonly<Record<string, ParameterValue>>;

async function highlight(document: JsonObject, parameters: Parameters, rung: Rung = 'all', corrected = {}) {
  const query = parseSearch(new Map(Object.entries(parameters)), 'p');
  const found = await highlightsOf(query, { rung, corrected }, [{ id: 'it', ...document }]);
  return Object.fromEntries(found.it!.map(({ path, html }) => [path, html]));
}

const chair = {
  name: { en: 'Oak chairs', de: 'Eichenstühle', fr: 'Chaise' },
  description: { en: 'A chair & a <table>. Chair!' },
  sku: 'AB-12/7',
  sizes: ['10 l', { for: 'coffee table' }, '90 × 200 cm', 'a Wi-Fi-Router'],
};

for (const [claim, parameters, rung, expected] of [
  [
    'other forms, in every text, escaped',
    { 'text.en': 'chair' },
    'all',
    {
      'name.en': 'Oak <mark>chairs</mark>',
      'description.en': 'A <mark>chair</mark> &amp; a &lt;table&gt;. <mark>Chair</mark>!',
    },
  ],
  [
    'a beginning',
    { 'text.en': 'cha' },
    'all',
    {
      'name.en': 'Oak <mark>chairs</mark>',
      'description.en': 'A <mark>chair</mark> &amp; a &lt;table&gt;. <mark>Chair</mark>!',
    },
  ],
  [
    'a word that is written with others',
    { 'text.en': 'coffeetable' },
    'all',
    { 'sizes[1].for': '<mark>coffee</mark> <mark>table</mark>' },
  ],
  [
    'dimensions that are written otherwise',
    { 'text.en': '90x200 cm' },
    'all',
    { 'sizes[2]': '<mark>90 × 200</mark> <mark>cm</mark>' },
  ],
  ['words that are asked for as one', { 'text.en': 'wifi' }, 'all', { 'sizes[3]': 'a <mark>Wi-Fi</mark>-Router' }],
  [
    'the words of a word that is still being typed',
    { 'text.en': 'coffeeta', prefix: true },
    'all',
    { 'sizes[1].for': '<mark>coffee</mark> <mark>table</mark>' },
  ],
  ['not one of them alone', { 'text.en': 'coffeeto', prefix: true }, 'all', {}],
  [
    'the beginning of a word in another spelling',
    { 'text.de': 'eichenstue', prefix: true },
    'all',
    { 'name.de': '<mark>Eichenstühle</mark>' },
  ],
  [
    'what begins like two words as one',
    { 'text.de': 'eichen stue', prefix: true },
    'all',
    { 'name.de': '<mark>Eichenstühle</mark>' },
  ],
  ['nothing of that in a word that is whole', { 'text.de': 'eichen stue' }, 'all', {}],
  ['the head of a compound', { 'text.de': 'stuhl' }, 'all', { 'name.de': '<mark>Eichenstühle</mark>' }],
  ['a code', { 'text.en': 'ab127' }, 'all', { sku: '<mark>AB-12/7</mark>' }],
  ['a number with a unit', { 'text.en': '10l' }, 'all', { 'sizes[0]': '<mark>10 l</mark>' }],
  ['no typos on the rung of all words', { 'text.en': 'oka', fuzzy: true }, 'all', {}],
  ['typos after it', { 'text.en': 'oka', fuzzy: true }, 'typos', { 'name.en': '<mark>Oak</mark> chairs' }],
  [
    'a beginning with a typo, of a word that is still being typed',
    { 'text.de': 'eichnst', fuzzy: true, prefix: true },
    'typos',
    { 'name.de': '<mark>Eichenstühle</mark>' },
  ],
  ['no such beginning of a whole word', { 'text.de': 'eichnst', fuzzy: true }, 'typos', {}],
  [
    'no typos of what is there',
    { 'text.en': 'oak ab', fuzzy: true },
    'most',
    { 'name.en': '<mark>Oak</mark> chairs', sku: '<mark>AB</mark>-12/7' },
  ],
  ['no small words', { 'text.en': 'a chaise' }, 'most', {}],
] as const satisfies readonly (readonly [string, Parameters, Rung, object])[]) {
  test(`highlights: ${claim}`, async () => assert.deepEqual(await highlight(chair, parameters, rung), expected));
}

test('highlights: Chinese and Japanese names by their pairs of letters, also in another width', async () => {
  assert.deepEqual(await highlight({ name: '高級運動靴セット' }, { 'text.ja': '運動靴' }), {
    name: '高級<mark>運動靴</mark>セット',
  });
  const { name } = await highlight({ name: '赤いｶﾞﾗｽ瓶' }, { 'text.ja': 'ガラス瓶' });
  assert.equal(name, '赤い<mark>ｶﾞﾗｽ瓶</mark>');
});

test('highlights: the head that a compound was taken for, where it counts', async () => {
  const document = { name: { de: 'Rote Schuhe' }, description: { de: 'Hausschuhe' }, brand: 'Lackschuhe' };
  const asked = { 'text.de': 'damenschuhe' };
  assert.deepEqual(await highlight(document, asked, 'most', { damenschuhe: 'schuhe' }), {
    'name.de': 'Rote <mark>Schuhe</mark>',
    brand: '<mark>Lackschuhe</mark>',
  });
  assert.deepEqual(await highlight(document, asked, 'most'), {}, 'another resource has it');
});

test('highlights: katakana with a typo as a whole', async () => {
  const found = await highlight({ name: '黒のオフィスチェア' }, { 'text.ja': 'オフィスェチア', fuzzy: true }, 'typos');
  assert.deepEqual(found, { name: '黒の<mark>オフィスチェア</mark>' });
});

test('highlights: Japanese in the other kana, and where letters are folded together', async () => {
  const cases = [
    ['子供くつ', 'クツ', '子供<mark>くつ</mark>'],
    ['プリンター', 'プリンタ', '<mark>プリンタ</mark>ー'],
    ['子供用ヴァイオリン弓', 'バイオリン弓', '子供用<mark>ヴァイオリン弓</mark>'],
    ['佐々木製靴', '佐佐木', '<mark>佐々木</mark>製靴'],
  ] as const;
  for (const [written, asked, marked] of cases) {
    assert.equal((await highlight({ name: written }, { 'text.ja': asked })).name, marked, asked);
  }
});

test('highlights: a path that has other names than plain ones is one that predicates have', async () => {
  const document = { 'a b': [{ 'c.d': 'oak' }], 'tick`name': { '': 'oak' }, '`': 'oak', plain: 'oak' };
  const paths = Object.keys(await highlight(document, { 'text.en': 'oak' }));
  assert.deepEqual(paths, ['`a b`[0].`c.d`', '`tick``name`.``', '````', 'plain']);
});

test('highlights: every result of a random search with text has a marked word, at ranges of its text', () => {
  const anyProject = fc.array(anyResource, { minLength: 1, maxLength: 8 });
  let marked = 0;
  fc.assert(
    fc.property(anyProject, anySearch, (all, values) => {
      const project = all.map((each, at) => resourceOf(`r${at}`, each));
      const query = parseSearch(values, 'p');
      const { ids, match } = evaluateSearch(project, query);
      const marker = createMarker(query, match?.rung !== 'all', match?.corrected);
      for (const id of query.texts.length === 0 ? [] : ids) {
        const { current, staged } = project.find((each) => each.current.id === id)!;
        const { texts } = marker.mark(query.staged ? (staged ?? current) : current, 1e9);
        assert.ok(texts.length > 0, id);
        for (const { text, ranges } of texts) {
          marked += ranges.length;
          const ends = ranges.flat();
          const ascending = ends.toSorted((a, b) => a - b);
          assert.deepEqual(ends, ascending);
          assert.ok(ranges.every(([start, end]) => start < end && end <= text.length));
        }
      }
    }),
    { numRuns: 500 },
  );
  assert.ok(marked > 100, `random searches mark something: ${marked}`);
});

test('highlights: a long text is cut to the part around the first word, not inside a character', () => {
  const text = `${'👟 '.repeat(100)}shoe ${'<&> '.repeat(200)}`;
  const html = htmlOf(text, [[300, 304]]);
  assert.match(html, /^…[^�]*<mark>shoe<\/mark> (?:&lt;&amp;&gt; )+.*…$/u);
  assert.ok(html.isWellFormed());
  assert.ok(html.replace(/<\/?mark>|…/g, '').replace(/&[a-z]+;/g, '.').length <= 240, html);
  assert.equal(htmlOf('"it\'s"', [[1, 3]]), '&quot;<mark>it</mark>&#39;s&quot;');
});

test('highlights: a text beyond the bounds has none, others of the resource have', async () => {
  const long = 'shoe '.repeat(highlightLimits.resourceUnits);
  assert.deepEqual(await highlight({ description: long, name: 'shoe' }, { 'text.en': 'shoe' }), {
    name: '<mark>shoe</mark>',
  });
  const many = { names: Array.from({ length: 30 }, () => 'shoe'), name: 'shoe '.repeat(100) };
  const query = parseSearch(new Map([['text.en', 'shoe']]), 'p');
  const { it } = await highlightsOf(query, { rung: 'all', corrected: {} }, [{ id: 'it', ...many }]);
  assert.equal(it!.length, highlightLimits.texts);
  const { one } = await highlightsOf(query, { rung: 'all', corrected: {} }, [{ id: 'one', name: many.name }]);
  assert.equal(one![0]!.ranges.length, highlightLimits.ranges);
});

test('highlights: nobody waits for those of a client that left', async () => {
  const query = parseSearch(new Map([['text.en', 'shoe']]), 'p');
  const left = AbortSignal.abort(new Error('left'));
  await assert.rejects(highlightsOf(query, { rung: 'all', corrected: {} }, [{ id: 'it', name: 'shoe' }], left), /left/);
});
