import type { JsonObject, JsonValue } from '../../contract/json.ts';
import { isJsonArray, isJsonObject } from '../json/values.ts';
import { codeNames, namedSchema } from './json-schema.ts';
import type { DeclaredTypes } from './settings.ts';

/** The types of a project as TypeScript: an interface for each, for `resources<Product>()` of the client. */

const root = '#/';

/** The text of a declaration file. */
export function typeScriptOf(project: string, types: DeclaredTypes): string {
  const names = codeNames(Object.keys(types.types), new Set(['Types']));
  const used = new Set(['Types', ...names.values()]);
  const parts: string[] = [];
  for (const [type, declared] of Object.entries(types.types)) {
    const name = names.get(type)!;
    const definitions: string[] = [];
    const schema = namedSchema(declared, name, root, used, (named, definition) => {
      definitions.push(declarationOf(named, definition, undefined));
    });
    const discriminated = withMember(schema, types.discriminator, { const: type });
    parts.push(declarationOf(name, discriminated, declared.name), ...definitions);
  }
  const all = [...names].map(([type, name]) => `  readonly ${keyOf(type)}: ${name};\n`).join('');
  const head = `/** The types of the project ${project}, made by “grs types”. Do not edit: make them again. */\n`;
  const named = commentOf(`By the name that documents give as \`${types.discriminator}\`.`, '');
  return `${[head, ...parts].join('\n')}\n${named}export interface Types {\n${all}}\n`;
}

/** A schema with one more member that documents have. */
function withMember(schema: JsonObject, name: string, member: JsonObject): JsonObject {
  const { properties = {}, required = [] } = schema as {
    readonly properties?: JsonObject;
    readonly required?: string[];
  };
  return {
    ...schema,
    type: 'object',
    properties: { [name]: member, ...without(properties, name) },
    required: [...required, name],
  };
}

function without(object: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([each]) => each !== name));
}

function declarationOf(name: string, schema: JsonObject, shown: string | undefined): string {
  const comment = commentOf(schema.description ?? schema.title ?? shown, '');
  const isPlain = schema.type === 'object' && !['allOf', 'anyOf', 'oneOf', '$ref'].some((each) => each in schema);
  const text = typeOf(schema, '');
  return `${comment}export ${isPlain && text.startsWith('{') ? `interface ${name} ${text}` : `type ${name} = ${text};`}\n`;
}

/** A comment that nothing in it can end. */
function commentOf(text: JsonValue | undefined, indent: string): string {
  if (typeof text !== 'string' || text === '') return '';
  return `${indent}/** ${text.replaceAll('*/', '*\\/').replace(/\s+/g, ' ')} */\n`;
}

const keyOf = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));

const scalars: Readonly<Record<string, string>> = {
  boolean: 'boolean',
  integer: 'number',
  null: 'null',
  number: 'number',
  string: 'string',
};

/** The type of the values that fit a schema, or a wider one where TypeScript has no words for it. */
function typeOf(schema: JsonValue, indent: string): string {
  if (schema === false) return 'never';
  if (!isJsonObject(schema)) return 'unknown';
  const { $ref, enum: values, const: value, allOf, type } = schema;
  const of = (each: JsonValue) => typeOf(each, indent);
  const alternatives = schema.anyOf ?? schema.oneOf;
  const all: string[] = [];
  if (typeof $ref === 'string') all.push(/^#\/\w+$/.test($ref) ? $ref.slice(root.length) : 'unknown');
  if (isJsonArray(values)) all.push(united(values.map(literal)));
  else if (value !== undefined) all.push(literal(value));
  else if (typeof type === 'string') all.push(ofType(type, schema, indent));
  else if (isJsonArray(type)) all.push(united(type.map((each) => ofType(String(each), schema, indent))));
  else if (isJsonObject(schema.properties)) all.push(ofType('object', schema, indent));
  if (isJsonArray(alternatives)) all.push(united(alternatives.map(of)));
  if (isJsonArray(allOf)) all.push(...allOf.map(of));
  const known = all.filter((each) => each !== 'unknown');
  if (known.length <= 1) return known[0] ?? 'unknown';
  return known.map((each) => (each.includes(' | ') && !each.startsWith('{') ? `(${each})` : each)).join(' & ');
}

const united = (types: readonly string[]) => (types.includes('unknown') ? 'unknown' : [...new Set(types)].join(' | '));

function literal(value: JsonValue): string {
  return isJsonObject(value) || isJsonArray(value) ? 'unknown' : JSON.stringify(value);
}

function ofType(type: string, schema: JsonObject, indent: string): string {
  if (type === 'array') return arrayOf(schema, indent);
  return type === 'object' ? objectOf(schema, indent) : (scalars[type] ?? 'unknown');
}

function arrayOf({ items, prefixItems }: JsonObject, indent: string): string {
  const item = items === undefined ? 'unknown' : typeOf(items, indent);
  if (!isJsonArray(prefixItems))
    return `readonly ${/^[\w$]+$/.test(item) || item.startsWith('{') ? item : `(${item})`}[]`;
  const first = prefixItems.map((each) => `(${typeOf(each, indent)})?`);
  return `readonly [${[...first, ...(items === false ? [] : [`...(${item})[]`])].join(', ')}]`;
}

function objectOf(schema: JsonObject, indent: string): string {
  const { properties = {}, additionalProperties, patternProperties } = schema;
  const required = new Set(isJsonArray(schema.required) ? schema.required : []);
  const inner = `${indent}  `;
  const members = Object.entries(properties as JsonObject).map(([name, member]) => {
    const told = isJsonObject(member) ? commentOf(member.description ?? member.title, inner) : '';
    return `${told}${inner}readonly ${keyOf(name)}${required.has(name) ? '' : '?'}: ${typeOf(member, inner)};\n`;
  });
  const isOpen = isJsonObject(additionalProperties) || isJsonObject(patternProperties);
  if (members.length === 0) {
    if (additionalProperties === false && !isOpen) return 'Record<string, never>';
    const value = isJsonObject(additionalProperties) ? typeOf(additionalProperties, indent) : 'unknown';
    return `{ readonly [name: string]: ${value} }`;
  }
  // Members of other types need not have that of the named ones.
  const others = isOpen ? `${inner}readonly [name: string]: unknown;\n` : '';
  return `{\n${members.join('')}${others}${indent}}`;
}
