import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject, JsonValue } from '../../src/contract/json.ts';
import { parseStoredJson } from '../../src/domain/json/parse.ts';
import { compileSchema } from '../../src/schema/compile.ts';

/** JSON Schema 2020-12 of strangers, for documents of strangers. */

const parse = (text: string) => parseStoredJson(text) as JsonObject;

/** The fields that do not fit, each with what was expected. */
async function problems(schema: string, document: string, isPartial = false): Promise<readonly string[]> {
  const compiled = await compileSchema(parse(schema), 'schema');
  return compiled.violations(parse(document), isPartial).map(({ field, problem }) => `${field}: ${problem}`);
}

interface Case {
  readonly schema: string;
  readonly fits: readonly string[];
  readonly not: readonly string[];
}

const cases: Readonly<Record<string, Case>> = {
  type: {
    schema: '{"properties":{"a":{"type":["integer","null"]}}}',
    fits: ['{"a":5}', '{"a":5.0}', '{"a":9223372036854775807}', '{"a":null}'],
    not: ['{"a":5.5}', '{"a":"5"}', '{"a":[]}'],
  },
  'bounds, digit by digit': {
    schema: '{"properties":{"a":{"minimum":-9223372036854775808,"exclusiveMaximum":9007199254740993}}}',
    fits: ['{"a":9007199254740992}', '{"a":-9223372036854775808}'],
    not: ['{"a":9007199254740993}', '{"a":9223372036854775807}'],
  },
  'bounds of 0': {
    schema: '{"properties":{"a":{"minimum":0},"b":{"maximum":0}}}',
    fits: ['{"a":0,"b":0}', '{"a":0.1}'],
    not: ['{"a":-1}', '{"b":1}', '{"b":0.1}'],
  },
  multipleOf: {
    schema: '{"properties":{"a":{"multipleOf":0.1},"b":{"multipleOf":3}}}',
    fits: ['{"a":0.3}', '{"a":1.1}', '{"b":9007199254740993}', '{"b":-3}'],
    not: ['{"a":0.35}', '{"b":9007199254740994}'],
  },
  'enum and const': {
    schema: '{"properties":{"a":{"enum":[1,"1",{"x":[1,2],"y":null},9007199254740993]},"b":{"const":1.0}}}',
    fits: ['{"a":1.0}', '{"a":{"y":null,"x":[1,2]}}', '{"a":9007199254740993}', '{"b":1}'],
    not: ['{"a":9007199254740992}', '{"a":{"x":[2,1],"y":null}}', '{"b":"1"}'],
  },
  uniqueItems: {
    schema: '{"properties":{"a":{"uniqueItems":true}}}',
    fits: ['{"a":[1,"1",true,{"x":1},{"x":2}]}', '{"a":[9007199254740992,9007199254740993]}'],
    not: ['{"a":[1,1.0]}', '{"a":[{"x":1,"y":2},{"y":2,"x":1}]}'],
  },
  pattern: {
    schema: '{"properties":{"a":{"pattern":"^[a-z]+$"}}}',
    fits: ['{"a":"abc"}', '{"a":5}'],
    not: ['{"a":"ABC"}', '{"a":""}'],
  },
  patternProperties: {
    schema: '{"patternProperties":{"^n_":{"type":"integer"}},"additionalProperties":false,"properties":{"a":true}}',
    fits: ['{"n_1":5,"a":"x"}'],
    not: ['{"n_1":"5"}', '{"b":1}', '{"constructor":1}'],
  },
  additionalProperties: {
    schema: '{"properties":{"a.b":{},"a":{}},"additionalProperties":{"type":"string"}}',
    fits: ['{"a.b":1,"c":"x"}'],
    not: ['{"axb":1}', '{"__proto__":1}'],
  },
  format: {
    schema:
      '{"properties":{"a":{"format":"date-time"},"b":{"format":"email"},"c":{"format":"uuid"},"d":{"format":"x-y"}}}',
    fits: ['{"a":"2026-05-04T09:12:33Z"}', '{"b":"a@example.com"}', '{"d":"x"}', '{"a":5}'],
    not: ['{"a":"yesterday"}', '{"b":"a"}', '{"c":"x"}'],
  },
  references: {
    schema:
      '{"$defs":{"m":{"type":"object","required":["n"]}},"properties":{"a":{"$ref":"#/$defs/m"},"l":{"items":{"$ref":"#/$defs/m"}}}}',
    fits: ['{"a":{"n":1}}', '{"l":[{"n":1}]}'],
    not: ['{"a":{}}', '{"l":[{"n":1},{}]}'],
  },
  'a tree': {
    schema:
      '{"$defs":{"n":{"properties":{"name":{"type":"string"},"l":{"items":{"$ref":"#/$defs/n"}}}}},"$ref":"#/$defs/n"}',
    fits: ['{"l":[{"name":"a","l":[{"name":"b"}]}]}'],
    not: ['{"l":[{"l":[{"name":5}]}]}'],
  },
  'anyOf, oneOf, not': {
    schema:
      '{"properties":{"a":{"anyOf":[{"type":"string"},{"minimum":5}]},"b":{"oneOf":[{"type":"integer"},{"minimum":2}]},"c":{"not":{"type":"null"}}}}',
    fits: ['{"a":"x"}', '{"a":5}', '{"b":1}', '{"c":1}'],
    not: ['{"a":4}', '{"b":3}', '{"c":null}'],
  },
  'if, then, else': {
    schema:
      '{"if":{"properties":{"kind":{"const":"box"}},"required":["kind"]},"then":{"required":["size"]},"else":{"properties":{"size":false}}}',
    fits: ['{"kind":"box","size":1}', '{}'],
    not: ['{"kind":"box"}', '{"size":1}'],
  },
  unevaluatedProperties: {
    schema: '{"allOf":[{"properties":{"a":{}}}],"patternProperties":{"^x":{}},"unevaluatedProperties":false}',
    fits: ['{"a":1,"x1":2}'],
    not: ['{"b":1}'],
  },
  'contains, prefixItems': {
    schema:
      '{"properties":{"a":{"contains":{"type":"integer"},"minContains":2},"b":{"prefixItems":[{"type":"integer"}],"items":false}}}',
    fits: ['{"a":[1,"x",2]}', '{"b":[1]}'],
    not: ['{"a":[1]}', '{"b":["x"]}', '{"b":[1,2]}'],
  },
  'dependentRequired, propertyNames': {
    schema: '{"dependentRequired":{"a":["b"]},"propertyNames":{"maxLength":3}}',
    fits: ['{"a":1,"b":2}', '{"b":1}'],
    not: ['{"a":1}', '{"long":1}'],
  },
};

