import type { JsonSchema } from './check.ts';
import { list, object, text } from './json.ts';
import { cursorPage } from './pages.ts';
import { authorSchema, objectTestTypeSchema, shortTextSchema } from './resource.ts';

/** Schemas of what tells of changes: events, histories, deleted resources. */

const cursorSchema = { type: 'string', pattern: '^[A-Za-z0-9_-]+$' } as const;
const versionSchema = { type: 'integer', format: 'int64', minimum: 1 } as const;
const instantSchema = { type: 'string', format: 'date-time' } as const;
const fieldNames = { type: 'array', items: { type: 'string' } } as const;

const changedFieldsSchema: JsonSchema = {
  title: 'ChangedFields',
  type: 'object',
  description:
    'Of an update, the top-level fields that changed, `key` included; a projection that stayed as it was is absent.',
  properties: {
    current: { ...fieldNames, description: 'What readers see.' },
    staged: { ...fieldNames, description: 'The fields that wait for `publish`, if any.' },
  },
};

/** The part of a change that events and histories share. */
const provenance = (types: readonly string[], causes: readonly string[]) => ({
  type: { type: 'string', enum: types },
  at: { ...instantSchema, description: 'When the change was made.' },
  actor: authorSchema,
  'correlationId?': { type: 'string', description: 'Of the request that made it.' },
  cause: { type: 'string', enum: causes, description: 'What made the change.' },
  'actions?': list({ type: 'string' }, { description: 'The update actions, in their order.' }),
  'changedFields?': changedFieldsSchema,
});

const referenceSchema: JsonSchema = object('ChangedResource', {
  typeId: text('`image-variant` with the type `imageUploaded`, `backend-document` with `backendDocumentWritten`.', {
    enum: ['resource', 'image-variant', 'backend-document'],
  }),
  id: {
    ...shortTextSchema,
    description:
      'Of a variant: `image-variant-` and its number. Of what the backend keeps: `document` (E14 to E17) or `value` (E18).',
  },
  'key?': shortTextSchema,
  version: { ...versionSchema, description: 'After the change; of a deletion, the deleted version.' },
});

export const eventExample = {
  id: 'MmsuMWRsajJrLjAxOTdmM2My',
  sequence: 92,
  type: 'updated',
  resource: { typeId: 'resource', id: '0197f3c2-6d10-7a53-9c41-2f6b8e0d9a11', key: 'summer-sale', version: 3 },
  at: '2026-05-05T17:40:02.009Z',
  actor: { clientId: 'my-shop.importer', externalUserId: 'jane' },
  correlationId: 'sync-17',
  cause: 'actions',
  actions: ['setField'],
  changedFields: { current: ['name'] },
};

/** The schema of an event, of such types and causes. */
export function eventSchema(types: readonly string[], causes: readonly string[]): JsonSchema {
  return object(
    'Event',
    {
      id: { ...cursorSchema, description: 'Unique. Send it as `after` to continue after this event.' },
      sequence: { type: 'integer', format: 'int64', minimum: 1, description: 'Rises within the project, with gaps.' },
      resource: referenceSchema,
      ...provenance(types, causes),
      'data?': object(
        'EventData',
        {
          current: objectTestTypeSchema,
          'staged?': objectTestTypeSchema,
        },
        {
          description:
            'With `include=resource`: the resource after the change. Deletions, forgotten resources and documents of the backend have none.',
        },
      ),
    },
    {
      description:
        'A change of a resource, the upload of an image, or a write of a document that the embedded backend keeps.',
      examples: [eventExample],
    },
  );
}

