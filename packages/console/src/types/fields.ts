import { briefly, isMap, type Json, type JsonMap } from '../api/json.ts';
import { type Path, pathText } from '../model/paths.ts';

/** What a schema says of fields, as far as it helps people. What a value must be like the service alone decides. */

/** A type as somebody declared it. */
export interface TypeDefinition {
  readonly name?: string;
  readonly schema: JsonMap;
  readonly unique: readonly string[];
  readonly references: Readonly<Record<string, { readonly type: string; readonly onDelete: string }>>;
}

/** The schemas that hold for a value: its own, and those that it refers to. */
type Schemas = readonly JsonMap[];

/** What a type says of a field. */
export interface DeclaredField {
  /** As update actions write it; `[*]` for the elements of a list. */
  readonly path: string;
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly types: readonly string[];
  /** Of the elements of a list. */
  readonly itemTypes: readonly string[];
  readonly format: string | undefined;
  /** The hint `x-widget`. */
  readonly widget: string | undefined;
  readonly allowed: readonly Json[] | undefined;
  readonly isRequired: boolean;
  /** The type of the resource that it refers to. */
  readonly reference: string | undefined;
  readonly schemas: Schemas;
}

/** Bounds for schemas that refer to themselves. */
const mostSchemas = 50;
const mostRows = 300;
const deepest = 4;

const own = (map: Json | undefined, name: string): Json | undefined =>
  isMap(map) && Object.hasOwn(map, name) ? map[name] : undefined;