for (const [claim, { schema, fits, not }] of Object.entries(cases)) {
  test(`schema: ${claim}`, async () => {
    for (const document of fits) assert.deepEqual(await problems(schema, document), [], document);
    for (const document of not) assert.notDeepEqual(await problems(schema, document), [], document);
  });
}

test('schema: of a choice only that none fits is told, and of the chosen branch what does not', async () => {
  const choice = '{"properties":{"a":{"anyOf":[{"type":"string"},{"type":"object","required":["x"]}]}}}';
  assert.deepEqual(await problems(choice, '{"a":5}'), ['a: expected one of the alternatives of the schema']);
  const branch =
    '{"if":{"required":["kind"]},"then":{"properties":{"size":{"type":"integer"}},"required":["size","depth"]}}';
  const found = await problems(branch, '{"kind":1,"size":"x"}');
  assert.deepEqual(found.toSorted(), ['depth: missing', 'size: expected an integer']);
});

test('schema: paths are those of the project, whatever the names', async () => {
  const schema =
    '{"properties":{"a/b":{"items":{"properties":{"~x":{"type":"string"}}}}},"additionalProperties":{"type":"string"}}';
  const found = await problems(schema, '{"a/b":[{},{"~x":5}],"ü":1,"1":2}');
  assert.deepEqual(found.toSorted(), [
    '1: expected a string',
    '`a/b`[1].`~x`: expected a string',
    '`ü`: expected a string',
  ]);
});

test('schema: a part of a document may lack what is required, at any depth, and nothing else', async () => {
  const schema =
    '{"required":["a"],"minProperties":2,"dependentRequired":{"c":["d"]},"properties":{"b":{"required":["x"],"properties":{"x":{"type":"string"}}}}}';
  assert.deepEqual(await problems(schema, '{"b":{}}', true), []);
  assert.deepEqual(await problems(schema, '{"b":{"x":5},"c":1}', true), ['b.x: expected a string']);
});

test('schema: a draft is judged by what it has where a schema chooses or excludes', async () => {
  const choice = '{"oneOf":[{"required":["a"]},{"required":["b"]}]}';
  for (const draft of ['{}', '{"a":1}', '{"b":1}', '{"a":1,"b":1}'])
    assert.deepEqual(await problems(choice, draft, true), []);
  assert.deepEqual(await problems('{"not":{"required":["old"]}}', '{}', true), []);
  assert.equal((await problems('{"not":{"required":["old"]}}', '{"old":1}', true)).length, 1);
  const branch =
    '{"if":{"required":["a"]},"then":{"required":["b"],"properties":{"c":{"const":1}}},"else":{"properties":{"c":{"const":2}}}}';
  assert.deepEqual(await problems(branch, '{"c":2}', true), []);
  assert.deepEqual(await problems(branch, '{"a":1,"c":1}', true), []);
  assert.deepEqual(await problems(branch, '{"a":1,"c":2}', true), ['c: expected 1']);
  const one = '{"properties":{"l":{"contains":{"required":["main"]},"maxContains":1}}}';
  assert.deepEqual(await problems(one, '{"l":[{"main":1},{}]}', true), []);
});

