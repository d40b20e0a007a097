import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { parseJson as parseInConsole } from '../../packages/console/src/api/json.ts';
import { parseJsonWith } from '../../src/contract/parse-json.ts';
import { createTestServer } from '../../src/test-server/create-test-server.ts';
import { openClients } from './open-client.ts';

const parse = (text: string) => parseJsonWith((value) => value, text);

/**
 * An object whose last name the parser of Node 26 takes for the one that another object of the same shape had there. Only
 * the first two objects of a shape show it.
 */
const shaped = (shape: string, last: string) => ({ [shape]: { [shape]: 1, [last]: 'quoted: \\": {' } });

describe('names with escapes', () => {
  test('are read as they are written, whatever name an object of the same shape had before', () => {
    const names = ['\\', '\t', '\n', '"', '#', '##0', '\\t', '\t:', 'a"', 'a\\', '\\"', '\u0001', '__proto__', '', '1'];
    let shape = 0;
    for (const first of names) {
      for (const second of names) {
        shape += 1;
        for (const last of [first, second]) {
          const text = JSON.stringify(shaped(`service${shape}`, last));
          assert.equal(JSON.stringify(parse(text)), text);
          const shown = JSON.stringify(shaped(`console${shape}`, last));
          assert.equal(JSON.stringify(parseInConsole(shown)), shown);
        }
      }
    }
  });

  test('are read in any JSON, and nothing is read that is no JSON', () => {
    const name = fc.stringMatching(/^[\\"\t\n#:{ a]{0,4}$/);
    const { json } = fc.letrec<{ json: unknown }>((tie) => ({
      json: fc.oneof(
        { maxDepth: 4 },
        fc.oneof(name, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null)),
        fc.array(tie('json'), { maxLength: 3 }),
        fc.dictionary(name, tie('json'), { maxKeys: 4 }),
      ),
    }));
    const spaces = fc.constantFrom(undefined, 1, '\n\t');
    fc.assert(
      fc.property(json, spaces, (value, space) => {
        const text = JSON.stringify(value, undefined, space);
        assert.equal(JSON.stringify(parse(text), undefined, space), text);
      }),
      { numRuns: 500 },
    );
    for (const text of ['{"\\t":1', '{"\\t" 1}', '{"\\x":1}', '{"\\t":1,}', '"\\', '{"\\\n":1}', '{"a\\":1}', '']) {
      assert.throws(() => parse(text), SyntaxError, text);
    }
  });

  test('do not hold up a text of marks', () => {
    const marks = '"#'.repeat(4);
    const text = JSON.stringify([{ '\t': `${marks}${'#'.repeat(1_000_000)}`, '#1': '"#' }]);
    assert.equal(JSON.stringify(parse(text)), text);
  });

  test('reach the users of the client', async () => {
    const { open } = await openClients();
    const resources = open().client.resources<Record<string, unknown>>();
    for (const last of ['\\', '\t']) {
      const draft = shaped('client', last);
      const { id } = await resources.create(draft);
      assert.deepEqual((await resources.get({ id })).client, draft.client);
    }
  });

  test('reach the users of the test server', async () => {
    await using server = await createTestServer({ listen: false });
    for (const last of ['\\', '\t']) {
      const body = shaped('server', last);
      const { json } = await server.inject({ method: 'POST', path: '/a/resource', body, scope: 'manage_project:a' });
      assert.deepEqual(json.server, body.server);
    }
  });

  test('are read by the client and by the service with the same program', () => {
    const files = ['src/contract/parse-json.ts', 'packages/client/src/parse-json.ts'];
    const [own, copy] = files.map((file) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'));
    assert.equal(copy, own, `cp ${files.join(' ')}`);
  });
});
