import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { JsonObject } from '../../../src/contract/json.ts';
import { checkUpdate } from '../../../src/contract/update.ts';
import { actionSchema, defineAction, needsNoVersion } from '../../../src/domain/resource/actions/define.ts';
import { createActions } from '../../../src/domain/resource/actions/index.ts';
import { loadExtensions } from '../../../src/extensions/load-extensions.ts';
import { actionsOn, after, contextAt, created, own, refusalOf } from './fixtures.ts';

const resource = created('{"id":"r","name":{"en":"Sale"}}');

describe("an operator's own actions", () => {
  const shout = defineAction({
    name: 'shout',
    summary: 'Puts a text in capitals.',
    changes: 'fields',
    fields: {
      text: { type: 'string', description: 'The text.', example: 'hey' },
      times: { type: 'integer', optional: true, description: 'How often.', example: 2 },
    },
    apply: (fields, { text, times }, { set, refuse }) => {
      if (text === '') refuse('text: expected a text that is not empty');
      const count: number = typeof times === 'number' ? times : 1;
      return set(fields, ['loud', 'text'], text.toUpperCase().repeat(count));
    },
  });
  const known = createActions([shout]);

  test('run beside the built-in ones, staged too, and refuse with their message', () => {
    const kept = after(
      actionsOn(
        resource,
        '[{"action":"doSomeThing"},{"action":"shout","text":"hey","times":2,"staged":true}]',
        contextAt(2),
        known,
      ),
    );
    assert.deepEqual(kept.resource.staged?.loud, { text: 'HEYHEY' });
    assert.equal(kept.resource.current.loud, undefined);
    const { code, message } = refusalOf(() =>
      actionsOn(resource, '[{"action":"shout","text":""}]', contextAt(2), known),
    );
    assert.equal(`${code}: ${message}`, 'InvalidOperation: actions[0]: text: expected a text that is not empty');
  });

  test('get the value at a path; none where there is none, or null', () => {
    const read = defineAction({
      name: 'read',
      summary: 'Reads.',
      changes: 'fields',
      fields: { path: { type: 'string', description: 'The path.', example: 'a' } },
      apply: (fields, { path }, { get, set }) => set(fields, ['found'], get(fields, path.split('.')) ?? 'nothing'),
    });
    const list = created('{"list":[1,{"a":"x"}],"none":{"a":null}}');
    const found = (path: string) =>
      own(after(actionsOn(list, `[{"action":"read","path":"${path}"}]`, contextAt(2), createActions([read])))).found;
    assert.deepEqual(['list', 'list.0', 'list.1.a'].map(found), [[1, { a: 'x' }], 1, 'x']);
    for (const path of ['list.2', 'list.x', 'list.0.a', 'list.1.a.b', 'none.a', 'other', 'constructor.name']) {
      assert.equal(found(path), 'nothing', path);
    }
  });

  test('are described for the OpenAPI document', () => {
    assert.deepEqual(actionSchema(shout), {
      type: 'object',
      title: 'ShoutAction',
      description: 'Puts a text in capitals.',
      required: ['action', 'text'],
      properties: {
        action: { type: 'string', const: 'shout' },
        text: { type: 'string', description: 'The text.', examples: ['hey'] },
        times: { type: 'integer', description: 'How often.', examples: [2] },
        staged: { type: 'boolean', description: 'Change the staged projection only. Default: false.' },
      },
      additionalProperties: false,
      examples: [{ action: 'shout', text: 'hey', times: 2 }],
    });
  });

  test('that change their argument or return what is not JSON do not reach the version before', () => {
    const rude = defineAction({
      name: 'rude',
      summary: 'Misbehaves.',
      changes: 'fields',
      fields: {},
      apply: (fields) => Object.assign(fields, { name: undefined, at: new Date(0) }),
    });
    const decision = actionsOn(resource, '[{"action":"rude"}]', contextAt(2), createActions([rude]));
    assert.deepEqual(own(resource).name, { en: 'Sale' });
    assert.equal(own(after(decision)).at, '1970-01-01T00:00:00.000Z');
    assert.equal(decision.outcome.documents.current.at, '1970-01-01T00:00:00.000Z');
  });

  test('that put one value at two paths: what is set afterwards at one of them does not change the other', () => {
    const twice = defineAction({
      name: 'twice',
      summary: 'Puts the value of a into b too.',
      changes: 'fields',
      fields: {},
      apply: (fields) => ({ ...fields, b: fields.a! }),
    });
    const set = (path: string, value: number) => ({ action: 'setField', path, value });
    const list = [set('a.x', 1), { action: 'twice' }, set('a.x', 2), set('b.y', 3)];
    const kept = after(actionsOn(resource, JSON.stringify(list), contextAt(2), createActions([twice])));
    assert.deepEqual([own(kept).a, own(kept).b], [{ x: 2 }, { x: 1, y: 3 }]);
  });

  test('that return no fields, a promise or system fields are errors of the action, not of the client', () => {
    const results: readonly (readonly [unknown, RegExp])[] = [
      [undefined, /broken did not return an object/],
      [Promise.resolve({}), /broken did not return an object/],
      [{ version: 7 }, /broken returned the system field version/],
    ];
    for (const [result, message] of results) {
      const broken = defineAction({
        name: 'broken',
        summary: 'x',
        changes: 'fields',
        fields: {},
        apply: () => result as JsonObject,
      });
      assert.throws(() => actionsOn(resource, '[{"action":"broken"}]', contextAt(2), createActions([broken])), message);
    }
  });

  test('that need no version may come without one, beside built-in ones that need none, and others may not', () => {
    const [free, bound] = [false, true].map((needsVersion) =>
      defineAction({
        name: needsVersion ? 'bound' : 'free',
        summary: 'Sets b.',
        changes: 'fields',
        needsVersion,
        fields: {},
        apply: (fields, _values, tools) => tools.set(fields, ['b'], 1),
      }),
    );
    const known = createActions([free!, bound!]);
    const check = (...names: readonly string[]) =>
      checkUpdate({ actions: names.map((action) => ({ action })) }, undefined, needsNoVersion(known)).version;
    assert.equal(check('free', 'incrementNumber'), undefined);
    assert.throws(() => check('free', 'bound'), /version: Missing required value/);
    assert.throws(
      () => defineAction({ ...free, needsVersion: 'no' } as never),
      /free: needsVersion: expected a boolean/,
    );
  });

  async function withModules(
    files: Readonly<Record<string, string>>,
    run: (folder: string) => Promise<void>,
  ): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), 'actions-'));
    try {
      for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
      await run(folder);
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  const definition = (name: string) =>
    `export default { name: '${name}', summary: 'Does it.', changes: 'fields', fields: {}, apply: (fields) => ({ ...fields, done: true }) };`;

  test('are loaded from the modules of a folder, TypeScript and JavaScript, and nothing else of it', async () => {
    const files = {
      'b.mjs': definition('second'),
      'a.ts': `const n: number = 1;\n${definition('first')}`,
      'c.d.ts': 'x',
      'README.md': 'x',
    };
    await withModules(files, async (folder) => {
      const { actions: loaded } = await loadExtensions(folder);
      assert.deepEqual(
        loaded.map(({ name }) => name),
        ['first', 'second'],
      );
      assert.equal(
        own(after(actionsOn(resource, '[{"action":"second"}]', contextAt(2), createActions(loaded)))).done,
        true,
      );
    });
  });

  const faulty: readonly (readonly [string, string, RegExp])[] = [
    ['no default export', 'export const a = 1;', /bad\.mjs: expected a default export from defineAction or defineHook/],
    ['a syntax error', 'export default {', /bad\.mjs: the module cannot be loaded: /],
    ['an error while loading', "throw new Error('no licence');", /bad\.mjs: the module cannot be loaded: no licence/],
    [
      'no function',
      "export default { name: 'a', summary: 'x', changes: 'fields', fields: {} };",
      /bad\.mjs: a: apply: expected a function/,
    ],
    [
      'the name of all actions together',
      definition('resourceUpdate'),
      /bad\.mjs: resourceUpdate: the name is reserved/,
    ],
    ['a bad name', definition('Bad Name'), /bad\.mjs: name: expected a name such as changeColour/],
    [
      'a field of a type that is unknown',
      "export default { name: 'a', summary: 'x', changes: 'fields', fields: { f: { type: 'date', description: '' } }, apply() {} };",
      /bad\.mjs: a: fields: f: type: expected one of string,/,
    ],
    [
      'a field named staged',
      "export default { name: 'a', summary: 'x', changes: 'fields', fields: { staged: { type: 'any', description: '' } }, apply() {} };",
      /staged: the name is reserved/,
    ],
    [
      'the name of a built-in action',
      definition('publish'),
      /bad\.mjs: the action publish is already defined by the service itself/,
    ],
  ];
  for (const [what, text, message] of faulty) {
    test(`stop the start where a module has ${what}`, async () => {
      await withModules({ 'bad.mjs': text }, async (folder) => assert.rejects(loadExtensions(folder), message));
    });
  }
  test('stop the start where two modules have one name, or the folder is missing', async () => {
    await withModules({ 'a.mjs': definition('same'), 'b.mjs': definition('same') }, async (folder) => {
      await assert.rejects(loadExtensions(folder), /b\.mjs: the action same is already defined by .*a\.mjs/);
      await assert.rejects(
        loadExtensions(join(folder, 'missing')),
        /missing: the folder of update actions and hooks cannot be read/,
      );
    });
  });
});