/** The schema of a page of events. */
export function eventPageSchema(event: JsonSchema): JsonSchema {
  return object(
    'EventPage',
    {
      limit: { type: 'integer', minimum: 1, maximum: 500, description: 'As requested; default: 100.' },
      count: { type: 'integer', minimum: 0, description: 'Number of events in `results`.' },
      results: list(event, { description: 'In the order of the changes.' }),
      next: { ...cursorSchema, description: '`after` for the next page; also where nothing has happened since.' },
      hasMore: { type: 'boolean', description: 'There are further events already.' },
    },
    { examples: [{ limit: 100, count: 1, results: [eventExample], next: eventExample.id, hasMore: false }] },
  );
}

const patchSchema: JsonSchema = list(
  object('JsonPatchOperation', {
    op: { type: 'string', enum: ['add', 'remove', 'replace'] },
    path: text('JSON Pointer (RFC 6901).'),
    'value?': { description: 'Of `add` and `replace`.' },
    'oldValue?': { description: 'Of `remove` and `replace`, with `oldValues=true`.' },
  }),
  {
    title: 'JsonPatch',
    description: 'RFC 6902. The path of the whole document, where it was created or deleted, is empty.',
  },
);

const historyEntryExample = {
  version: 3,
  type: 'updated',
  key: 'summer-sale',
  at: '2026-05-05T17:40:02.009Z',
  actor: { clientId: 'my-shop.importer', externalUserId: 'jane' },
  correlationId: 'sync-17',
  cause: 'actions',
  actions: ['setField'],
  changedFields: { current: ['name'] },
  diff: {
    current: [
      { op: 'replace', path: '/version', value: 3, oldValue: 2 },
      { op: 'replace', path: '/name/en', value: 'Summer sale', oldValue: 'Sale' },
    ],
  },
};

/** The schema of a page of a resource's history. */
export function historyPageSchema(types: readonly string[], causes: readonly string[]): JsonSchema {
  const entry = object(
    'HistoryEntry',
    {
      version: { ...versionSchema, description: 'After the change; of a deletion, the deleted version.' },
      'key?': shortTextSchema,
      ...provenance(types, causes),
      'diff?': object(
        'VersionDiff',
        {
          current: patchSchema,
          'staged?': patchSchema,
        },
        {
          description: 'With `diff=true`: the changes since the previous version, if the log still has both versions.',
        },
      ),
    },
    { description: 'A change of the resource.', examples: [historyEntryExample] },
  );
  return cursorPage('HistoryPage', entry, 'Newest first.', historyEntryExample);
}

const deletedExample = {
  id: '0197f3c2-6d10-7a53-9c41-2f6b8e0d9a11',
  key: 'summer-sale',
  version: 3,
  deletedAt: '2026-05-06T08:00:00.000Z',
  deletedBy: { clientId: 'my-shop.importer' },
  correlationId: 'cleanup-2',
};

/** A page of resources that are deleted and can be restored. */
export const deletedPageSchema: JsonSchema = cursorPage(
  'DeletedResourcePage',
  object('DeletedResource', {
    id: shortTextSchema,
    'key?': shortTextSchema,
    version: { ...versionSchema, description: 'The one that was deleted.' },
    deletedAt: instantSchema,
    deletedBy: authorSchema,
    'correlationId?': { type: 'string' },
  }),
  'The last deleted one first.',
  deletedExample,
);

/** Options of the restoration of a deleted resource. */
export const restoreSchema: JsonSchema = {
  title: 'ResourceRestore',
  type: 'object',
  properties: {
    version: { ...versionSchema, description: 'The version whose content it gets. Default: the one that was deleted.' },
    key: {
      ...shortTextSchema,
      type: ['string', 'null'],
      description: 'Another key than it had, or `null` for none.',
    },
  },
  additionalProperties: false,
  examples: [{ version: 3 }],
};

/** The remains of a forgotten resource. */
export const forgottenSchema: JsonSchema = object(
  'ForgottenResource',
  {
    id: shortTextSchema,
    forgottenAt: instantSchema,
  },
  { examples: [{ id: '0197f3c2-6d10-7a53-9c41-2f6b8e0d9a11', forgottenAt: '2026-05-07T08:00:00.000Z' }] },
);
