import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonMap } from '../../packages/console/src/api/json.ts';
import {
  allFields,
  allowedText,
  emptyValue,
  fieldAt,
  membersOf,
  typeText,
} from '../../packages/console/src/types/fields.ts';

const typeOf = (schema: JsonMap, references: Readonly<Record<string, { type: string; onDelete: string }>> = {}) => ({
  ...{ schema, unique: [], references },
});
const begin = (definition: ReturnType<typeof typeOf>, name: string) =>
  emptyValue(definition, fieldAt(definition, [name]));

test('a field is described by its schema, by those that it refers to, and by those that all hold', () => {
  const definition = typeOf({
    allOf: [{ required: ['a.b'] }, { $ref: '#/$defs/more' }],
    properties: { 'a.b': { $ref: '#/$defs/text~1x' }, constructor: { title: 'Builder' } },
    additionalProperties: { description: 'Any other.' },
    $defs: {
      'text/x': { type: ['string', 'null'], title: 'A text', enum: ['x', null] },
      more: { properties: { 'a.b': { format: 'email', 'x-widget': 'hidden' } } },
    },
  });
  const field = fieldAt(definition, ['a.b']);
  assert.equal(field.path, '`a.b`');
  assert.deepEqual([field.title, field.format, field.widget, field.isRequired], ['A text', 'email', 'hidden', true]);
  assert.deepEqual(
    [field.types, field.allowed],
    [
      ['string', 'null'],
      ['x', null],
    ],
  );
  assert.equal(fieldAt(definition, ['constructor']).title, 'Builder');
  // Of any object, but not of the schema.
  assert.equal(fieldAt(definition, ['toString']).title, undefined);
  assert.equal(fieldAt(definition, ['toString']).description, 'Any other.');
});

test('schemas that refer to themselves, to nothing or to anything odd end', () => {
  const odd = typeOf({
    $ref: '#',
    allOf: [{ $ref: '#' }, { $ref: '#/%E0%A4%A/x' }, { $ref: 'https://example.com/' }, 7, true],
    properties: { child: { $ref: '#' }, any: true, none: false, list: { items: { $ref: '#' } } },
    required: ['child', 5],
  } as unknown as JsonMap);
  const paths = allFields(odd).map(({ path }) => path);
  assert.ok(paths.includes('child.child.child.child') && paths.includes('list[*].any'));
  assert.ok(paths.length <= 300 && !paths.includes('child.child.child.child.child'));
  assert.deepEqual(begin(odd, 'child'), { child: { child: { child: {} } } });
  assert.deepEqual(
    membersOf(odd, ['any', 'deeper']).map(({ name }) => name),
    [],
  );
});

test('a value to begin with fits as far as the schema tells it', () => {
  const definition = typeOf(
    {
      properties: {
        size: { enum: [4, 5] },
        colour: { default: 'red' },
        kind: { const: 'k' },
        count: { type: 'integer', minimum: 3 },
        isOn: { type: ['null', 'boolean'] },
        name: { type: 'object', additionalProperties: { type: 'string' } },
        price: { required: ['cents'], properties: { cents: { type: 'integer' }, currency: {} } },
        tags: { type: 'array', items: { type: 'string' } },
        day: { type: 'string', format: 'date' },
        parts: { type: 'array' },
      },
    },
    {
      maker: { type: 'maker', onDelete: 'keep' },
      parts: { type: 'part', onDelete: 'keep' },
      'a.b': { type: 'x', onDelete: 'keep' },
    },
  );
  const values = membersOf(definition, []).map((field) => [field.name, emptyValue(definition, field)]);
  assert.deepEqual(Object.fromEntries(values), {
    ...{ size: 4, colour: 'red', kind: 'k', count: 3, isOn: false, name: { en: '' }, price: { cents: 0 } },
    ...{ tags: [], day: '', parts: [], maker: { typeId: 'resource', key: '' } },
  });
  const textOf = (name: string) => [typeText, allowedText].map((text) => text(fieldAt(definition, [name])));
  assert.deepEqual(textOf('tags'), ['list of string', '']);
  assert.deepEqual(fieldAt(definition, ['tags']).itemTypes, ['string']);
  assert.deepEqual(textOf('count'), ['integer', 'from 3']);
  assert.deepEqual(textOf('maker'), ['reference to maker', '']);
});
