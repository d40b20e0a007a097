import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '../../../src/contract/json.ts';
import { parseJson, stringifyJson } from '../../../src/domain/json/parse.ts';
import { jsonEquals } from '../../../src/domain/json/values.ts';
import { actionsOn, after, created, own, refusalOf } from './fixtures.ts';

const resource = created(
  '{"id":"r","stock":5,"price":0.1,"big":9223372036854775806,"none":null,"name":{"en":"Cup"},"tags":["a","b","a"],"rows":[{"x":1,"y":[1.0]},9007199254740993]}',
);

/** The fields that actions change, as JSON. */
function changed(actions: string, of: string): string {
  return stringifyJson(own(after(actionsOn(resource, `[${actions}]`)))[of] ?? null);
}

const increment = (path: string, by: string) => `{"action":"incrementNumber","path":"${path}","by":${by}}`;
const add = (path: string, value: string, more = '') =>
  `{"action":"addToList","path":"${path}","value":${value}${more}}`;
const remove = (path: string, value: string) => `{"action":"removeFromList","path":"${path}","value":${value}}`;
const setIfAbsent = (path: string, value: string) => `{"action":"setIfAbsent","path":"${path}","value":${value}}`;

describe('actions on what is current', () => {
  const results: readonly (readonly [name: string, actions: string, field: string, value: string])[] = [
    ['adds an integer', increment('stock', '2'), 'stock', '7'],
    ['takes a negative number away', increment('stock', '-7'), 'stock', '-2'],
    ['adds decimals as they are written', increment('price', '0.2'), 'price', '0.3'],
    ['adds to an integer of 64 bits digit by digit', increment('big', '1'), 'big', '9223372036854775807'],
    ['begins with 0 where there is no number', increment('a.b', '3'), 'a', '{"b":3}'],
    ['begins with 0 where there is null', increment('none', '3'), 'none', '3'],
    ['adds to an item', increment('rows[1]', '2'), 'rows', '[{"x":1,"y":[1]},9007199254740995]'],
    ['adds an item behind the last one', add('tags', '"c"'), 'tags', '["a","b","a","c"]'],
    ['adds an item at -1 behind the last one', add('tags', '"c"', ',"at":-1'), 'tags', '["a","b","a","c"]'],
    ['adds an item as the first one', add('tags', '"c"', ',"at":0'), 'tags', '["c","a","b","a"]'],
    ['adds an item at the length of the array', add('tags', '"c"', ',"at":3'), 'tags', '["a","b","a","c"]'],
    [
      'adds several items in order',
      `${add('tags', '1', ',"at":1')},${add('tags', '[2]')}`,
      'tags',
      '["a",1,"b","a",[2]]',
    ],
    ['adds the first item of an array', add('new.list', '{"a":null}'), 'new', '{"list":[{"a":null}]}'],
    ['adds an item where there is null', add('none', '1', ',"at":0'), 'none', '[1]'],
    ['adds a unique item', add('tags', '"c"', ',"unique":true'), 'tags', '["a","b","a","c"]'],
    ['adds an equal item without unique', add('tags', '"b"', ',"unique":false'), 'tags', '["a","b","a","b"]'],
    ['removes all equal items', remove('tags', '"a"'), 'tags', '["b"]'],
    ['removes an item that is equal by value', remove('rows', '{"y":[1],"x":1e0}'), 'rows', '[9007199254740993]'],
    ['removes a long integer by its digits', remove('rows', '9007199254740993'), 'rows', '[{"x":1,"y":[1]}]'],
    ['sets an absent field', setIfAbsent('name.de', '"Tasse"'), 'name', '{"en":"Cup","de":"Tasse"}'],
    ['sets a field that is null', setIfAbsent('none', 'false'), 'none', 'false'],
    ['takes __proto__ as plain data', increment('__proto__.n', '1'), '__proto__', '{"n":1}'],
  ];
  for (const [name, actions, field, value] of results) {
    test(name, () => assert.equal(changed(actions, field), value));
  }

  const nothing: readonly (readonly [name: string, actions: string])[] = [
    ['0 is added', increment('stock', '0')],
    ['a unique item is there', add('tags', '"b"', ',"unique":true,"at":0')],
    ['a unique item is there in another order of names', add('rows', '{"y":[1],"x":1}', ',"unique":true')],
    ['an item to remove is not there', remove('tags', '"z"')],
    ['a long integer to remove differs in its last digit', remove('rows', '9007199254740992')],
    ['the array to remove from is not there', remove('a.b', '1')],
    ['a field to set is there', setIfAbsent('name.en', '"Mug"')],
    ['all of them change nothing', `${increment('stock', '0')},${remove('tags', '"z"')}`],
  ];
  for (const [name, actions] of nothing) {
    test(`make no version where ${name}`, () => {
      for (const all of [actions, actions.replaceAll('"action"', '"staged":true,"action"')]) {
        const { outcome, change } = actionsOn(resource, `[${all}]`);
        assert.deepEqual([outcome.kind, change], ['unchanged', undefined]);
      }
    });
  }

  test('make a version beside an action that always makes one', () => {
    const { outcome } = actionsOn(resource, `[${increment('stock', '0')},{"action":"doSomeThing"}]`);
    assert.deepEqual([outcome.kind, outcome.record.version], ['updated', 2]);
  });

  const sum = 'expected a sum that is an integer of 64 bits, or has at most 15 digits; setField sets any number';
  const refused: readonly (readonly [actions: string, problem: string])[] = [
    [increment('name.en', '1'), "InvalidOperation: actions[0]: path 'name.en': expected a number, or no value"],
    [increment('big', '2'), `InvalidOperation: actions[0]: path 'big': ${sum}`],
    [increment('price', '1e-16'), `InvalidOperation: actions[0]: path 'price': ${sum}`],
    [
      increment('version', '1'),
      "InvalidInput: actions[0]: path 'version': expected a field of the client; version is a system field, only the service changes it",
    ],
    [increment('stock', '"1"'), 'InvalidJsonInput: Malformed request body: actions[0].by: expected a number.'],
    [increment('stock', 'null'), 'InvalidJsonInput: Malformed request body: actions[0].by: Missing required value.'],
    [add('stock', '1'), "InvalidOperation: actions[0]: path 'stock': expected an array, or no value"],
    [add('tags', '1', ',"at":4'), 'InvalidOperation: actions[0]: at: expected 0 to 3, or -1, not 4'],
    [add('tags', '1', ',"at":-2'), 'InvalidOperation: actions[0]: at: expected 0 to 3, or -1, not -2'],
    [
      add('tags', '1', ',"at":9223372036854775807'),
      'InvalidOperation: actions[0]: at: expected 0 to 3, or -1, not 9223372036854775807',
    ],
    [add('tags', 'null'), 'InvalidJsonInput: Malformed request body: actions[0].value: Missing required value.'],
    [remove('name', '1'), "InvalidOperation: actions[0]: path 'name': expected an array, or no value"],
    [
      setIfAbsent('name.en.x', '1'),
      "InvalidOperation: actions[0]: path 'name.en.x': expected an object or array at name.en",
    ],
  ];
  for (const [actions, problem] of refused) {
    test(`refuse ${actions}`, () => {
      const { code, message, status } = refusalOf(() => actionsOn(resource, `[${actions}]`));
      assert.deepEqual([status, `${code}: ${message}`], [400, problem]);
    });
  }

  test('change both projections, each from its own value, and with staged only the staged one', () => {
    const staged = after(actionsOn(resource, '[{"action":"setField","path":"stock","value":50,"staged":true}]'));
    const both = after(actionsOn(staged, `[${increment('stock', '1')}]`)).resource;
    assert.deepEqual([both.current.stock, both.staged?.stock], [6, 51]);
    const one = after(actionsOn(staged, `[${increment('stock', '1').replace('{', '{"staged":true,')}]`)).resource;
    assert.deepEqual([one.current.stock, one.staged?.stock], [5, 51]);
  });

  test('refuse to compare more items than a second of work allows, and compare once what is large', () => {
    const long = created(`{"id":"l","list":[${Array.from({ length: 20_000 }, (_, i) => i).join(',')}]}`);
    const many = (count: number) =>
      `[${Array.from({ length: count }, (_, i) => remove('list', String(-1 - i))).join(',')}]`;
    assert.equal(actionsOn(long, many(250)).outcome.kind, 'unchanged');
    const { code, message } = refusalOf(() => actionsOn(long, many(251)));
    const problem = 'expected at most 5000000 items of arrays to compare; send fewer actions at a time';
    assert.deepEqual([code, message], ['InvalidOperation', `actions[250]: ${problem}`]);
  });

  test('500 items added to an array leave the resource before as it was', () => {
    const expected = parseJson(stringifyJson(own(resource))) as JsonObject;
    const many = Array.from({ length: 500 }, (_, i) => add('tags', String(i), ',"unique":true')).join(',');
    assert.equal((own(after(actionsOn(resource, `[${many}]`))).tags as unknown[]).length, 503);
    assert.ok(jsonEquals(own(resource), expected));
  });
});
