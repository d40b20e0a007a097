import {
  checkArray,
  checkFields,
  checkInteger,
  checkObject,
  checkString,
  isAbsent,
  type JsonSchema,
  mismatch,
} from './check.ts';
import { type JsonObject, type JsonValue, list, object, text } from './json.ts';
import { checkDraft, checkKey, type Draft, objectTestTypeSchema, shortTextSchema } from './resource.ts';
import { checkUpdate, type NeedsNoVersion, type UpdateRequest } from './update.ts';

/** Most operations in one batch. */
export const maxOperations = 500;

/**
 * What a draft does: `create` makes a resource that must not exist; the others make it too, or change the one that exists:
 * `replace` its top-level fields as E6, `merge` into it as E7, `overwrite` all of it as E8.
 */
export const draftKinds = ['create', 'replace', 'merge', 'overwrite'] as const;
export type DraftKind = (typeof draftKinds)[number];

const kinds = [...draftKinds, 'update', 'delete'] as const;

/** A resource as an operation names it. */
export type OperationTarget = { readonly id: string } | { readonly key: string };

/** One operation of a batch, checked as far as that is possible without the resource. */
export type Operation =
  | { readonly kind: DraftKind; readonly draft: Draft }
  | { readonly kind: 'update'; readonly target: OperationTarget; readonly request: UpdateRequest }
  | { readonly kind: 'delete'; readonly target: OperationTarget; readonly version: bigint | undefined };

/** The operations of a batch as they were sent: each is checked when its turn comes. Throws 400 `InvalidJsonInput`. */
export function checkBatch(value: JsonValue | undefined): readonly JsonValue[] {
  const { operations } = checkFields(value, '', ['operations']);
  const items = checkArray(operations, 'operations');
  if (items.length === 0 || items.length > maxOperations) {
    throw mismatch('operations', `expected 1 to ${maxOperations} operations, not ${items.length}`);
  }
  return items;
}

/** Checks one operation. */
export function checkOperation(value: JsonValue | undefined, needsNoVersion: NeedsNoVersion): Operation {
  const { operation, draft, id, key, version, actions } = checkObject(value, '');
  const kind = checkString(operation, 'operation') as Operation['kind'];
  switch (kind) {
    case 'create':
    case 'replace':
    case 'merge':
    case 'overwrite':
      checkFields(value, '', ['operation', 'draft']);
      checkObject(draft, 'draft');
      return { kind, draft: checkDraft(draft) };
    case 'update': {
      checkFields(value, '', ['operation', 'id', 'key', 'version', 'actions']);
      return {
        kind,
        target: targetOf(id, key),
        request: checkUpdate(definedOf({ version, actions }), undefined, needsNoVersion),
      };
    }
    case 'delete':
      checkFields(value, '', ['operation', 'id', 'key', 'version']);
      return {
        kind,
        target: targetOf(id, key),
        version: isAbsent(version) ? undefined : checkInteger(version, 'version'),
      };
    default:
      throw mismatch('operation', `expected one of ${kinds.join(', ')}`);
  }
}

function definedOf(fields: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as JsonObject;
}

function targetOf(id: JsonValue | undefined, key: JsonValue | undefined): OperationTarget {
  if (isAbsent(id) === isAbsent(key)) throw mismatch('id', 'expected either id or key');
  return isAbsent(id) ? { key: checkKey(key, 'key') } : { id: checkString(id, 'id') };
}

const outcomes = ['created', 'updated', 'unchanged'] as const;

/** The shape of an error inside a response: that of every error response (decision 2). */
const nestedErrorSchema: JsonSchema = object(
  'NestedError',
  {
    statusCode: { type: 'integer' },
    message: { type: 'string' },
    errors: list(
      object(
        'NestedErrorEntry',
        {
          code: { type: 'string' },
          message: { type: 'string' },
        },
        { additionalProperties: true },
      ),
      { minItems: 1 },
    ),
  },
  { description: 'The same as the body of an error response.', additionalProperties: true },
);

const versionSchema = { type: 'integer', format: 'int64' } as const;

const operationSchema = (title: string, kindsOf: readonly string[], properties: JsonSchema) =>
  object(title, { operation: { type: 'string', enum: kindsOf }, ...properties }, { additionalProperties: false });

const targetSchemas = { 'id?': shortTextSchema, 'key?': shortTextSchema };

/** Schema of a batch, over the schemas of a draft and of an update. */
export function batchSchema(draft: JsonSchema, update: JsonSchema): JsonSchema {
  const { version, actions } = update.properties as Record<string, JsonSchema>;
  return object(
    'Batch',
    {
      operations: list(
        {
          title: 'BatchOperation',
          oneOf: [
            operationSchema('BatchDraft', draftKinds, { draft }),
            operationSchema('BatchUpdate', ['update'], { ...targetSchemas, 'version?': version, actions }),
            operationSchema('BatchDelete', ['delete'], { ...targetSchemas, 'version?': versionSchema }),
          ],
        },
        {
          minItems: 1,
          maxItems: maxOperations,
          description: 'Executed in order: each sees the results of the previous ones.',
        },
      ),
    },
    {
      additionalProperties: false,
      examples: [
        {
          operations: [
            { operation: 'merge', draft: { key: 'shoe-1', name: { en: 'Blue shoe' } } },
            { operation: 'update', key: 'sale', version: 3, actions: [{ action: 'publish' }] },
            { operation: 'delete', key: 'shoe-0' },
          ],
        },
      ],
    },
  );
}

