import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { JsonObject } from '../../../src/contract/json.ts';
import { documentsBefore, replacedBy } from '../../../src/domain/history/replaced.ts';
import { parseStoredJson, stringifyJson } from '../../../src/domain/json/parse.ts';
import type { Documents } from '../../../src/domain/ports/resource-store.ts';

const parse = (text: string) => parseStoredJson(text) as JsonObject;

/** Documents of few names, so that they are often the same ones in another order. */
const document = fc
  .array(
    fc.tuple(
      fc.constantFrom('a', 'b', 'c', '10', '2', '__proto__', 'constructor', 'ü'),
      fc.constantFrom('1', '9007199254740993', '1.50', 'null', '"x"', '{"b":1,"a":2}', '{"a":2,"b":1}', '[]'),
    ),
    { maxLength: 6 },
  )
  .map((members) => {
    const texts = new Map(members);
    return parse(`{${[...texts].map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`);
  });

const documents = fc.record({ current: document, staged: document }, { requiredKeys: ['current'] });

test('the record of a change and the documents after it give those before it, to the byte', () => {
  fc.assert(
    fc.property(documents, documents, (before: Documents, after: Documents) => {
      const found = documentsBefore(replacedBy(before, after), after);
      assert.equal(stringifyJson(found!.current), stringifyJson(before.current));
      assert.equal(found!.staged && stringifyJson(found!.staged), before.staged && stringifyJson(before.staged));
    }),
    { numRuns: 1000 },
  );
});

test('the order of the fields is recorded only where it moved', () => {
  const after = { current: parse('{"a":1,"b":3,"c":4}') };
  assert.equal(replacedBy({ current: parse('{"a":1,"b":2}') }, after), '{"current":{"fields":{"b":2},"added":["c"]}}');
  assert.equal(
    replacedBy({ current: parse('{"b":2,"a":1}') }, after),
    '{"current":{"fields":{"b":2},"added":["c"],"order":["b","a"]}}',
  );
});
