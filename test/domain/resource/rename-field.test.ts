import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '../../../src/contract/json.ts';
import { parseJson, stringifyJson } from '../../../src/domain/json/parse.ts';
import { jsonEquals } from '../../../src/domain/json/values.ts';
import { changesOf } from '../../../src/domain/resource/resource.ts';
import { actionsOn, after, created, own, refusalOf } from './fixtures.ts';

const resource = created('{"id":"r","name":{"en":"Sale","de":null},"list":[1,{"a":[2]},3],"big":9007199254740993}');

describe('renameField', () => {
  const rename = (from: string, to: string, staged = '') =>
    `{"action":"renameField","from":"${from}","to":"${to}"${staged}}`;

  const results: readonly (readonly [from: string, to: string, fields: string])[] = [
    ['name', 'title', '{"title":{"en":"Sale","de":null},"list":[1,{"a":[2]},3],"big":9007199254740993}'],
    ['big', 'a.b', '{"name":{"en":"Sale","de":null},"list":[1,{"a":[2]},3],"a":{"b":9007199254740993}}'],
    ['name.en', 'name.fr', '{"name":{"fr":"Sale","de":null},"list":[1,{"a":[2]},3],"big":9007199254740993}'],
    ['name.en', 'name.de', '{"name":{"de":"Sale"},"list":[1,{"a":[2]},3],"big":9007199254740993}'],
    ['name.en', 'title', '{"name":{"de":null},"title":"Sale","list":[1,{"a":[2]},3],"big":9007199254740993}'],
    ['list.1', 'item', '{"name":{"en":"Sale","de":null},"list":[1,3],"item":{"a":[2]},"big":9007199254740993}'],
    ['list.0', 'list.3', '{"name":{"en":"Sale","de":null},"list":[{"a":[2]},3,1],"big":9007199254740993}'],
    ['list.0', 'list.1.b', '{"name":{"en":"Sale","de":null},"list":[{"a":[2],"b":1},3],"big":9007199254740993}'],
    ['big', '__proto__', '{"name":{"en":"Sale","de":null},"list":[1,{"a":[2]},3],"__proto__":9007199254740993}'],
  ];
  for (const [from, to, fields] of results) {
    test(`from ${from} to ${to} moves the value`, () => {
      const kept = after(actionsOn(resource, `[${rename(from, to)}]`));
      const expected = { ...(parseJson(fields) as JsonObject), objectTypeProperty: {} };
      assert.ok(jsonEquals(own(kept), expected), stringifyJson(own(kept)));
    });
  }

  const noValue = 'expected a path with a value, also in the staged projection where changes are staged';
  const taken = 'expected a path without a value; setField without a value removes the one there';
  const refused: readonly (readonly [from: string, to: string, problem: string])[] = [
    ['nmae', 'title', `InvalidOperation: actions[0]: from: 'nmae': ${noValue}`],
    ['name.de', 'title', `InvalidOperation: actions[0]: from: 'name.de': ${noValue}`],
    ['list.3', 'title', `InvalidOperation: actions[0]: from: 'list.3': ${noValue}`],
    ['name', 'list', `InvalidOperation: actions[0]: to: 'list': ${taken}`],
    ['name.en', 'name', `InvalidOperation: actions[0]: to: 'name': ${taken}`],
    ['list.0', 'list.2', `InvalidOperation: actions[0]: to: 'list.2': ${taken}`],
    ['name', 'name', "InvalidOperation: actions[0]: to: 'name': expected a path outside of 'name'"],
    ['name', 'name.en.x', "InvalidOperation: actions[0]: to: 'name.en.x': expected a path outside of 'name'"],
    ['big', 'name.en.x', "InvalidOperation: actions[0]: path 'name.en.x': expected an object or array at name.en"],
    ['big', 'list.4', "InvalidOperation: actions[0]: path 'list.4': expected item 0 to 3 of the array list, not 4"],
    ['name..en', 'a', "InvalidInput: actions[0]: path 'name..en': expected names separated by dots, such as name.en"],
    ['key', 'a', "InvalidInput: actions[0]: path 'key': expected a field of the client; key is a system field, setKey"],
    [
      'name',
      'version',
      "InvalidInput: actions[0]: path 'version': expected a field of the client; version is a system",
    ],
  ];
  for (const [from, to, problem] of refused) {
    test(`from ${from} to ${to} is refused`, () => {
      const { status, code, message } = refusalOf(() => actionsOn(resource, `[${rename(from, to)}]`));
      assert.equal(status, 400);
      assert.ok(`${code}: ${message}`.startsWith(problem), `${code}: ${message}`);
    });
  }

  test('with staged: true waits in the staged projection; without, it needs the value in both', () => {
    const staged = after(actionsOn(resource, `[${rename('name', 'title', ',"staged":true')}]`));
    assert.deepEqual(Object.keys(own(staged)).includes('name'), true);
    assert.deepEqual(staged.resource.staged?.title, own(staged).name);
    assert.deepEqual(changesOf(staged.resource.history)[0]?.fields, ['name', 'title']);
    const { message } = refusalOf(() => actionsOn(staged, `[${rename('name', 'label')}]`));
    assert.equal(message, `actions[0]: from: 'name': ${noValue}`);
    const both = after(actionsOn(staged, `[${rename('big', 'small')}]`));
    assert.ok('small' in own(both) && both.resource.staged && 'small' in both.resource.staged);
  });

  test('of an object that an action before it changed moves it, and nothing shares it afterwards', () => {
    const kept = after(
      actionsOn(
        resource,
        `[{"action":"setField","path":"name.en","value":"a"},${rename('name', 'title')},{"action":"setField","path":"title.en","value":"b"},{"action":"setField","path":"name.en","value":"c"}]`,
      ),
    );
    assert.deepEqual([own(kept).title, own(kept).name], [{ en: 'b', de: null }, { en: 'c' }]);
    assert.deepEqual(own(resource).name, { en: 'Sale', de: null });
  });
});
