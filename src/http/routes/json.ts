import type { HttpResponse, ResponseDescription, RouteBody, Schema } from '../route.ts';

/** JSON bodies in routes: how they are described, and how they are sent. */

/** The content of a body in OpenAPI. Without `example`, the first example of the schema is taken, if it has any. */
export function jsonContent(schema: Schema, example: unknown = exampleOf(schema)) {
  return { 'application/json': example === undefined ? { schema } : { schema, example } };
}

/** A response in JSON. */
export const answer = (
  description: string,
  schema: Schema,
  example?: unknown,
  headers?: ResponseDescription['headers'],
): ResponseDescription => ({ description, content: jsonContent(schema, example), ...(headers && { headers }) });

/** A required body. */
export function jsonBody(schema: Schema, example: unknown = exampleOf(schema)): RouteBody {
  return { kind: 'json', contentTypes: ['application/json'], required: true, schema, example };
}

export const noStore = { 'cache-control': 'no-store' } as const;

/** A response that must not be stored by caches, as those with credentials or with the state of the process. */
export function jsonResponse(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  return { status, body: JSON.stringify(value), headers: { ...noStore, ...headers } };
}

function exampleOf(schema: Schema): unknown {
  return (schema.examples as readonly unknown[] | undefined)?.[0];
}
