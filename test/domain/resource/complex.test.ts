import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { checkComplexDraft } from '../../../src/contract/complex.ts';
import { parseJson, stringifyJson } from '../../../src/domain/json/parse.ts';
import type { StoredResource } from '../../../src/domain/resource/resource.ts';
import { arrayTestTypeOf, decideComplex, formOf } from '../../../src/domain/resource/write/complex.ts';
import { after, contextAt, created, refusalOf } from './fixtures.ts';

const pair = { uriParameterOne: 'one', uriParameterTwo: 'two' };

function complexOn(target: StoredResource | undefined, body: string, parameters = pair): StoredResource {
  return after(decideComplex(target, checkComplexDraft(parseJson(body)), parameters, {}, 'shop', contextAt(3)));
}

describe('E9', () => {
  test('keeps its properties, times, people and parameters on a new resource', () => {
    const kept = complexOn(
      undefined,
      '{"id":"r","key":"k [1]","version":"draft","createdAt":"2001-02-03T04:05:06+01:00","lastModifiedAt":"2002-01-01","createdBy":{"firstName":"A"},"lastModifiedBy":{"lastName":"B"},"twelthProperty":"12","twelfthProperty":"12b","custom":null,"more":9007199254740993}',
      { ...pair, queryParameterOne: 1.5, queryParameterTwo: 'q' } as typeof pair,
    );
    assert.equal(
      kept.record.current,
      '{"id":"r","version":1,"key":"k [1]","createdAt":"2001-02-03T04:05:06+01:00","lastModifiedAt":"2002-01-01","createdBy":{"firstName":"A"},"lastModifiedBy":{"lastName":"B"},' +
        '"twelthProperty":"12","twelfthProperty":"12b","more":9007199254740993,"externalVersion":"draft","uriParameterOne":"one","uriParameterTwo":"two","queryParameterOne":1.5,"queryParameterTwo":"q","objectTypeProperty":{}}',
    );
    assert.equal(kept.record.createdAt, '2001-02-03T03:05:06');
  });

  test('orders times by what they mean, whatever their form', () => {
    const forms: readonly (readonly [string, string])[] = [
      ['2001-02-03T04:05:06.120Z', '2001-02-03T04:05:06.12'],
      ['2001-02-03T04:05:10.000Z', '2001-02-03T04:05:10'],
      ['2001-02-03T04:05:06.1234', '2001-02-03T04:05:06.1234'],
      ['2001-02-03T04:05-01:00', '2001-02-03T05:05:00'],
    ];
    for (const [given, canonical] of forms) {
      const { record } = complexOn(undefined, `{"createdAt":"${given}","lastModifiedAt":"${given}"}`);
      assert.deepEqual([record.createdAt, record.lastModifiedAt], [canonical, canonical]);
      assert.ok(record.current.includes(`"createdAt":"${given}","lastModifiedAt":"${given}"`));
    }
  });

  test('replaces the fields it has on an existing resource, and leaves the others', () => {
    const before = created('{"id":"r","a":1,"custom":"old","objectTypeProperty":{"arrayOfIntExample":[1]}}');
    const { resource } = complexOn(before, '{"id":"r","custom":"new"}');
    assert.deepEqual([resource.current.a, resource.current.custom], [1, 'new']);
    assert.deepEqual(resource.current.objectTypeProperty, { arrayOfIntExample: [1] });
    assert.deepEqual([resource.version, resource.lastModifiedAt], [2, '2026-05-04T09:12:03.000Z']);
    assert.equal(resource.createdAt, before.resource.createdAt);
  });

  test('compares a version that is a decimal integer, and keeps any other text', () => {
    const before = created('{"id":"r"}');
    assert.equal(complexOn(before, '{"version":"1"}').resource.version, 2);
    assert.equal(complexOn(before, '{"version":"1.0"}').resource.current.externalVersion, '1.0');
    const { status, details } = refusalOf(() => complexOn(before, '{"version":"2"}'));
    assert.deepEqual([status, details.currentVersion], [409, 1]);
    assert.equal(complexOn(undefined, '{"version":"0"}').resource.current.externalVersion, undefined);
    assert.equal(refusalOf(() => complexOn(undefined, '{"version":"1"}')).code, 'InvalidOperation');
  });

  test('returns all seven arrays, those that the resource lacks empty', () => {
    const document = parseJson(
      '{"objectTypeProperty":{"other":1,"arrayOfStringExample":["a"],"arrayOfIntExample":[9007199254740993]}}',
    );
    assert.equal(
      stringifyJson(arrayTestTypeOf(document as Parameters<typeof arrayTestTypeOf>[0])),
      '{"arrayOfIntExample":[9007199254740993],"arrayOfUniqueIntExample":[],"arrayOfTwonumbersExample":[],"arrayOfFloatExample":[],"arrayOfNumberNoDefaultsExample":[],"arrayOfStringExample":["a"],"arrayOfObjectType":[]}',
    );
  });

  test('returns a form with every item', () => {
    const strings = fc.array(fc.string({ unit: 'grapheme' }));
    fc.assert(
      fc.property(strings, fc.array(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })), (texts, integers) => {
        const numbers = parseJson(`[${integers.join()}]`);
        const form = formOf({
          arrayOfIntExample: numbers,
          arrayOfStringExample: texts,
          arrayOfObjectType: [{ integerExample: 1 }],
        });
        const read = new URLSearchParams(form);
        assert.deepEqual(read.getAll('arrayOfStringExample'), texts);
        assert.deepEqual(read.getAll('arrayOfIntExample'), integers.map(String));
        assert.deepEqual(read.getAll('arrayOfObjectType'), ['{"integerExample":1}']);
      }),
    );
  });
});
