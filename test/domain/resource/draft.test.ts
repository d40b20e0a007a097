import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseJson } from '../../../src/domain/json/parse.ts';
import { changesOf } from '../../../src/domain/resource/resource.ts';
import { conflictAuthor, etagOf, parsePreconditions } from '../../../src/domain/resource/write/preconditions.ts';
import { actionsOn, after, contextAt, created, draftOn, own, refusalOf } from './fixtures.ts';

/** Inside of the service, conflicts say who made the current version. */
const byWriter = { [conflictAuthor]: { clientId: 'shop.writer' } };

describe('a new resource', () => {
  test('returns the system fields in order, then what the client sent, in its order', () => {
    const { outcome } = draftOn(
      undefined,
      'replaceFields',
      '{"b":1,"key":"k","objectTypeProperty":{"x":1},"a":{"z":null}}',
    );
    assert.equal(
      outcome.record.current,
      '{"id":"new-id","version":1,"key":"k","createdAt":"2026-05-04T09:12:01.000Z","lastModifiedAt":"2026-05-04T09:12:01.000Z",' +
        '"createdBy":{"clientId":"shop.writer"},"lastModifiedBy":{"clientId":"shop.writer"},' +
        '"b":1,"objectTypeProperty":{"x":1},"a":{"z":null}}',
    );
    assert.equal(outcome.kind, 'created');
    assert.equal(outcome.record.staged, undefined);
    assert.deepEqual(changesOf(outcome.record.history), []);
    assert.equal(outcome.record.createdAt, '2026-05-04T09:12:01');
  });

  test('has an empty objectTypeProperty where none was sent, and the external user', () => {
    const context = contextAt(1, { externalUserId: 'jane' });
    const { record } = draftOn(undefined, 'overwrite', '{"id":"mine"}', {}, context).outcome;
    assert.match(
      record.current,
      /^\{"id":"mine".*"createdBy":\{"clientId":"shop.writer","externalUserId":"jane"\}.*"objectTypeProperty":\{\}\}$/,
    );
  });

  test('keeps no null at the top level and in objectTypeProperty, whatever the mode', () => {
    for (const mode of ['replaceFields', 'merge', 'overwrite'] as const) {
      const kept = after(draftOn(undefined, mode, '{"a":null,"objectTypeProperty":{"arrayOfIntExample":null,"x":1}}'));
      assert.deepEqual(own(kept), { objectTypeProperty: { x: 1 } });
    }
  });

  test('may be asked for as version 0, and as no other', () => {
    assert.equal(draftOn(undefined, 'merge', '{"version":0}').outcome.kind, 'created');
    const { status, code } = refusalOf(() => draftOn(undefined, 'merge', '{"version":1}'));
    assert.deepEqual([status, code], [400, 'InvalidOperation']);
  });

  test('keeps __proto__ as a field', () => {
    const { record } = draftOn(undefined, 'replaceFields', '{"__proto__":{"a":1}}').outcome;
    assert.match(record.current, /"__proto__":\{"a":1\}/);
    assert.equal(({} as { a?: unknown }).a, undefined);
  });
});

