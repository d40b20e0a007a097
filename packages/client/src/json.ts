import { errorOf, ServiceError } from './errors.ts';
import { parseJsonWith } from './parse-json.ts';
import type { Received } from './send.ts';

/**
 * JSON with integers of 64 bits. A double holds 53, so longer ones are a `bigint`, and a `bigint` is sent with all of its
 * digits. Where the runtime cannot do that, they are rounded as everywhere in JavaScript, and sending one throws.
 */

/** Not yet in the types of TypeScript's library. */
interface RawJson {
  rawJSON?(text: string): unknown;
}

function exactInteger(value: unknown, source = ''): unknown {
  const isLong = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
  return isLong && /^-?\d+$/.test(source) ? BigInt(source) : value;
}

export function parseJson(text: string): unknown {
  return parseJsonWith(exactInteger, text);
}

/**
 * The body of a response; undefined without one. Throws the error that a status from 400 on stands for, and one for a body
 * that is no JSON, such as the page of a proxy.
 */
export function bodyOf({ status, headers, text }: Received): unknown {
  const correlationId = headers.get('x-correlation-id') ?? undefined;
  let body: unknown;
  try {
    body = text === '' ? undefined : parseJson(text);
  } catch (cause) {
    const facts = { status, code: 'InvalidResponse', correlationId };
    if (status < 400) throw new ServiceError('The response is not JSON.', facts, { cause });
  }
  if (status < 400) return body;
  throw errorOf(status, body, correlationId);
}

export function stringifyJson(value: unknown): string {
  const { rawJSON } = JSON as RawJson;
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'bigint' && rawJSON !== undefined ? rawJSON(String(member)) : member,
  );
}
