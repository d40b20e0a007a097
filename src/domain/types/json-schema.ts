import type { JsonArray, JsonObject, JsonValue } from '../../contract/json.ts';
import { isJsonArray, isJsonObject } from '../json/values.ts';
import { dataMembers, schemaMaps } from '../ports/schema.ts';
import type { DeclaredTypes } from './settings.ts';

/** The types of a project as one JSON Schema, and their schemas as parts of other documents. */

const anchors = ['$anchor', '$dynamicAnchor'];

/** A schema whose references lead elsewhere. Anchors, which hold for a whole document, are left out; `isMap`: its members are schemas. */
export function withReferences(schema: JsonValue, placed: (reference: string) => string, isMap = false): JsonValue {
  if (isJsonArray(schema)) return schema.map((each) => withReferences(each, placed));
  if (!isJsonObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).flatMap(([name, value]) => {
      if (isMap) return [[name, withReferences(value, placed)]];
      if (typeof value === 'string' && anchors.includes(name)) return [];
      if ((name === '$ref' || name === '$dynamicRef') && typeof value === 'string') return [['$ref', placed(value)]];
      return [[name, dataMembers.has(name) ? value : withReferences(value, placed, schemaMaps.has(name))]];
    }),
  );
}

/** Where the anchors of a schema are: `#money` → `#/$defs/money`. */
function anchorsIn(
  schema: JsonValue,
  at = '#',
  isMap = false,
): readonly (readonly [anchor: string, pointer: string])[] {
  if (isJsonArray(schema)) return schema.flatMap((each, index) => anchorsIn(each, `${at}/${index}`));
  if (!isJsonObject(schema)) return [];
  const own = isMap ? [] : anchors.map((each) => schema[each]).filter((each) => typeof each === 'string');
  const inner = Object.entries(schema).filter(([name]) => isMap || !dataMembers.has(name));
  return [
    ...own.map((name) => [`#${name}`, at] as const),
    ...inner.flatMap(([name, each]) =>
      anchorsIn(each, `${at}/${encodeURI(pointer(name))}`, !isMap && schemaMaps.has(name)),
    ),
  ];
}

/** Without what only a schema by itself has. */
function partOf(schema: JsonObject, placed: (reference: string) => string): JsonObject {
  const { $schema: _, ...own } = withReferences(schema, placed) as JsonObject;
  return own;
}

const pointer = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** The name that a part of a reference leads to. */
function nameIn(part: string): string {
  const decoded = part.replace(/%([0-7][0-9A-Fa-f])/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return decoded.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The schema of all documents of a project: for editors, and for whoever checks before sending. */
export function unionSchema(title: string, { discriminator, closed, types }: DeclaredTypes): JsonObject {
  const names = Object.keys(types);
  const branch = (name: string): JsonObject => ({
    if: { properties: { [discriminator]: { const: name } }, required: [discriminator] },
    // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema.
    then: { $ref: `#/$defs/${pointer(name)}` },
  });
  const definition = (name: string): JsonObject => {
    const at = `#/$defs/${pointer(name)}`;
    const { name: shown, schema } = types[name]!;
    const known = new Map(anchorsIn(schema));
    const own = partOf(schema, (reference) => at + (known.get(reference) ?? reference).slice(1));
    return { ...(shown !== undefined && own.title === undefined && { title: shown }), ...own };
  };
  const known: JsonObject = closed ? { enum: names } : { type: 'string', examples: names };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title,
    type: 'object',
    properties: { [discriminator]: known },
    ...(closed && { required: [discriminator] }),
    allOf: names.map(branch) as JsonArray,
    $defs: Object.fromEntries(names.map((name) => [name, definition(name)])),
  };
}

/**
 * The names that types have in code: `product-line` is `ProductLine`. Each is another one, and none of `taken`, with any of the endings
 * as well.
 */
export function codeNames(
  types: readonly string[],
  taken: ReadonlySet<string>,
  endings: readonly string[] = [''],
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const used = new Set(taken);
  for (const type of types) {
    const words = type.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
    const joined = words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
    const plain = /^[A-Za-z]/.test(joined) ? joined : `Type${joined}`;
    const isUsed = (name: string) => endings.some((ending) => used.has(name + ending));
    let name = isUsed(plain) ? `${plain}Type` : plain;
    for (let n = 2; isUsed(name); n += 1) name = `${plain}${n}`;
    for (const ending of endings) used.add(name + ending);
    names.set(type, name);
  }
  return names;
}

/**
 * A type as a schema of its own: its definitions are parts of the document, `<Name><Definition>`, where `define` puts them. Their names
 * are none of `used`, and are added to it.
 */
export function namedSchema(
  { schema }: DeclaredTypes['types'][string],
  name: string,
  root: string,
  used: Set<string>,
  define: (name: string, schema: JsonObject) => void,
): JsonObject {
  const { $defs = {}, ...body } = schema;
  const endings = [...used].filter((each) => each.startsWith(name)).map((each) => each.slice(name.length));
  const definitions = codeNames(Object.keys($defs as JsonObject), new Set(endings));
  for (const each of definitions.values()) used.add(name + each);
  const known = new Map(anchorsIn(schema));
  const placed = (given: string) => {
    const reference = known.get(given) ?? given;
    const [, definition, rest = ''] = /^#\/\$defs\/([^/]+)(\/.*)?$/.exec(reference) ?? [];
    const named = definition && definitions.get(nameIn(definition));
    return named ? `${root}${name}${named}${rest}` : `${root}${name}${reference.slice(1)}`;
  };
  for (const [own, definition] of Object.entries($defs as JsonObject)) {
    define(`${name}${definitions.get(own)}`, partOf(definition as JsonObject, placed));
  }
  return partOf(body, placed);
}
