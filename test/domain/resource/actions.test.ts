import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { JsonObject } from '../../../src/contract/json.ts';
import { checkUpdate } from '../../../src/contract/update.ts';
import { parseJson, stringifyJson } from '../../../src/domain/json/parse.ts';
import { jsonEquals } from '../../../src/domain/json/values.ts';
import { changesOf } from '../../../src/domain/resource/resource.ts';
import { decideActions } from '../../../src/domain/resource/write/update.ts';
import { actions, actionsOn, after, contextAt, created, own, refusalOf } from './fixtures.ts';

const resource = created(
  '{"id":"r","key":"k","name":{"en":"Sale"},"list":[1,{"a":1},[2]],"objectTypeProperty":{"arrayOfIntExample":[1,2]}}',
);

describe('setField', () => {
  const results: readonly (readonly [string, string])[] = [
    ['{"path":"name.de","value":"Verkauf"}', '{"name":{"en":"Sale","de":"Verkauf"}}'],
    ['{"path":"name","value":"plain"}', '{"name":"plain"}'],
    ['{"path":"a.b.c","value":9007199254740993}', '{"a":{"b":{"c":9007199254740993}}}'],
    ['{"path":"a.0","value":1}', '{"a":{"0":1}}'],
    ['{"path":"list.0","value":5}', '{"list":[5,{"a":1},[2]]}'],
    ['{"path":"list.3","value":5}', '{"list":[1,{"a":1},[2],5]}'],
    ['{"path":"list.1.a","value":[]}', '{"list":[1,{"a":[]},[2]]}'],
    ['{"path":"list.2.0"}', '{"list":[1,{"a":1},[]]}'],
    ['{"path":"list.1"}', '{"list":[1,[2]]}'],
    ['{"path":"list.9"}', '{}'],
    ['{"path":"list.x"}', '{}'],
    ['{"path":"name.en"}', '{"name":{}}'],
    ['{"path":"name.en","value":null}', '{"name":{}}'],
    ['{"path":"name.en.x"}', '{}'],
    ['{"path":"missing.deeply"}', '{}'],
    ['{"path":"__proto__.x","value":1}', '{"__proto__":{"x":1}}'],
    ['{"path":"constructor.prototype.x","value":1}', '{"constructor":{"prototype":{"x":1}}}'],
    ['{"path":"objectTypeProperty"}', '{"objectTypeProperty":{}}'],
    [
      '{"path":"objectTypeProperty.arrayOfIntExample.1","value":7}',
      '{"objectTypeProperty":{"arrayOfIntExample":[1,7]}}',
    ],
  ];
  for (const [fields, changed] of results) {
    test(`${fields} changes ${changed}`, () => {
      const expected = { ...own(resource), ...(parseJson(changed) as JsonObject) };
      const kept = after(actionsOn(resource, `[{"action":"setField",${fields.slice(1)}]`));
      assert.ok(jsonEquals(own(kept), expected), stringifyJson(own(kept)));
    });
  }
  const refused: readonly (readonly [string, string])[] = [
    [
      '"path":"name.en.x","value":1',
      "InvalidOperation: actions[0]: path 'name.en.x': expected an object or array at name.en",
    ],
    [
      '"path":"list.4","value":1',
      "InvalidOperation: actions[0]: path 'list.4': expected item 0 to 3 of the array list, not 4",
    ],
    [
      '"path":"list.-1","value":1',
      "InvalidOperation: actions[0]: path 'list.-1': expected item 0 to 3 of the array list, not -1",
    ],
    [
      '"path":"list.01","value":1',
      "InvalidOperation: actions[0]: path 'list.01': expected item 0 to 3 of the array list, not 01",
    ],
    ['"path":"","value":1', "InvalidInput: actions[0]: path '': expected names separated by dots, such as name.en"],
    ['"path":"a..b"', "InvalidInput: actions[0]: path 'a..b': expected names separated by dots, such as name.en"],
    [
      '"path":"key","value":"x"',
      "InvalidInput: actions[0]: path 'key': expected a field of the client; key is a system field, setKey changes it",
    ],
    [
      '"path":"version.x"',
      "InvalidInput: actions[0]: path 'version.x': expected a field of the client; version is a system field, only the service changes it",
    ],
    [
      `"path":"${Array(65).fill('a').join('.')}","value":1`,
      `InvalidInput: actions[0]: path '${Array(65).fill('a').join('.')}': expected at most 64 names`,
    ],
  ];
  for (const [fields, refusal] of refused) {
    test(`${fields.slice(0, 60)} is refused`, () => {
      const { code, message, status } = refusalOf(() => actionsOn(resource, `[{"action":"setField",${fields}}]`));
      assert.equal(`${code}: ${message}`, refusal);
      assert.equal(status, 400);
    });
  }
  test('a value that makes the document too deep is refused', () => {
    const value = '['.repeat(40) + ']'.repeat(40);
    const path = Array(30).fill('a').join('.');
    const { code } = refusalOf(() => actionsOn(resource, `[{"action":"setField","path":"${path}","value":${value}}]`));
    assert.equal(code, 'ResourceSizeLimitExceeded');
  });
  test('a wrong type in a known field is refused as in a draft, in either projection', () => {
    for (const staged of [true, false]) {
      const set = `{"action":"setField","path":"objectTypeProperty.arrayOfIntExample.0","value":"1","staged":${staged}}`;
      const { details } = refusalOf(() => actionsOn(resource, `[${set}]`));
      assert.equal(details.detailedErrorMessage, 'objectTypeProperty.arrayOfIntExample[0]: expected an integer');
    }
  });
  test('a value that two actions share stays apart from what is set inside it', () => {
    const kept = after(
      actionsOn(
        resource,
        '[{"action":"setField","path":"a","value":{"x":1},"staged":true},{"action":"setField","path":"a","value":{"x":1}},{"action":"setField","path":"a.x","value":2,"staged":true},{"action":"setField","path":"b","value":1}]',
      ),
    );
    assert.deepEqual(kept.resource.current.a, { x: 1 });
    assert.deepEqual(kept.resource.staged?.a, { x: 2 });
    assert.deepEqual([kept.resource.current.b, kept.resource.staged?.b], [1, 1]);
  });
});

