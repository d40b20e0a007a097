import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readMarkup, visibleTextOf, wordsOf } from '#words';

/** What a reader sees of a text with markup, as words. */
for (const [language, written, words] of [
  ['en', '<p>Solid <strong>oak</strong> table,<br>seats&nbsp;6.</p>', 'solid oak table seats 6'],
  ['de', '<ul><li>Gr&ouml;&szlig;e: 40<li>Farbe: <i>gr&uuml;n</i></ul>', 'grosse 40 farbe grun'],
  ['fr', 'Caf&eacute; moulu &laquo;&nbsp;&Eacute;thiopie&nbsp;&raquo;', 'cafe moulu ethiopie'],
  ['es', '<h2>Camis&oacute;n</h2><p class="strong ni&ntilde;a">para ni&ntilde;as</p>', 'camison para ninas'],
  ['ru', '<div data-x="скрыто">Чай&#160;<em>зелё</em>ный</div>', 'чай зеленый'],
  ['ja', '<p>木製<b>いす</b></p>', wordsOf('木製いす').join(' ')],
  ['el', '<a href="https://x.example/kafes">Καφ&eacute;ς</a>', wordsOf('Καφéς').join(' ')],
  ['pl', '<span>Ł&oacute;żko</span>', wordsOf('Łóżko').join(' ')],
  ['a word with tags inside', 'H<sub>2</sub>O, Gr<b>een</b> and <wbr>wide', 'h2o green and wide'],
  ['blocks apart', '<td>red</td><td>blue</td>', 'red blue'],
  ['elements of others', '<x-price>12</x-price><o:p>kg</o:p></p>', '12 kg'],
  [
    'nothing that is not shown',
    '<style>p { color: red }</style><script>let a = "</b>";</script><!-- old -->new',
    'new',
  ],
  ['what looks like a tag beside entities', 'List<String> &amp; Map', 'list string map'],
  ['a tag that nothing closes', 'a &lt; b and <b', 'a b and b'],
] as const) {
  test(`markup: ${language}`, () => assert.equal(wordsOf(visibleTextOf(written)).join(' '), words));
}

test('what is no markup stays as it is', () => {
  const texts = [
    'a < b > c',
    'R&D, AT&T',
    'List<String>',
    'use <table> there',
    '5 <b',
    'fish & chips; more',
    '&',
    '<',
    '<>',
  ];
  for (const text of [...texts, '1 &lt 2', 'x<y and y>z', 'if (a && b) { c; }']) {
    assert.equal(readMarkup(text), undefined, text);
    assert.equal(visibleTextOf(text), text);
  }
});

const escaped = (text: string) => text.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign]!);

test('markup around any text shows that text, and each part stands where it was written', () => {
  const part = fc.string({ unit: fc.constantFrom('a', 'é', '<', '>', '&', ';', ' ', '🙂', '"', 'b', '/') });
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), (parts) => {
      const written = `<!-- c -->${parts.map((each, at) => (at % 2 ? `<b class="x">${escaped(each)}</b>` : escaped(each))).join('')}`;
      const visible = readMarkup(written)!;
      assert.equal(visible.text, parts.join(''));
      for (const { 0: run, index } of visible.text.matchAll(/[a-zé]+/g)) {
        const [start, end] = visible.writtenRange(index, index + run.length);
        assert.equal(written.slice(start, end).replaceAll(/<[^>]*>/g, ''), run);
      }
    }),
  );
});

test('texts that nest or break markup endlessly are read in one pass', () => {
  const hostile = ['<b>', '</i>', '<b ', '<!--', '&amp;', '<script>', '<', '&', '<p a="', 'a<br>', '<p>a</p>'].map(
    (each) => each.repeat(200_000),
  );
  for (const text of [...hostile, `${hostile[0]}${hostile[1]}`]) assert.ok(visibleTextOf(text).length <= text.length);
});
