import { type ErrorCode, type ErrorField, type ErrorRow, errorBody, errorTable } from '../../contract/errors.ts';
import { list, object, text } from '../../contract/json.ts';
import { authorSchema } from '../../contract/resource.ts';
import type { Route, Schema } from '../route.ts';

/** The extra fields of errors: each has one meaning and one type, whichever errors carry it. */
const extraFields: Readonly<Record<ErrorField, { readonly schema: Schema; readonly example: unknown }>> = {
  detailedErrorMessage: {
    schema: { type: 'string', description: 'What is wrong where in the body.' },
    example: 'version: Missing required value',
  },
  field: { schema: { type: 'string', description: 'The field, parameter or action at fault.' }, example: 'key' },
  invalidValue: { schema: { description: 'The value that is not allowed.' }, example: 'a' },
  allowedValues: {
    schema: list({}, { description: 'The values that are allowed.' }),
    example: ['b', 'c'],
  },
  duplicateValue: { schema: { description: 'The value that is taken.' }, example: 'chair-1' },
  conflictingResource: {
    schema: object(
      'ConflictingResource',
      {
        typeId: { type: 'string' },
        id: { type: 'string' },
      },
      { description: 'What has the value.' },
    ),
    example: { typeId: 'resource', id: '01935f6e-8f2a-7c31-9d5e-0a4f6b7c8d9e' },
  },
  id: { schema: { type: 'string', description: 'The id that the reference names.' }, example: 'sofas' },
  key: { schema: { type: 'string', description: 'The key that the reference names.' }, example: 'sofas' },
  referencedType: { schema: { type: 'string', description: 'The type that is expected there.' }, example: 'category' },
  referencedBy: {
    schema: list({ type: 'string' }, { description: 'The ids of some resources that refer to it.' }),
    example: ['01935f6e-8f2a-7c31-9d5e-0a4f6b7c8d9e'],
  },
  currentVersion: {
    schema: { type: 'integer', format: 'int64', description: 'The current version; 0 if the resource does not exist.' },
    example: 3,
  },
  changedFields: {
    schema: list(
      { type: 'string' },
      { description: 'The fields that differ from the version sent, if the service still has that version.' },
    ),
    example: ['name'],
  },
  actor: {
    schema: {
      ...authorSchema,
      title: 'ConflictActor',
      description: 'Who made the current version, for callers with the scope `manage_api_clients`.',
    },
    example: { clientId: 'my-shop.importer', name: 'Importer' },
  },
  details: { schema: { description: 'What the backend said, as JSON.' }, example: 'a' },
  versions: {
    schema: object(
      'KeptVersions',
      {
        first: { type: 'integer', format: 'int64' },
        last: { type: 'integer', format: 'int64' },
      },
      { description: 'The stored versions.' },
    ),
    example: { first: 3, last: 7 },
  },
  oldest: { schema: { type: 'string', description: 'The cursor where the log begins.' }, example: 'a' },
  latest: { schema: { type: 'string', description: 'The cursor where the log ends.' }, example: 'a' },
};

/** The shape of every error (decision 2). */
export const errorSchema: Schema = object('Error', {
  statusCode: { type: 'integer', description: 'The HTTP status of the response.' },
  message: text('The message of the first error.'),
  errors: list(
    {
      title: 'ErrorEntry',
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: text('Identifies the kind of error. The meaning of a code never changes.'),
        message: text('Explains to a person what was wrong and what would be right.'),
        ...Object.fromEntries(Object.entries(extraFields).map(([name, { schema }]) => [name, schema])),
      },
      additionalProperties: true,
    },
    { minItems: 1, description: 'The errors, the most relevant first.' },
  ),
  'error?': text('The OAuth error code. Present with 401 and 403, and at the token endpoint.'),
  'error_description?': text('The message again. Present with `error`.'),
});

/** The errors that a route can return: those of its access, of its body, of what it does in a store, and its own. */
export function errorsOf(route: Route): readonly ErrorCode[] {
  const codes: ErrorCode[] = ['InvalidInput', 'UriTooLong', 'MisdirectedRequest', 'General'];
  if (route.access === 'client') codes.push('invalid_client');
  else if (route.access !== 'public') codes.push('invalid_token', 'insufficient_scope', 'ResourceNotFound');
  if (route.access !== 'public') codes.push('TooManyRequests', 'OverCapacity');
  if (typeof route.access !== 'string') codes.push('DataCorruption');
  const isRead = route.method === 'GET' || route.method === 'HEAD' || route.body?.asQuery !== undefined;
  if (typeof route.access !== 'string' && !isRead) codes.push('InsufficientStorage', 'OutcomeUnknown');
  if (route.body && route.method !== 'DELETE') codes.push('ContentTooLarge', 'UnsupportedMediaType');
  if (route.body?.kind === 'json') codes.push('InvalidJsonInput');
  if (route.idempotent) codes.push('RequestInProgress', 'IdempotencyKeyReused');
  return [...new Set([...codes, ...(route.errors ?? [])])];
}

/** The error responses of a route by status. Examples are references, one for each code. */
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
  if (status === '401') return { 'WWW-Authenticate': { $ref: '#/components/headers/WWW-Authenticate' } };
  if (status !== '429' && status !== '503') return {};
  return { 'Retry-After': { $ref: '#/components/headers/Retry-After' } };
}

/** The examples that `errorResponses` refers to. */
export function errorExamples(codes: Iterable<ErrorCode>): Record<string, Schema> {
  return Object.fromEntries([...new Set(codes)].map((code) => [code, exampleOf(code)]));
}

function exampleOf(code: ErrorCode): Schema {
  const row: ErrorRow = errorTable[code];
  const details = Object.fromEntries(
    (row.fields ?? []).map((field) => [field, extraFields[field as ErrorField].example]),
  );
  return { summary: row.meaning, value: errorBody({ code, message: row.meaning, details, status: row.status }) };
}
