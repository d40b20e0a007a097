import type { JsonObject } from '../../src/contract/json.ts';

/** A document with its system fields, as the domain makes them. */
export function documentOf(id: string, fields: JsonObject, second = 0): JsonObject {
  const { key, version = 1, createdAt, lastModifiedAt, ...rest } = fields;
  const at = `2024-01-01T00:00:${String(second % 60).padStart(2, '0')}.000Z`;
  return {
    id,
    version,
    ...(key === undefined ? {} : { key }),
    createdAt: createdAt ?? at,
    lastModifiedAt: lastModifiedAt ?? at,
    ...rest,
  };
}
