import { type ErrorCode, type ErrorRow, errorBody, errorTable } from '../../contract/errors.ts';
import type { Route, Schema } from '../route.ts';

/** Values of the extra fields of errors in examples. */
const sampleFields: Readonly<Record<string, unknown>> = {
  detailedErrorMessage: 'version: Missing required value',
  field: 'key',
  invalidValue: 'a',
  allowedValues: ['b', 'c'],
  duplicateValue: 'chair-1',
  conflictingResource: { typeId: 'resource', id: '01935f6e-8f2a-7c31-9d5e-0a4f6b7c8d9e' },
  currentVersion: 3,
  changedFields: ['name'],
};

/** The shape of every error (decision 2). */
export const errorSchema: Schema = {
  title: 'Error',
  type: 'object',
  required: ['statusCode', 'message', 'errors'],
  properties: {
    statusCode: { type: 'integer', description: 'The status of the answer.' },
    message: { type: 'string', description: 'The message of the first error.' },
    errors: {
      type: 'array',
      minItems: 1,
      description: 'What was wrong, the most relevant first.',
      items: {
        type: 'object',
        required: ['code', 'message'],
        properties: {
          code: { type: 'string', description: 'Never changes its meaning: programs may rely on it.' },
          message: { type: 'string', description: 'For people: what was wrong, and what would be right.' },
        },
        additionalProperties: true,
      },
    },
    error: { type: 'string', description: 'With 401, 403 and at the token endpoint: the OAuth error code.' },
    error_description: { type: 'string', description: 'With `error`: the message again.' },
  },
};

/** Errors that a route can answer: those of its access, of its body, and its own. */
export function errorsOf(route: Route): readonly ErrorCode[] {
  const codes = new Set<ErrorCode>(['InvalidInput', 'MisdirectedRequest', 'General']);
  const add = (...more: ErrorCode[]) => {
    for (const code of more) codes.add(code);
  };
  if (route.access === 'client') add('invalid_client', 'TooManyRequests', 'OverCapacity');
  else if (route.access !== 'public') {
    add('invalid_token', 'insufficient_scope', 'ResourceNotFound', 'TooManyRequests', 'OverCapacity');
  }
  if (route.body && route.method !== 'DELETE') add('ContentTooLarge', 'UnsupportedMediaType');
  if (route.body?.kind === 'json') add('InvalidJsonInput');
  if (route.idempotent) add('RequestInProgress', 'IdempotencyKeyReused');
  add(...(route.errors ?? []));
  return [...codes];
}

/** The error responses of a route by status; the examples are references, one for each code. */
export function errorResponses(route: Route, correlation: Schema): Record<string, Schema> {
  const byStatus = Object.groupBy(errorsOf(route), (code) => String(errorTable[code].status));
  const entries = Object.entries(byStatus).map(([status, codes = []]): [string, Schema] => [
    status,
    {
      description: codes.map((code) => `\`${code}\`: ${errorTable[code].meaning}`).join(' '),
      headers: { ...correlation, ...headersFor(status) },
      ...(route.method === 'HEAD' ? {} : { content: errorContent(codes) }),
    },
  ]);
  return Object.fromEntries(entries);
}

function errorContent(codes: readonly ErrorCode[]): Schema {
  const examples = codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]);
  return { 'application/json': { schema: errorSchema, examples: Object.fromEntries(examples) } };
}

function headersFor(status: string): Schema {
  const retry = { 'Retry-After': { $ref: '#/components/headers/Retry-After' } };
  if (status === '401') return { 'WWW-Authenticate': { $ref: '#/components/headers/WWW-Authenticate' } };
  return status === '429' || status === '503' ? retry : {};
}

/** The examples that `errorResponses` refers to. */
export function errorExamples(codes: Iterable<ErrorCode>): Record<string, Schema> {
  return Object.fromEntries([...new Set(codes)].map((code) => [code, exampleOf(code)]));
}

function exampleOf(code: ErrorCode): Schema {
  const row: ErrorRow = errorTable[code];
  const details = Object.fromEntries((row.fields ?? []).map((field) => [field, sampleFields[field] ?? 'a']));
  return { summary: row.meaning, value: errorBody(code, row.meaning, details) };
}
