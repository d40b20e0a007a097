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
