import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestApi, type TestApi } from '../start-test-api.ts';

/** Texts that editors of content write as HTML: search finds, suggests and marks what a reader sees. */

const texts = {
  en: '<p class="intro">Roasted <strong>coffee</strong> &amp; filters</p>',
  de: '<ul><li>Ger&ouml;steter Kaffee</li><li>Filtert&uuml;ten</li></ul>',
  fr: 'Caf&eacute; tor<i>r&eacute;fi&eacute;</i><br>et filtres',
  es: '<div title="secreto">Caf&eacute; tostado<!-- borrador --></div>',
  sv: '<p>R&ouml;stat kaffe</p><script>var dold = 1;</script>',
  ru: '<p>Обжаренный&nbsp;кофе</p>',
};

let api: TestApi;
before(async () => {
  api = await startTestApi();
  for (const [key, description] of [
    ...Object.entries(texts).map(([locale, text]) => [locale, { [locale]: text }] as const),
    ['plain', { en: 'Map<String> & a < b' }] as const,
  ]) {
    const { status, text } = await api.call({ method: 'POST', path: '/h/resource', body: { key, description } });
    assert.equal(status, 201, text);
  }
});
after(() => api.close());

async function ask(path: string, parameters: Readonly<Record<string, string>>) {
  const { status, json } = await api.call({ path: `/h/resource/${path}?${new URLSearchParams(parameters)}` });
  assert.equal(status, 200, JSON.stringify(json));
  return json;
}

for (const [locale, found, hidden] of [
  ['en', 'coffee', ['strong', 'amp', 'intro', 'class']],
  ['de', 'gerösteter', ['ouml', 'li', 'ul']],
  ['fr', 'torréfié', ['eacute', 'br']],
  ['es', 'café tostado', ['secreto', 'borrador', 'div']],
  ['sv', 'röstat', ['script', 'dold', 'var']],
  ['ru', 'обжаренный кофе', ['nbsp']],
] as const) {
  test(`${locale}: words of the visible text are found, marked and suggested, and markup is not`, async () => {
    const own = await ask('searchApiPattern', { [`text.${locale}`]: found, highlight: 'true', match: 'all' });
    assert.deepEqual(
      own.results.map(({ key }: { key: string }) => key),
      [locale],
    );
    const [{ html, ranges }] = own.highlights[own.results[0].id];
    assert.doesNotMatch(html.replaceAll(/<\/?mark>/g, ''), /<|&(?!amp;)/);
    const stored = texts[locale];
    const marked = [...html.matchAll(/<mark>(.*?)<\/mark>/g)].map(([, word]) => word);
    assert.equal(ranges.length, marked.length);
    for (const [start, end] of ranges) assert.match(stored.slice(start, end), /^\p{L}.*[\p{L};>]$/u);
    for (const word of hidden) {
      const none = await ask('searchApiPattern', { [`text.${locale}`]: word, match: 'all' });
      assert.equal(none.total, 0, word);
    }
    const { suggestions } = await ask('suggestions', { [`text.${locale}`]: found.slice(0, 5) });
    assert.equal(suggestions[0].text.toLowerCase(), found.split(' ')[0]);
  });
}

for (const [locale, phrase, none] of [
  ['en', 'roasted coffee & filters', 'intro roasted'],
  ['de', 'kaffee filtertüten', 'kaffee li'],
  ['fr', 'café torréfié et filtres', 'torréfié br'],
  ['es', 'café tostado', 'tostado borrador'],
  ['sv', 'röstat kaffe', 'kaffe script'],
  ['ru', 'обжаренный кофе', 'обжаренный nbsp'],
] as const) {
  test(`${locale}: a phrase is of the visible text, whatever markup is between its words`, async () => {
    const keys = async (text: string) => {
      const { results } = await ask('searchApiPattern', { [`text.${locale}`]: text });
      return results.map(({ key }: { key: string }) => key);
    };
    assert.deepEqual(await keys(`"${phrase}"`), [locale]);
    assert.deepEqual(await keys(`"${none}"`), []);
    assert.equal((await keys(`-"${phrase}"`)).includes(locale), false);
    assert.equal((await keys(`-"${none}"`)).includes(locale), true);
  });
}

test('a text that is no HTML keeps what looks like it', async () => {
  const found = await ask('searchApiPattern', { 'text.en': 'string', highlight: 'true' });
  assert.equal(found.highlights[found.results[0].id][0].html, 'Map&lt;<mark>String</mark>&gt; &amp; a &lt; b');
});
