import type { JsonObject, JsonValue } from '../../contract/json.ts';
import { isJsonArray, isJsonObject } from '../../domain/json/values.ts';
import { codeNames, namedSchema } from '../../domain/types/json-schema.ts';
import type { DeclaredTypes } from '../../domain/types/settings.ts';

/** The OpenAPI document of a project: that of the service, with the project in its paths and a schema for each type. */

const root = '#/components/schemas/';

/** Where a schema of resources stands for what the types say: in what is read, and in what is written. */
const standIns: Readonly<Record<string, string>> = { Resource: 'AnyResource', ResourceDraft: 'AnyResourceDraft' };

/** Makes it of the document of the service. */
export function projectDocument(service: JsonObject, project: string, types: DeclaredTypes): JsonObject {
  const components = service.components as JsonObject;
  const { schemas: shared, ...others } = components as { readonly schemas: JsonObject } & JsonObject;
  const own = Object.keys(types.types).length === 0 ? {} : schemasOf(types, new Set(Object.keys(shared)));
  const isTyped = Object.keys(own).length > 0;
  const placed = (value: JsonValue) => (isTyped ? withStandIns(value) : value);
  const paths = Object.entries(service.paths as JsonObject)
    .filter(([path]) => path.startsWith('/{projectKey}'))
    .map(([path, item]): [string, JsonValue] => [path.replace('{projectKey}', project), withoutProject(placed(item))]);
  const info = service.info as JsonObject;
  return {
    ...service,
    info: { ...info, title: `${String(info.title)}: ${project}` },
    paths: Object.fromEntries(paths),
    components: {
      ...others,
      schemas: {
        ...Object.fromEntries(Object.entries(shared).map(([name, each]) => [name, standInOf(name, each, placed)])),
        ...own,
      },
    },
  };
}

/** The stand-ins are made of the schemas themselves, which stay. */
function standInOf(name: string, schema: JsonValue, placed: (value: JsonValue) => JsonValue): JsonValue {
  return Object.hasOwn(standIns, name) ? schema : placed(schema);
}

function schemasOf({ discriminator, closed, types }: DeclaredTypes, taken: ReadonlySet<string>): JsonObject {
  const schemas: { [name: string]: JsonValue } = {};
  const used = new Set([...taken, ...Object.values(standIns)]);
  const endings = ['', 'Draft', 'Fields'];
  const names = codeNames(Object.keys(types), used, endings);
  for (const name of names.values()) for (const ending of endings) used.add(name + ending);
  for (const [type, declared] of Object.entries(types)) {
    const name = names.get(type)!;
    const fields = namedSchema(declared, `${name}Fields`, root, used, (named, schema) => {
      schemas[named] = { title: named, ...schema };
    });
    // Resources have the fields of the service besides.
    const { properties = {}, required = [], additionalProperties: _, unevaluatedProperties: __, ...others } = fields;
    const named = { [discriminator]: { type: 'string', enum: [type] } };
    schemas[`${name}Fields`] = {
      title: `${name}Fields`,
      type: 'object',
      ...(declared.name !== undefined && { description: declared.name }),
      ...others,
      properties: { ...(properties as JsonObject), ...named },
      required: [...new Set([...(required as JsonValue[]), discriminator])],
    };
    for (const [end, base] of [
      ['', 'Resource'],
      ['Draft', 'ResourceDraft'],
    ] as const) {
      const title = `${name}${end}`;
      schemas[title] = { title, allOf: [{ $ref: `${root}${base}` }, { $ref: `${root}${name}Fields` }] };
    }
  }
  for (const [end, base] of [
    ['', 'Resource'],
    ['Draft', 'ResourceDraft'],
  ] as const) {
    const all = [...names.values()].map((name) => ({ $ref: `${root}${name}${end}` }));
    const title = standIns[base]!;
    schemas[title] = { title, anyOf: closed && end === '' ? all : [...all, { $ref: `${root}${base}` }] };
  }
  return schemas;
}

/** With the schemas that stand for resources of any type. */
function withStandIns(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(withStandIns);
  if (!isJsonObject(value)) return value;
  const { $ref } = value;
  const named = typeof $ref === 'string' && $ref.startsWith(root) ? standIns[$ref.slice(root.length)] : undefined;
  if (named !== undefined) return { ...value, $ref: root + named };
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withStandIns(member)]));
}

/** A path without the parameter that it has no place for any more. */
function withoutProject(item: JsonValue): JsonValue {
  const isProject = (parameter: JsonValue) => isJsonObject(parameter) && parameter.name === 'projectKey';
  return Object.fromEntries(
    Object.entries(item as JsonObject).map(([method, operation]) => {
      if (!isJsonObject(operation) || !isJsonArray(operation.parameters)) return [method, operation];
      return [method, { ...operation, parameters: operation.parameters.filter((each) => !isProject(each)) }];
    }),
  );
}