/** What a reference within the schema leads to. */
function resolve(root: JsonMap, reference: string): Json | undefined {
  if (!/^#(?:\/|$)/.test(reference)) return undefined;
  return reference
    .split('/')
    .slice(1)
    .reduce<Json | undefined>((at, step) => own(at, decode(step).replaceAll('~1', '/').replaceAll('~0', '~')), root);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function schemasOf(root: JsonMap, schema: Json | undefined): Schemas {
  const found: JsonMap[] = [];
  const visit = (one: Json | undefined): void => {
    if (!isMap(one) || found.includes(one) || found.length >= mostSchemas) return;
    found.push(one);
    if (typeof one.$ref === 'string') visit(resolve(root, one.$ref));
    if (Array.isArray(one.allOf)) for (const each of one.allOf as readonly Json[]) visit(each);
  };
  visit(schema);
  return found;
}

const first = (schemas: Schemas, name: string): Json | undefined =>
  schemas.map((schema) => own(schema, name)).find((value) => value !== undefined);

const firstText = (schemas: Schemas, name: string): string | undefined => {
  const value = first(schemas, name);
  return typeof value === 'string' && value !== '' ? value : undefined;
};

const textsIn = (value: Json | undefined): readonly string[] =>
  (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string');

const memberSchemas = ({ schema: root }: TypeDefinition, parents: Schemas, name: string): Schemas =>
  parents.flatMap(({ properties, additionalProperties }) =>
    schemasOf(root, own(properties, name) ?? additionalProperties),
  );

const itemSchemas = ({ schema: root }: TypeDefinition, lists: Schemas): Schemas =>
  lists.flatMap(({ items }) => schemasOf(root, items));

const requiredIn = (schemas: Schemas): ReadonlySet<string> =>
  new Set(schemas.flatMap(({ required }) => textsIn(required)));

/** The names of the members that are declared, those with a schema first. */
const namesIn = (schemas: Schemas): readonly string[] => [
  ...new Set([
    ...schemas.flatMap(({ properties }) => (isMap(properties) ? Object.keys(properties) : [])),
    ...requiredIn(schemas),
  ]),
];

function describe(definition: TypeDefinition, path: string, name: string, parents: Schemas): DeclaredField {
  const schemas = memberSchemas(definition, parents, name);
  const [allowed, only] = [first(schemas, 'enum'), first(schemas, 'const')];
  const reference = Object.hasOwn(definition.references, path) ? definition.references[path]!.type : undefined;
  return {
    ...{ path, name, schemas, reference },
    ...{ title: firstText(schemas, 'title'), description: firstText(schemas, 'description') },
    ...{ format: firstText(schemas, 'format'), widget: firstText(schemas, 'x-widget') },
    types: textsIn(first(schemas, 'type')),
    itemTypes: textsIn(first(itemSchemas(definition, schemas), 'type')),
    allowed: Array.isArray(allowed) ? (allowed as readonly Json[]) : only === undefined ? undefined : [only],
    isRequired: requiredIn(parents).has(name),
  };
}

/** The schemas of the document, or of an object in it. */
function schemasAt(definition: TypeDefinition, path: Path): Schemas {
  return path.reduce<Schemas>(
    (parents, name) => memberSchemas(definition, parents, name),
    schemasOf(definition.schema, definition.schema),
  );
}

/** What a type says of the field at a path. */
export const fieldAt = (definition: TypeDefinition, path: Path): DeclaredField =>
  describe(definition, pathText(path), path.at(-1)!, schemasAt(definition, path.slice(0, -1)));

/** The fields that a type declares for the document, or for an object in it. */
export function membersOf(definition: TypeDefinition, path: Path): readonly DeclaredField[] {
  const schemas = schemasAt(definition, path);
  const names = namesIn(schemas);
  const referring = path.length > 0 ? [] : Object.keys(definition.references).filter((name) => !/[.[`]/.test(name));
  return [...new Set([...names, ...referring])].map((name) =>
    describe(definition, pathText([...path, name]), name, schemas),
  );
}

/** All fields that a type declares, those inside of others after them. */
export function allFields(definition: TypeDefinition): readonly DeclaredField[] {
  const rows: DeclaredField[] = [];
  const visit = (schemas: Schemas, at: string, depth: number): void => {
    for (const name of namesIn(schemas)) {
      if (rows.length >= mostRows) return;
      const field = describe(definition, at + (at === '' ? '' : '.') + pathText([name]), name, schemas);
      rows.push(field);
      if (depth === deepest) continue;
      visit(field.schemas, field.path, depth + 1);
      visit(itemSchemas(definition, field.schemas), `${field.path}[*]`, depth + 1);
    }
  };
  visit(schemasAt(definition, []), '', 1);
  return rows;
}

/** A value to begin with: the default, or one that somebody fills in. */
export function emptyValue(definition: TypeDefinition, field: DeclaredField, depth = 1): Json {
  const { schemas, allowed, types, reference } = field;
  const given = first(schemas, 'default') ?? allowed?.[0];
  if (given !== undefined) return given;
  const isObject = schemas.some(
    ({ properties, additionalProperties }) => isMap(properties) || isMap(additionalProperties),
  );
  const type = types.find((one) => one !== 'null') ?? (isObject ? 'object' : 'string');
  if (type === 'array') return [];
  if (reference !== undefined) return { typeId: 'resource', key: '' };
  if (type === 'boolean') return false;
  if (type === 'number' || type === 'integer') return first(schemas, 'minimum') ?? 0;
  if (type !== 'object') return '';
  const required = namesIn(schemas)
    .map((name) => describe(definition, `${field.path}.${pathText([name])}`, name, schemas))
    .filter(({ isRequired }) => isRequired && depth < deepest);
  if (required.length > 0)
    return Object.fromEntries(required.map((one) => [one.name, emptyValue(definition, one, depth + 1)]));
  return isOfTexts(schemas) ? { en: '' } : {};
}

/** True for an object with a text in each language. */
function isOfTexts(schemas: Schemas): boolean {
  const declared = schemas.flatMap(({ properties }) => (isMap(properties) ? Object.keys(properties) : []));
  const others = first(schemas, 'additionalProperties');
  return declared.length === 0 && isMap(others) && textsIn(others.type).includes('string');
}

/** The kind of a value, in words. */
export function typeText({ types, itemTypes, reference, schemas }: DeclaredField): string {
  if (reference !== undefined) return `reference to ${reference}`;
  if (types.includes('object') && isOfTexts(schemas)) return 'texts by language';
  const of = itemTypes.join(' or ');
  return types.map((type) => (type === 'array' && of !== '' ? `list of ${of}` : type)).join(' or ');
}

const bounds = {
  minimum: 'from',
  exclusiveMinimum: 'above',
  maximum: 'to',
  exclusiveMaximum: 'below',
  multipleOf: 'multiples of',
  minLength: 'length from',
  maxLength: 'length to',
  minItems: 'elements from',
  maxItems: 'elements to',
  pattern: 'matches',
} as const;

/** The values that are allowed, or what bounds them. */
export function allowedText({ allowed, format, schemas }: DeclaredField): string {
  if (allowed) return allowed.map((value) => briefly(value, 60)).join(', ');
  const limits = Object.entries(bounds).flatMap(([name, words]) => {
    const value = first(schemas, name);
    return value === undefined ? [] : [`${words} ${briefly(value, 60)}`];
  });
  return [...(format === undefined ? [] : [format]), ...limits].join(', ');
}
