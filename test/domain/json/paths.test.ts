import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject, JsonValue } from '../../../src/contract/json.ts';
import { columnOf, readHeader } from '../../../src/domain/bulk/csv/csv-columns.ts';
import { pathSyntax } from '../../../src/domain/json/path-syntax.ts';
import { isJsonObject } from '../../../src/domain/json/values.ts';
import { parseSort } from '../../../src/domain/paging.ts';
import { parsePredicate } from '../../../src/domain/predicate/parse.ts';
import { parseExpand } from '../../../src/domain/resource/read/expand.ts';
import { parseFields, selectFields } from '../../../src/domain/resource/read/fields.ts';
import { parseFacet } from '../../../src/domain/search/query/parse-facet.ts';
import { parseFilter } from '../../../src/domain/search/query/parse-filter.ts';
import { parseSettings, settingsOf } from '../../../src/domain/search/settings-draft.ts';
import { actionsOn, after, created, own, refusalOf } from '../resource/fixtures.ts';

type Names = readonly unknown[];

/** The names on the way to the only value of an object that is 1. */
function pathOfOne(value: JsonValue): readonly string[] {
  const [entry] = isJsonObject(value) ? Object.entries(value).filter(([name]) => name !== 'objectTypeProperty') : [];
  return entry ? [entry[0], ...pathOfOne(entry[1])] : [];
}

const nested = (names: readonly string[]): JsonValue =>
  names.reduceRight<JsonValue>((inner, name) => ({ [name]: inner }), 1);

function actionResult(action: object, body = '{"id":"r"}'): JsonObject {
  return own(after(actionsOn(created(body), JSON.stringify([action]))));
}

/** The names that each place reads in the text of a path. */
const places: Readonly<Record<string, (text: string, names: readonly string[]) => Names>> = {
  where: (text) => (parsePredicate(`${text} = 1`, { variables: new Map() }) as { path: Names }).path,
  sort: (text) => parseSort(text === '' ? text : `${text} desc`).path,
  filter: (text) => parseFilter(`${text}:1`, 'filter', new Map()).paths[0]!,
  facet: (text) => parseFacet(`${text} as name`).path,
  fields: (text, names) => {
    const selected = selectFields(JSON.stringify(nested(names)), parseFields([`other,${text} , more`])!);
    return pathOfOne(JSON.parse(selected));
  },
  expand: (text) => parseExpand([text])[0]!,
  settings: (text) => settingsOf(parseSettings({ weights: { [text]: 2 } })).fields[0]!.path,
  csv: (text) => readHeader([`${text}:number`])[0]!.path,
  setField: (text) => pathOfOne(actionResult({ action: 'setField', path: text, value: 1 })),
  renameField: (text) =>
    pathOfOne(actionResult({ action: 'renameField', from: 'from', to: text }, '{"id":"r","from":1}')),
};

describe('a path means the same in every place', () => {
  const paths: readonly (readonly [text: string, names: readonly string[]])[] = [
    ['name', ['name']],
    ['name.en', ['name', 'en']],
    ['`name`.`en`', ['name', 'en']],
    ['a-1.b_2.3', ['a-1', 'b_2', '3']],
    ['metafields.`custom.material`', ['metafields', 'custom.material']],
    ['`it``s`.b', ['it`s', 'b']],
    ['`````.`', ['``.']],
    ['`key,`.`c``d`', ['key,', 'c`d']],
    ['`größe in cm`.`a:b`', ['größe in cm', 'a:b']],
    ['`[0]`.`a[*]`', ['[0]', 'a[*]']],
    ['`"`.` `.`\t\n`', ['"', ' ', '\t\n']],
    ['`__proto__`.`constructor`', ['__proto__', 'constructor']],
  ];
  for (const [place, read] of Object.entries(places)) {
    for (const [text, names] of paths) {
      test(`${place}: ${JSON.stringify(text)}`, () => assert.deepEqual(read(text, names), names));
    }
    for (const text of [
      '',
      '.',
      'a.',
      '.a',
      'a..b',
      'a`b',
      '`a',
      '`',
      '```',
      '`a`b',
      '`a``',
      '`a\0b`',
      'a[*]',
      'a[0]b',
    ]) {
      if (place === 'expand' && text === 'a[*]') continue;
      test(`${place} refuses ${JSON.stringify(text)}`, () => {
        const { status, code } = refusalOf(() => read(text, ['a']));
        assert.equal(status, 400, code);
      });
    }
    if (['expand', 'setField', 'renameField'].includes(place)) continue;
    test(`${place} refuses an index, and says so`, () => {
      const { status, message } = refusalOf(() => read('lines[0].item', ['lines']));
      assert.equal(status, 400);
      if (place !== 'settings') assert.match(message, /index/, message);
    });
  }

  test('what the service writes, every place reads', () => {
    for (const [, names] of paths) {
      for (const [place, read] of Object.entries(places))
        assert.deepEqual(read(pathSyntax(names), names), names, place);
      assert.deepEqual(readHeader([columnOf(names).name])[0]!.path, names);
    }
    assert.equal(pathSyntax(['variants', 0, 'a.b', 1]), 'variants[0].`a.b`[1]');
    assert.deepEqual(parseExpand(['variants[0].`a.b`[*]'])[0], ['variants', { index: 0 }, 'a.b', { index: '*' }]);
  });
});

test('where a path stands alone, names need no backticks for spaces and letters', () => {
  for (const place of ['csv', 'setField', 'renameField']) {
    for (const name of ['größe in cm', 'a"b', 'x,y', 'Weight [kg]', 'a[b]', 'in stock?', '🦜']) {
      assert.deepEqual(places[place]!(`${name}.b`, []), [name, 'b'], place);
    }
  }
});

test('update actions reach an item of an array by its index, and refuse one where there is no array', () => {
  const body = '{"id":"r","lines":[{"sku":"a"},{"sku":"b"}],"name":{"0":"zero"}}';
  const set = (path: string) => actionResult({ action: 'setField', path, value: 'x' }, body);
  assert.deepEqual(set('lines[1].sku').lines, [{ sku: 'a' }, { sku: 'x' }]);
  assert.deepEqual(set('lines.1.sku').lines, [{ sku: 'a' }, { sku: 'x' }]);
  assert.deepEqual(set('lines[2]').lines, [{ sku: 'a' }, { sku: 'b' }, 'x']);
  assert.deepEqual(set('name.0').name, { 0: 'x' });
  const refused: readonly (readonly [path: string, message: RegExp])[] = [
    ['name[0]', /^actions\[0\]: path 'name\[0\]': expected an array at name$/],
    ['other[0]', /expected an array at other/],
    ['lines[*].sku', /expected one item, such as \[0\], not \[\*\]/],
    ['it`s', /a backtick in a name is written as two, in backticks/],
  ];
  for (const [path, message] of refused) assert.match(refusalOf(() => set(path)).message, message);
});