describe('a draft on an existing resource', () => {
  const before = created(
    '{"id":"r","key":"k","a":{"x":1,"y":2},"b":9007199254740993,"objectTypeProperty":{"arrayOfIntExample":[1],"m":1}}',
  );
  const results: readonly (readonly ['replaceFields' | 'merge' | 'overwrite', string, string])[] = [
    [
      'replaceFields',
      '{"a":{"z":3}}',
      '{"a":{"z":3},"b":9007199254740993,"objectTypeProperty":{"arrayOfIntExample":[1],"m":1}}',
    ],
    ['replaceFields', '{"a":null}', '{"b":9007199254740993,"objectTypeProperty":{"arrayOfIntExample":[1],"m":1}}'],
    ['replaceFields', '{"objectTypeProperty":{}}', '{"a":{"x":1,"y":2},"b":9007199254740993,"objectTypeProperty":{}}'],
    [
      'merge',
      '{"a":{"x":null,"z":3}}',
      '{"a":{"y":2,"z":3},"b":9007199254740993,"objectTypeProperty":{"arrayOfIntExample":[1],"m":1}}',
    ],
    [
      'merge',
      '{"objectTypeProperty":{"arrayOfIntExample":[2,3]}}',
      '{"a":{"x":1,"y":2},"b":9007199254740993,"objectTypeProperty":{"arrayOfIntExample":[2,3],"m":1}}',
    ],
    ['merge', '{"objectTypeProperty":null}', '{"a":{"x":1,"y":2},"b":9007199254740993,"objectTypeProperty":{}}'],
    ['overwrite', '{"c":1}', '{"c":1,"objectTypeProperty":{}}'],
  ];
  for (const [mode, body, result] of results) {
    test(`${mode} ${body} leaves ${result}`, () => {
      const kept = after(draftOn(before, mode, body, {}, contextAt(5)));
      assert.deepEqual(own(kept), parseJson(result));
      const { id, key, version, createdAt, lastModifiedAt } = kept.resource;
      assert.deepEqual([id, key, version], ['r', 'k', 2]);
      assert.deepEqual([createdAt, lastModifiedAt], ['2026-05-04T09:12:01.000Z', '2026-05-04T09:12:05.000Z']);
    });
  }

  test('changes or takes away its key', () => {
    assert.equal(after(draftOn(before, 'overwrite', '{"key":"other"}')).resource.key, 'other');
    assert.equal(after(draftOn(before, 'overwrite', '{"key":null}')).resource.key, undefined);
  });

  test('does not let lastModifiedAt go back with the clock', () => {
    const { lastModifiedAt } = after(draftOn(before, 'merge', '{}', {}, contextAt(0))).resource;
    assert.equal(lastModifiedAt, '2026-05-04T09:12:01.000Z');
  });

  test('tells the fields that changed since the version that a stale draft expects', () => {
    const second = after(draftOn(before, 'merge', '{"a":{"x":5}}'));
    const third = after(draftOn(second, 'merge', '{"c":1,"b":9007199254740993,"key":"k2"}'));
    assert.deepEqual(
      refusalOf(() => draftOn(third, 'merge', '{"version":1}')),
      {
        status: 409,
        code: 'ConcurrentModification',
        message: 'Object r has a different version than expected. Expected: 1 - Actual: 3.',
        details: { currentVersion: 3, changedFields: ['a', 'c', 'key'], ...byWriter },
      },
    );
    assert.deepEqual(refusalOf(() => draftOn(third, 'merge', '{"version":2}')).details.changedFields, ['c', 'key']);
    for (const version of [0, 4]) {
      const { details } = refusalOf(() => draftOn(third, 'merge', `{"version":${version}}`));
      assert.deepEqual(details, { currentVersion: 3, ...byWriter });
    }
  });

  test('forgets what changed more than twenty versions ago', () => {
    let kept = before;
    for (let i = 0; i < 21; i += 1) kept = after(draftOn(kept, 'merge', `{"n":${i}}`));
    assert.equal(changesOf(kept.resource.history).length, 20);
    assert.deepEqual(refusalOf(() => draftOn(kept, 'merge', '{"version":2}')).details.changedFields, ['n']);
    assert.equal(refusalOf(() => draftOn(kept, 'merge', '{"version":1}')).details.changedFields, undefined);
  });

  test('changes both projections where something is staged', () => {
    const staged = after(actionsOn(before, '[{"action":"changeSomeProperty","someProperty":"s","staged":true}]'));
    const kept = after(draftOn(staged, 'merge', '{"c":1}'));
    assert.equal(kept.resource.current.c, 1);
    assert.equal(kept.resource.current.someProperty, undefined);
    assert.equal(kept.resource.staged?.c, 1);
    assert.equal(kept.resource.staged?.someProperty, 's');
    assert.ok(kept.record.current.endsWith(',"hasStagedChanges":true}'));
    assert.ok(kept.record.staged?.endsWith(',"hasStagedChanges":true}'));
    const overwritten = after(draftOn(staged, 'overwrite', '{"c":1}'));
    assert.equal(overwritten.record.staged, undefined);
    assert.equal(overwritten.record.current.includes('hasStagedChanges'), false);
  });

  test('hands the store both versions and the version that must still hold', () => {
    const { change } = draftOn(before, 'merge', '{"a":1}');
    assert.equal(change?.kind, 'update');
    assert.equal(change.expectedVersion, 1);
    assert.deepEqual(change.before.current.a, { x: 1, y: 2 });
    assert.equal(change.after.current.a, 1);
    assert.equal(change.after.current.objectTypeProperty, change.before.current.objectTypeProperty);
  });
});

describe('the limits of a document', () => {
  const small = contextAt(1, { maxDocumentBytes: 20_000 });
  const refusedAs = (run: () => unknown) => refusalOf(run).code;
  test('a body at the limit can be stored, and one that is much over it cannot', () => {
    assert.doesNotThrow(() => draftOn(undefined, 'merge', `{"a":"${'x'.repeat(20_000 - 8)}"}`, {}, small));
    assert.equal(
      refusedAs(() => draftOn(undefined, 'merge', `{"a":"${'x'.repeat(25_000)}"}`, {}, small)),
      'ResourceSizeLimitExceeded',
    );
    assert.equal(
      refusedAs(() => draftOn(undefined, 'merge', `{"a":"${'é'.repeat(13_000)}"}`, {}, small)),
      'ResourceSizeLimitExceeded',
    );
  });
  test('a document that grows over its size or over its number of keys is refused', () => {
    const kept = created(`{"a":"${'x'.repeat(15_000)}"}`);
    assert.equal(
      refusedAs(() => draftOn(kept, 'merge', `{"b":"${'x'.repeat(15_000)}"}`, {}, small)),
      'ResourceSizeLimitExceeded',
    );
    const fields = (prefix: string) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: 6000 }, (_, i) => [`${prefix}${i}`, 1])));
    assert.equal(
      refusedAs(() => draftOn(created(fields('a')), 'merge', fields('b'))),
      'ResourceSizeLimitExceeded',
    );
  });
});