export const batchResultSchema: JsonSchema = object(
  'BatchResult',
  {
    results: list(
      object('BatchOperationResult', {
        status: { type: 'integer', description: '201 where a resource was created, else 200, or that of the error.' },
        'outcome?': text('What the operation did, unless it was refused.', { enum: [...outcomes, 'deleted'] }),
        'id?': { type: 'string' },
        'key?': { type: 'string' },
        'version?': versionSchema,
        'resource?': objectTestTypeSchema,
        'error?': nestedErrorSchema,
      }),
      { description: 'One for each operation, in their order.' },
    ),
  },
  {
    examples: [
      {
        results: [
          { status: 201, outcome: 'created', id: '0197f3c2-6d10-7a53-9c41-2f6b8e0d9a11', key: 'shoe-1', version: 1 },
          { status: 200, outcome: 'updated', id: '0197f3c2-6d10-7a53-9c41-2f6b8e0d9a12', key: 'sale', version: 4 },
          { status: 200, outcome: 'deleted', id: '0197f3c2-6d10-7a53-9c41-2f6b8e0d9a10', key: 'shoe-0', version: 2 },
        ],
      },
    ],
  },
);

/** The result of a line of an import. */
export type LineStatus = (typeof outcomes)[number] | 'refused';

/** The result of a resource that a change by predicate found. */
export type MatchStatus = 'updated' | 'deleted' | 'unchanged' | 'skipped' | 'refused';

export const importLineSchema: JsonSchema = object('ImportLine', {
  line: {
    type: 'integer',
    description: 'The number of the line, from 1; of CSV that of the record, the header being 1.',
  },
  status: { type: 'string', enum: [...outcomes, 'refused'] },
  'id?': { type: 'string' },
  'key?': { type: 'string' },
  'version?': versionSchema,
  'repeats?': {
    type: 'integer',
    description: 'The earlier line that names the same resource, among the last 50,000 names.',
  },
  'error?': nestedErrorSchema,
});

const countSchema = { type: 'integer', minimum: 0 } as const;

export const importSummarySchema: JsonSchema = object(
  'ImportSummary',
  {
    complete: { type: 'boolean', description: 'True if all lines were processed.' },
    lines: { ...countSchema, description: 'The lines that have a result, whether or not it was sent.' },
    created: countSchema,
    updated: countSchema,
    unchanged: countSchema,
    refused: countSchema,
    'repeated?': {
      ...countSchema,
      description: 'The lines that name the resource of an earlier line; absent if none.',
    },
    'delimiter?': text('Of CSV: `comma`, `semicolon`, `tab` or `pipe`.'),
    'mixedColumns?': list(
      object('MixedColumn', {
        column: { type: 'string' },
        firstLines: {
          type: 'object',
          description: 'The first line of each type: `string`, `number`, `boolean`, `array`, `object`.',
          additionalProperties: { type: 'integer' },
        },
      }),
      { description: 'Of CSV: columns without a type whose cells have values of several types; absent if none.' },
    ),
    'dryRun?': { type: 'boolean', description: 'True, and only present, where nothing was written.' },
    'resumeAt?': {
      type: 'integer',
      description: 'The line to continue with if the import is not complete: send it as `from`.',
    },
    'error?': nestedErrorSchema,
  },
  { description: 'The last line. Where it is missing, the response was cut.' },
);

export const matchLineSchema: JsonSchema = object('ByPredicateLine', {
  status: {
    type: 'string',
    enum: ['updated', 'deleted', 'unchanged', 'skipped', 'refused'] satisfies MatchStatus[],
    description: 'What became of a resource; `skipped`: it was gone or no longer matched when its turn came.',
  },
  id: { type: 'string' },
  'key?': { type: 'string' },
  'version?': versionSchema,
  'error?': nestedErrorSchema,
});

export const matchSummarySchema: JsonSchema = object(
  'ByPredicateSummary',
  {
    complete: { type: 'boolean', description: 'True if no more resources match.' },
    resources: { ...countSchema, description: 'The resources that have a result, whether or not it was sent.' },
    updated: countSchema,
    deleted: countSchema,
    unchanged: countSchema,
    skipped: countSchema,
    refused: countSchema,
    'dryRun?': { type: 'boolean', description: 'True, and only present, where nothing was written.' },
    'resumeAfter?': text('The id to continue behind if the change is not complete: send it as `after`.'),
    'error?': nestedErrorSchema,
  },
  { description: 'The last line. Where it is missing, the response was cut.' },
);