test('schema: names of fields may have any character of a URI', async () => {
  for (const name of ['a#b', '#', '100%', '%23', 'a?b', '~1']) {
    const schema = JSON.stringify({ properties: { [name]: { enum: ['x'] } } });
    assert.deepEqual(await problems(schema, JSON.stringify({ [name]: 'x' })), [], name);
    assert.equal((await problems(schema, JSON.stringify({ [name]: 'y' })))[0]?.endsWith('one of ["x"]'), true, name);
  }
});

test('schema: fields are named as in all paths, and long names are cut', async () => {
  const all = '{"additionalProperties":{"items":{"additionalProperties":{"type":"string"}}}}';
  const names = ['a-b_1', 'größe', 'b.c', 'back`tick', '', 'n'.repeat(2000)];
  const document = JSON.stringify({ list: [Object.fromEntries(names.map((name) => [name, 1]))] });
  const shown = ['a-b_1', '`größe`', '`b.c`', '`back``tick`', '``', `\`${'n'.repeat(63)}…\``];
  assert.deepEqual(
    await problems(all, document),
    shown.map((name) => `list[0].${name}: expected a string`),
  );
});

test('schema: of very many wrong items the first are told', async () => {
  const items = JSON.stringify({ a: Array(200_000).fill(1) });
  assert.equal((await problems('{"properties":{"a":{"items":{"type":"string"}}}}', items)).length, 50);
});

/** Schemas each of which would keep the service busy for minutes, with a document for which they would. */
function slowSchemas(): Readonly<Record<string, readonly [schema: JsonObject, value: JsonValue]>> {
  const conditions = parse(`${'{"if":'.repeat(50)}true${',"then":true,"else":true}'.repeat(50)}`);
  const all = (schema: JsonObject): JsonObject => ({ allOf: Array<JsonValue>(10_000).fill(schema) });
  const names = Array.from({ length: 20_000 }, (_, n) => [`n${n}`, ['a']]);
  const text = 'ab'.repeat(400_000);
  return {
    conditions: [conditions, 1],
    expression: [{ pattern: '[ab]*a[ab]{900}b$' }, text],
    alternatives: [{ items: all({ minLength: 1 }) }, Array<JsonValue>(100_000).fill(1)],
    lengths: [all({ minLength: 1 }), text],
    items: [all({ uniqueItems: true }), Array.from({ length: 50_000 }, (_, n) => n)],
    dependent: [{ items: { dependentRequired: Object.fromEntries(names) } }, Array<JsonValue>(100_000).fill({})],
  };
}

for (const [kind, [schema, value]] of Object.entries(slowSchemas())) {
  test(`schema: a document for which one would take minutes is refused: ${kind}`, async () => {
    const compiled = await compileSchema({ properties: { a: schema } }, 'schema');
    assert.throws(() => compiled.violations({ a: value }, false), /lead to too many others/);
    assert.deepEqual(compiled.violations({}, false), []);
  });
}

test('schema: expressions are bounded together', async () => {
  const patternProperties = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`^a{999}${n}$`, true]));
  await assert.rejects(compileSchema({ patternProperties }, 'schema'), /expected shorter or fewer expressions/);
});

test('schema: an expression or references that would take for ever end', async () => {
  const slow = '{"properties":{"a":{"pattern":"^(a+)+$"}}}';
  assert.equal((await problems(slow, `{"a":"${'a'.repeat(50_000)}!"}`)).length, 1);
  const defs = Array.from({ length: 40 }, (_, n) => {
    const next = { $ref: `#/$defs/d${n + 1}` };
    return [`d${n}`, { anyOf: [next, next] }];
  });
  const doubling = JSON.stringify({ $defs: { ...Object.fromEntries(defs), d40: false }, $ref: '#/$defs/d0' });
  await assert.rejects(compileSchema(parse(doubling), 'schema'), /lead to too many others/);
});

test('schema: a large one counts for itself, and one that was refused leaves nothing behind', async () => {
  let choice: JsonObject = { type: 'string' };
  for (let level = 0; level < 13; level += 1) choice = { anyOf: [choice, choice] };
  await assert.rejects(compileSchema({ $ref: '#' }, 'schema'));
  const compiled = await compileSchema(parse(JSON.stringify({ properties: { a: choice } })), 'schema');
  assert.deepEqual(compiled.violations({ a: 'x' }, true), []);
  await assert.rejects(compileSchema(parse('{"properties":{"a":{"required":"a"}}}'), 'schema'));
});

test('schema: a character by its number is written as in JSON and JavaScript', async () => {
  assert.deepEqual(await problems('{"properties":{"a":{"pattern":"^\\\\u0041+$"}}}', '{"a":"AA"}'), []);
  assert.equal((await problems('{"properties":{"a":{"pattern":"^\\\\\\\\u0041$"}}}', '{"a":"A"}')).length, 1);
});

test('schema: of very many allowed values the message says the first, and no list repeats them', async () => {
  const values = Array.from({ length: 5000 }, (_, n) => `value-${n}`);
  const compiled = await compileSchema({ properties: { a: { enum: values } } }, 'schema');
  const [violation] = compiled.violations({ a: 'x' }, false);
  assert.equal(violation!.allowedValues, undefined);
  assert.ok(violation!.problem.length < 300);
});