describe('preconditions', () => {
  const existing = after(draftOn(created('{"id":"r"}'), 'merge', '{"a":1}'));
  const cases: readonly (readonly [string, 'existing' | 'none', string | undefined, string | undefined, string])[] = [
    ['If-Match of the version', 'existing', '"2-new-id"', undefined, 'passes'],
    ['If-Match with the version in a list', 'existing', '"1", "2-new-id"', undefined, 'passes'],
    ['If-Match: *', 'existing', '*', undefined, 'passes'],
    [
      'If-Match of the version, as of another incarnation',
      'existing',
      '"2-old-id"',
      undefined,
      '412 ConcurrentModification',
    ],
    ['If-Match of the version alone', 'existing', '"2"', undefined, '412 ConcurrentModification'],
    ['If-Match of another version', 'existing', '"1-new-id"', undefined, '412 ConcurrentModification'],
    ['If-Match of a foreign tag', 'existing', '"a,b"', undefined, '412 ConcurrentModification'],
    ['If-Match of a weak tag', 'existing', 'W/"2-new-id"', undefined, '412 PreconditionFailed'],
    ['If-Match: *', 'none', '*', undefined, '412 PreconditionFailed'],
    ['If-Match', 'none', '"1"', undefined, '412 PreconditionFailed'],
    ['If-None-Match: *', 'existing', undefined, '*', '412 PreconditionFailed'],
    ['If-None-Match of the version', 'existing', undefined, '"2-new-id"', '412 PreconditionFailed'],
    ['If-None-Match of the version, weak', 'existing', undefined, 'W/"2-new-id"', '412 PreconditionFailed'],
    ['If-None-Match of another version', 'existing', undefined, '"1-new-id"', 'passes'],
    ['If-None-Match of another incarnation', 'existing', undefined, '"2-old-id"', 'passes'],
    ['If-None-Match of the version alone', 'existing', undefined, '"2"', 'passes'],
    ['If-None-Match: *', 'none', undefined, '*', 'passes'],
    ['If-Match without quotes', 'existing', '2', undefined, '400 InvalidInput'],
    ['If-Match with half a tag', 'existing', '"2', undefined, '400 InvalidInput'],
    ['If-Match without a tag', 'existing', ' , ', undefined, '400 InvalidInput'],
    ['two tags without a comma', 'existing', '"1""2"', undefined, '400 InvalidInput'],
  ];
  for (const [name, target, ifMatch, ifNoneMatch, expected] of cases) {
    test(`a write with ${name} on ${target}: ${expected}`, () => {
      const write = () =>
        draftOn(target === 'existing' ? existing : undefined, 'merge', '{}', parsePreconditions(ifMatch, ifNoneMatch));
      if (expected === 'passes') return void assert.doesNotThrow(write);
      const { status, code } = refusalOf(write);
      assert.equal(`${status} ${code}`, expected);
    });
  }
  test('a failed If-Match tells the current version and what changed', () => {
    const { message, details } = refusalOf(() =>
      draftOn(existing, 'merge', '{}', parsePreconditions('"1-new-id"', undefined)),
    );
    assert.equal(message, 'Object r has a different version than expected. Expected: 1 - Actual: 2.');
    assert.deepEqual(details, { currentVersion: 2, changedFields: ['a'], ...byWriter });
  });
  test('a resource from before there were incarnations has a tag with the time of its creation', () => {
    const { record } = existing;
    assert.equal(etagOf(record), '"2-new-id"');
    assert.equal(etagOf({ ...record, incarnation: undefined }), '"2-2026-05-04T09:12:01"');
  });
  test('an If-Match of another incarnation in the same version tells both tags', () => {
    const { message, details } = refusalOf(() =>
      draftOn(existing, 'merge', '{}', parsePreconditions('"2-old-id"', undefined)),
    );
    assert.equal(message, 'Object r has a different version than expected. Expected: "2-old-id" - Actual: "2-new-id".');
    assert.deepEqual(details, { currentVersion: 2, ...byWriter });
  });
});
