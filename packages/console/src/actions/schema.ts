import { isMap, type Json, type JsonMap } from '../api/json.ts';

/** How a field of an update action is asked for. */
export type FieldKind = 'text' | 'number' | 'integer' | 'boolean' | 'choice' | 'json';

/** A field of an update action. */
export interface ActionField {
  readonly name: string;
  readonly kind: FieldKind;
  readonly isRequired: boolean;
  readonly description: string;
  /** How a value may look, as it is typed; '' where the document has none. */
  readonly example: string;
  /** The choices; empty unless the kind is `choice`. */
  readonly choices: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  /** The type that a JSON value must have. */
  readonly jsonType?: 'array' | 'object';
}

/** An update action that the service offers. */
export interface ActionForm {
  readonly name: string;
  readonly description: string;
  readonly fields: readonly ActionField[];
}

function kindOf(schema: JsonMap): FieldKind {
  if (Array.isArray(schema.enum)) return 'choice';
  switch (schema.type) {
    case 'string':
      return 'text';
    case 'integer':
    case 'number':
    case 'boolean':
      return schema.type;
    default:
      return 'json';
  }
}

function exampleOf(schema: JsonMap, kind: FieldKind): string {
  const [example] = Array.isArray(schema.examples) ? (schema.examples as readonly Json[]) : [];
  if (example === undefined) return '';
  return kind === 'json' ? JSON.stringify(example) : String(example);
}

function fieldOf(name: string, schema: JsonMap, required: readonly Json[]): ActionField {
  const kind = kindOf(schema);
  return {
    name,
    kind,
    isRequired: required.includes(name),
    description: String(schema.description ?? ''),
    example: exampleOf(schema, kind),
    choices: kind === 'choice' ? (schema.enum as readonly Json[]).map(String) : [],
    ...(typeof schema.minimum === 'number' && { minimum: schema.minimum }),
    ...(typeof schema.maximum === 'number' && { maximum: schema.maximum }),
    ...((schema.type === 'array' || schema.type === 'object') && { jsonType: schema.type }),
  };
}

/** The schema that a reference inside the document leads to, or the schema itself. */
function resolved(document: JsonMap, schema: Json | undefined): JsonMap {
  const reference = isMap(schema) ? schema.$ref : undefined;
  if (typeof reference !== 'string') return isMap(schema) ? schema : {};
  let found: Json | undefined = document;
  for (const name of reference.replace(/^#\//, '').split('/')) found = isMap(found) ? found[name] : undefined;
  return isMap(found) ? found : {};
}

/** The update actions of resources in an OpenAPI document, those of the operator among them, in its order. */
export function actionForms(document: JsonMap): readonly ActionForm[] {
  const union = resolved(document, { $ref: '#/components/schemas/ResourceUpdateAction' });
  const schemas = Array.isArray(union.oneOf) ? (union.oneOf as readonly Json[]) : [union];
  return schemas.flatMap((one) => {
    const schema = resolved(document, one);
    const properties = isMap(schema.properties) ? schema.properties : {};
    const name = isMap(properties.action) ? properties.action.const : undefined;
    // The actions of images are at home in the room of images.
    if (typeof name !== 'string' || schema['x-applies-to'] !== undefined) return [];
    const required = Array.isArray(schema.required) ? (schema.required as readonly Json[]) : [];
    const fields = Object.entries(properties)
      .filter(([field]) => field !== 'action')
      .map(([field, value]) => fieldOf(field, resolved(document, value), required));
    return [{ name, description: String(schema.description ?? ''), fields }];
  });
}
