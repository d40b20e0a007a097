/**
 * JSON values in memory.
 *
 * An integer that a double cannot hold exactly is a raw JSON number (`JSON.rawJSON`), so that `JSON.stringify` writes
 * every digit back (decision 5). A key that comes from a client is never set by plain assignment: `__proto__` is data
 * (decision 9).
 */
export type JsonValue = null | boolean | number | string | RawNumber | JsonArray | JsonObject;
export type JsonArray = readonly JsonValue[];
export interface JsonObject {
  readonly [key: string]: JsonValue;
}
/** A number kept as its text; made by `JSON.rawJSON`, recognised by `JSON.isRawJSON`. */
export interface RawNumber {
  readonly rawJSON: string;
}

/** JSON Schema (2020-12), as OpenAPI 3.1 uses it. */
export type JsonSchema = { readonly [key: string]: unknown };

/** A text. As below, `more` has further keywords. */
export const text = (description: string, more?: JsonSchema): JsonSchema => ({ type: 'string', description, ...more });

/** An array. */
export const list = (items: JsonSchema, more?: JsonSchema): JsonSchema => ({ type: 'array', items, ...more });

/** An object with these properties, which it has but for those whose name ends in `?`. */
export function object(title: string, properties: JsonSchema, more?: JsonSchema): JsonSchema {
  const names = Object.keys(properties);
  const named = Object.entries(properties).map(([name, schema]) => [name.replace(/\?$/, ''), schema] as const);
  const required = names.filter((name) => !name.endsWith('?'));
  const need = required.length > 0 && { required };
  return { title, type: 'object', ...more, ...need, properties: Object.fromEntries(named) };
}

/** Properties that an object may lack. */
export const optionally = (properties: JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [`${name}?`, schema]));