describe('staged changes', () => {
  const staged = after(actionsOn(resource, '[{"action":"changeSomeProperty","someProperty":"s","staged":true}]'));
  test('wait in the staged projection and share the version', () => {
    assert.equal(staged.resource.version, 2);
    assert.equal(staged.resource.current.someProperty, undefined);
    assert.equal(staged.resource.staged?.someProperty, 's');
    assert.deepEqual(changesOf(staged.resource.history), [{ version: 2, fields: ['someProperty'] }]);
  });
  test('become current by publish', () => {
    const kept = after(actionsOn(staged, '[{"action":"publish"}]'));
    assert.equal(kept.resource.current.someProperty, 's');
    assert.equal(kept.resource.staged, undefined);
  });
  test('go away by revertStagedChanges', () => {
    const kept = after(actionsOn(staged, '[{"action":"revertStagedChanges"}]'));
    assert.equal(kept.resource.current.someProperty, undefined);
    assert.equal(kept.resource.staged, undefined);
    assert.deepEqual(changesOf(kept.resource.history)[0], { version: 3, fields: ['someProperty'] });
  });
  test('are none where the projections come to the same', () => {
    const kept = after(actionsOn(staged, '[{"action":"changeSomeProperty","someProperty":"s"}]'));
    assert.equal(kept.record.staged, undefined);
    const untouched = after(
      actionsOn(resource, '[{"action":"setField","path":"name.en","value":"Sale","staged":true}]'),
    );
    assert.equal(untouched.record.staged, undefined);
  });
  test('are none where the known object is gone from both projections', () => {
    const gone = after(actionsOn(resource, '[{"action":"setField","path":"objectTypeProperty"}]'));
    const kept = after(actionsOn(gone, '[{"action":"setField","path":"objectTypeProperty","staged":true}]'));
    assert.deepEqual(kept.resource.current.objectTypeProperty, {});
    assert.equal(kept.record.staged, undefined);
    assert.deepEqual(changesOf(kept.resource.history)[0], { version: 3, fields: [] });
  });
  test('may be published and staged again in one request', () => {
    const kept = after(
      actionsOn(
        staged,
        '[{"action":"publish"},{"action":"setField","path":"name.en","value":"x","staged":true},{"action":"setField","path":"name.en","value":"y","staged":true},{"action":"setField","path":"list.1.a","value":3}]',
      ),
    );
    assert.deepEqual(kept.resource.current.name, { en: 'Sale' });
    assert.deepEqual(kept.resource.staged?.name, { en: 'y' });
    assert.deepEqual(
      [kept.resource.current.list, kept.resource.staged?.list],
      [
        [1, { a: 3 }, [2]],
        [1, { a: 3 }, [2]],
      ],
    );
  });
});

