import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { systemFieldNames } from '../../src/contract/resource.ts';
import type { TestResponse } from '../start-test-api.ts';
import { anyBody } from './any-json.ts';
import { mergeReference, type Reference, type ReferenceObject, readReferenceObject } from './json-reference.ts';
import { openResources, refusalOf } from './open-resources.ts';

const { send, get } = await openResources();
const writes = fc.array(fc.tuple(fc.constantFrom('POST', 'PATCH', 'PUT'), anyBody), { minLength: 3, maxLength: 3 });

/** The client's own fields of a JSON text. */
function ownFields(text: string): ReferenceObject {
  const fields = readReferenceObject(text);
  assert.ok(fields);
  return new Map([...fields].filter(([name]) => !systemFieldNames.has(name)));
}

/** What a write makes of the fields that the resource has, by decisions 8 and 10. */
function applied(method: string, before: ReferenceObject, draft: ReferenceObject): ReferenceObject {
  if (method === 'PATCH') return mergeReference(before, draft) as ReferenceObject;
  const after = new Map<string, Reference>(method === 'PUT' ? [] : before);
  for (const [name, value] of draft) {
    if (value === null) after.delete(name);
    else if (name === 'objectTypeProperty' && value instanceof Map) {
      after.set(name, new Map([...value].filter(([, field]) => field !== null)));
    } else after.set(name, value);
  }
  return after;
}

function checkRefusal(response: TestResponse, body: string): void {
  // Only a body with a version can be stale.
  const { code } = response.json.errors[0];
  if (response.status === 409)
    assert.ok(body.includes('"version"') && code === 'ConcurrentModification', response.text);
  else assert.ok(refusalOf(response, 400, code).message, response.text);
}

test('E6, E7 and E8 with any JSON: 201 and read back digit by digit, or 400 in the one shape and no effect', async () => {
  const counts = { accepted: 0, refused: 0 };
  let projects = 0;
  await fc.assert(
    fc.asyncProperty(writes, async (requests) => {
      projects += 1;
      const project = `/any-${projects}/resource`;
      let expected: ReferenceObject | undefined;
      for (const [method, body] of requests) {
        const response = await send(method, project, body);
        const hasKey = response.status === 201 && 'key' in response.json;
        if (response.status === 201 && hasKey) {
          counts.accepted += 1;
          expected = applied(method, expected ?? new Map(), ownFields(body));
        } else if (response.status !== 201) {
          counts.refused += 1;
          checkRefusal(response, body);
        }
        if (expected === undefined) continue;
        const { status, text } = await get(`${project}/key=k`);
        assert.equal(status, 200, text);
        const kept = new Map(ownFields(text));
        if (!expected.has('objectTypeProperty')) kept.delete('objectTypeProperty');
        assert.deepStrictEqual(kept, expected);
        if (response.status === 201 && hasKey) assert.equal(response.text, text);
      }
    }),
    { numRuns: 100 },
  );
  assert.ok(counts.accepted > 130 && counts.refused > 10, JSON.stringify(counts));
});
