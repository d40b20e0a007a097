import assert from 'node:assert/strict';
import { test } from 'node:test';
import { identifyCsv, identifyJson } from '../../src/cli/portions.ts';

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}';

for (const [line, rest] of [
  ['{"name":"a"}\n', ',"name":"a"}\n'],
  ['  { "n": 12345678901234567890 }', ', "n": 12345678901234567890 }'],
  ['{ }\n', '}\n'],
] as const) {
  test(`a line of JSON that names no resource gets an id: ${line.trim()}`, () => {
    const sent = identifyJson.line(Buffer.from(line)).toString();
    assert.match(sent, new RegExp(`^\\{"id":"${uuid}"`));
    assert.equal(sent.slice('{"id":""'.length + 36), rest);
  });
}

for (const line of ['{"key":"a"}\n', '{"id":"x","name":"a"}', '\n', '{"name":', '[1]', 'null', '"text"']) {
  test(`any other line of JSON is sent as it is: ${JSON.stringify(line)}`, () => {
    assert.equal(identifyJson.line(Buffer.from(line)).toString(), line);
  });
}

test('records of a CSV without a column for id or key get the column', () => {
  for (const [header, char] of [
    ['name;price\r\n', ';'],
    ['sep=;\nname;price\n', ';'],
    ['"name, as it is",price\n', ','],
    ['ident\tkeys\n', '\t'],
  ] as const) {
    const { header: sent, line } = identifyCsv(Buffer.from(header), undefined);
    assert.equal(String(sent), header.replace(/^(sep=;\n)?/, `$1id${char}`));
    assert.match(String(line(Buffer.from(`a${char}1\n`))), new RegExp(`^${uuid}${char}a${char}1\n$`));
    assert.notEqual(String(line(Buffer.from('a\n'))), String(line(Buffer.from('a\n'))));
  }
});

test('other CSV is sent as it is', () => {
  for (const header of ['key,name\n', 'name,id\n', '"key";name\r\n', 'name,key:string\n', 'name,ID\n', 'a,b;c\n']) {
    const { header: sent, line } = identifyCsv(Buffer.from(header), undefined);
    assert.equal(String(sent), header);
    assert.equal(String(line(Buffer.from('a,b\n'))), 'a,b\n');
  }
});