describe('a list of actions', () => {
  test('without any leaves the resource and its version as they are', () => {
    const decision = actionsOn(resource, '[]');
    assert.equal(decision.outcome.kind, 'unchanged');
    assert.equal(decision.change, undefined);
    assert.equal(decision.outcome.record, resource.record);
  });
  test('raises the version by one, and runs in order', () => {
    const kept = after(
      actionsOn(
        resource,
        '[{"action":"doSomeThing"},{"action":"changeSomeProperty","someProperty":"1"},{"action":"changeSomeProperty","someProperty":"2"},{"action":"importFooForSecondPropertyToUpdate","secondPropertyToUpdate":{"foo":1}},{"action":"setKey","key":"k2"}]',
      ),
    );
    assert.equal(kept.resource.version, 2);
    assert.equal(kept.resource.current.someProperty, '2');
    assert.deepEqual(kept.resource.current.secondPropertyToUpdate, { foo: 1 });
    assert.equal(kept.resource.key, 'k2');
    assert.deepEqual(changesOf(kept.resource.history)[0]?.fields, ['key', 'secondPropertyToUpdate', 'someProperty']);
  });
  test('doSomeThing touches the resource and changes no field', () => {
    const kept = after(actionsOn(resource, '[{"action":"doSomeThing"}]', contextAt(9)));
    assert.equal(kept.resource.lastModifiedAt, '2026-05-04T09:12:09.000Z');
    assert.deepEqual(own(kept), own(resource));
    assert.deepEqual(changesOf(kept.resource.history), [{ version: 2, fields: [] }]);
  });
  test('setKey without a key takes it away', () => {
    assert.equal(after(actionsOn(resource, '[{"action":"setKey"}]')).record.key, undefined);
  });
  test('is looked at only after the version was compared', () => {
    for (const list of ['[]', '[{"action":"nonsense"}]', '5', `[${Array(501).fill('{}').join()}]`]) {
      for (const version of ['-1', '0', '2', '9007199254740993']) {
        const request = checkUpdate(parseJson(`{"version":${version},"actions":${list}}`));
        const { status, code, message, details } = refusalOf(() =>
          decideActions(resource, request, actions, {}, contextAt(1)),
        );
        assert.deepEqual([status, code, details.currentVersion], [409, 'ConcurrentModification', 1]);
        assert.equal(message, `Object r has a different version than expected. Expected: ${version} - Actual: 1.`);
      }
    }
  });

  const refused: readonly (readonly [string, string])[] = [
    [
      '{"action":"toString"}',
      `actions[0].action: unknown action 'toString'; expected one of ${[...actions.keys()].join(', ')}`,
    ],
    ['{"action":"__proto__"}', "actions[0].action: unknown action '__proto__'; expected one of"],
    ['{"action":"changeSomeProperty"}', 'actions[0].someProperty: Missing required value'],
    ['{"action":"changeSomeProperty","someProperty":null}', 'actions[0].someProperty: Missing required value'],
    ['{"action":"changeSomeProperty","someProperty":5}', 'actions[0].someProperty: expected a string'],
    ['{"action":"changeSomeProperty","someProperty":"a","staged":"yes"}', 'actions[0].staged: expected a boolean'],
    [
      '{"action":"changeSomeProperty","someProperty":"a","other":1}',
      'actions[0].other: unknown field, changeSomeProperty takes someProperty, staged',
    ],
    ['{"action":"doSomeThing","staged":true}', 'actions[0].staged: unknown field, doSomeThing takes no fields'],
    ['{"action":"doSomeThing","__proto__":1}', 'actions[0].__proto__: unknown field, doSomeThing takes no fields'],
    ['{"action":"setKey","key":""}', 'actions[0].key: expected a string of 1 to 256 characters'],
  ];
  for (const [action, problem] of refused) {
    test(`with ${action} is refused`, () => {
      const { status, message, details } = refusalOf(() => actionsOn(resource, `[${action}]`));
      assert.equal(status, 400);
      assert.ok(
        String(details.detailedErrorMessage ?? message).startsWith(problem),
        String(details.detailedErrorMessage ?? message),
      );
    });
  }

  test('that fails anywhere leaves nothing behind; one that succeeds does what its actions do one by one', () => {
    const name = fc.constantFrom(
      'a',
      'name',
      'list',
      '0',
      '1',
      'en',
      'x',
      '__proto__',
      'objectTypeProperty',
      'arrayOfIntExample',
    );
    const path = fc.oneof(
      fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('.')),
      // Few paths, so that actions of one list meet at the same path.
      fc.constantFrom('name', 'list', 'list.1', 'objectTypeProperty', 'objectTypeProperty.arrayOfIntExample'),
    );
    const value = fc.constantFrom(1, 'v', [], [1, 2], { en: 'x' }, { a: { x: [1] } }, null);
    const action = fc.oneof(
      { weight: 6, arbitrary: fc.record({ action: fc.constant('setField'), path, value, staged: fc.boolean() }) },
      {
        weight: 1,
        arbitrary: fc.constantFrom({ action: 'publish' }, { action: 'revertStagedChanges' }, { action: 'doSomeThing' }),
      },
    );
    fc.assert(
      fc.property(fc.array(action, { minLength: 1, maxLength: 8 }), (list) => {
        const before = stringifyJson(resource.documents.current);
        const oneByOne = attempt(() =>
          list.reduce((kept, item) => after(actionsOn(kept, JSON.stringify([item]))), resource),
        );
        const together = attempt(() => after(actionsOn(resource, JSON.stringify(list))));
        assert.equal(stringifyJson(resource.documents.current), before);
        // Known fields are checked at the end of a request, so a list may pass through states that no request may end in.
        if (oneByOne !== undefined) {
          assert.ok(jsonEquals(together?.resource.current, oneByOne.resource.current));
          assert.ok(jsonEquals(together?.resource.staged, oneByOne.resource.staged));
          const isNothing = list.every((item) => ['publish', 'revertStagedChanges'].includes(item.action));
          assert.equal(together?.resource.version, isNothing ? 1 : 2);
        }
      }),
      { numRuns: 1000 },
    );
  });

  test('of five hundred changes its own copy of a large document, and not the version before', () => {
    const fields = Array.from({ length: 9000 }, (_, i) => [`f${i}`, i] as const);
    const large = created(JSON.stringify({ o: Object.fromEntries(fields) }));
    const list = Array.from({ length: 500 }, (_, i) => ({ action: 'setField', path: `o.f${i}`, value: -1 }));
    const kept = after(actionsOn(large, JSON.stringify(list)));
    const o = kept.resource.current.o as JsonObject;
    assert.equal(Object.values(o).filter((item) => item === -1).length, 500);
    assert.equal((large.resource.current.o as JsonObject).f3, 3);
  });
});

function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
