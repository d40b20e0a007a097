import { maxOverlapSeconds } from '../../../contract/check.ts';
import { list, object, optionally, text } from '../../../contract/json.ts';
import { cursorPage } from '../../../contract/pages.ts';
import { authorSchema, shortTextSchema } from '../../../contract/resource.ts';
import { actionTitle, updateSchema } from '../../../contract/update.ts';
import { eventTypes } from '../../../domain/ports/change-log.ts';
import { secretForm } from '../../../webhooks/message/signature.ts';
import { maxSecrets, subscriptionActions, usualOverlapSeconds } from '../../../webhooks/subscription/actions.ts';
import { startingPoints } from '../../../webhooks/subscription/draft.ts';
import type { Schema } from '../../route.ts';
import { jsonBody, jsonContent } from '../json.ts';

/** The bodies of requests and responses about subscriptions: schemas with an example each. */

const plainText = { type: 'string' };
const instant = { type: 'string', format: 'date-time' };
const count = { type: 'integer', minimum: 0 };

const fields = {
  key: { ...shortTextSchema, description: 'Chosen by the client, unique among the subscriptions of the project.' },
  url: {
    ...plainText,
    format: 'uri',
    maxLength: 2048,
    description: 'The receiver. `https:` at a public address, unless the operator allows others.',
  },
  types: list(
    { type: 'string', enum: eventTypes },
    { minItems: 1, description: 'Only events of these types. The default is all types.' },
  ),
  where: {
    ...plainText,
    description: 'A predicate that the resource must satisfy after the change; of a deletion, the deleted resource.',
  },
  include: { type: 'string', enum: ['resource'], description: 'Events have the resource after the change as `data`.' },
  description: { ...plainText, maxLength: 1024 },
};
const secretText = {
  ...plainText,
  pattern: secretForm.source,
  description: '`whsec_` and the base64 of 24 to 64 bytes. By default the service makes one.',
};

const draftExample = {
  key: 'search-index',
  url: 'https://receiver.example.com/hook',
  types: ['created', 'updated', 'published', 'deleted'],
  where: 'type="product"',
};
export const draftBody = jsonBody(
  {
    title: 'SubscriptionDraft',
    type: 'object',
    properties: {
      ...fields,
      secret: secretText,
      from: text('`now`: only new events. `oldest`: all stored events first. The default is `now`.', {
        enum: startingPoints,
      }),
      enabled: { type: 'boolean', description: '`false`: nothing is delivered before the action `enable`.' },
    },
    required: ['url'],
    additionalProperties: false,
  },
  draftExample,
);

const system = {
  id: plainText,
  version: { type: 'integer', format: 'int64', minimum: 1 },
  createdAt: instant,
  lastModifiedAt: instant,
  createdBy: authorSchema,
  lastModifiedBy: authorSchema,
};
const required = {
  ...system,
  url: fields.url,
  status: { type: 'string', enum: ['enabled', 'disabled'] },
  secrets: list(object('SubscriptionSecret', { createdAt: instant, 'expiresAt?': instant }), {
    maxItems: maxSecrets,
    description: 'The secrets that sign, newest first, without their texts.',
  }),
};
const { key, types, where, include, description } = fields;
const optional = optionally({
  key,
  types,
  where,
  include,
  description,
  disabledReason: {
    type: 'string',
    enum: ['byClient', 'gone'],
    description: '`gone`: the receiver answered 410.',
  },
});
const subscriptionSchema = object('Subscription', { ...required, ...optional });
const subscriptionExample = {
  id: '0197f3c2-6d10-7a53-9c41-2f6b8e0d9a11',
  version: 1,
  ...draftExample,
  createdAt: '2026-05-04T09:12:33.120Z',
  lastModifiedAt: '2026-05-04T09:12:33.120Z',
  createdBy: { clientId: 'my-shop.importer' },
  lastModifiedBy: { clientId: 'my-shop.importer' },
  status: 'enabled',
  secrets: [{ createdAt: '2026-05-04T09:12:33.120Z' }],
};
const withSecret = { secret: { ...secretText, description: 'Shown in this response only.' } };
const createdSchema = object('CreatedSubscription', { ...required, ...withSecret, ...optional });
const changedSchema = object('ChangedSubscription', { ...required, ...optional, ...optionally(withSecret) });
const createdExample = { ...subscriptionExample, secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD' };

export const subscription = jsonContent(subscriptionSchema, subscriptionExample);
export const createdSubscription = jsonContent(createdSchema, createdExample);
export const changedSubscription = jsonContent(changedSchema, { ...createdExample, version: 2 });

const pageSchema = object('SubscriptionPage', {
  limit: count,
  offset: count,
  count,
  total: count,
  results: list(subscriptionSchema),
});
const pageExample = { limit: 20, offset: 0, count: 1, total: 1, results: [subscriptionExample] };
export const subscriptionPage = jsonContent(pageSchema, pageExample);

const actionFields: Readonly<Record<string, Schema>> = {
  key: { ...fields.key, description: 'Without it the subscription has no key.' },
  url: fields.url,
  types: fields.types,
  where: { ...fields.where, description: 'Without it, all resources.' },
  include: { ...fields.include, description: 'Without it, events come without their resource.' },
  description: { ...fields.description, description: 'Without it the description is removed.' },
  secret: secretText,
  overlapSeconds: {
    type: 'integer',
    minimum: 0,
    maximum: maxOverlapSeconds,
    description: `How long the previous secrets keep signing. The default is ${usualOverlapSeconds}, a day.`,
  },
};

const actionSchemas = Object.entries(subscriptionActions).map(([name, action]) => {
  const schema: Schema = {
    // Not the title of an update action of resources.
    title: `Subscription${actionTitle(name)}`,
    type: 'object',
    properties: {
      action: { type: 'string', const: name },
      ...Object.fromEntries(action.fields.map((field) => [field, actionFields[field]])),
    },
    required: name === 'setUrl' ? ['action', 'url'] : ['action'],
    additionalProperties: false,
  };
  return [name, schema] as const;
});
const updateExample = { version: 1, actions: [{ action: 'rotateSecret', overlapSeconds: 3600 }] };
export const updateBody = jsonBody(
  updateSchema(new Map(actionSchemas), { subject: 'Subscription', example: updateExample }),
);

const attempt = object('DeliveryAttempt', {
  at: instant,
  messageId: { ...plainText, description: 'Its `webhook-id`.' },
  type: { ...plainText, description: 'Of the event; `test` for a test.' },
  attempt: { type: 'integer', minimum: 1 },
  durationMs: count,
  'resourceId?': plainText,
  'sequence?': { type: 'integer', minimum: 1 },
  'status?': { type: 'integer', description: 'The HTTP status, if there was a response.' },
  'failure?': { ...plainText, description: 'Why the receiver did not respond.' },
});
const deliveriesSchema = object('SubscriptionDeliveries', {
  state: {
    type: 'string',
    enum: ['upToDate', 'delivering', 'retrying', 'down', 'disabled'],
    description:
      '`retrying`: some resources wait for another attempt. `down`: after several failures in a row, only what failed is tried again.',
  },
  held: { ...count, description: 'Resources of which an event is not delivered yet.' },
  missed: { ...count, description: 'Changes that were pruned before they were delivered, at most.' },
  attempts: list(attempt, { maxItems: 100, description: 'The last 100, newest first.' }),
  'nextAttemptAt?': { ...instant, description: 'When the first of the held resources is tried again.' },
});
export const deliveries = jsonContent(deliveriesSchema, {
  state: 'upToDate',
  held: 0,
  missed: 0,
  attempts: [
    {
      at: '2026-05-05T17:40:02.031Z',
      messageId: 'MmsuMWRsajJrLjAxOTdmM2My',
      type: 'updated',
      resourceId: '0197f3c2-6d10-7a53-9c41-2f6b8e0d9a11',
      sequence: 92,
      attempt: 1,
      status: 204,
      durationMs: 18,
    },
  ],
});

const letterFields = {
  id: plainText,
  messageId: { ...plainText, description: 'Its `webhook-id`, which a replay keeps.' },
  sequence: { type: 'integer', minimum: 1 },
  resourceId: plainText,
  type: { type: 'string', enum: eventTypes },
  at: { ...instant, description: 'When it was given up.' },
  attempts: { type: 'integer', minimum: 1 },
  lastFailure: { ...plainText, description: '`HTTP 500`, or why the receiver did not respond.' },
};
const listedLetter = object('ListedDeadLetter', letterFields);
const deadLetterSchema = object('DeadLetter', {
  ...letterFields,
  event: { type: 'object', description: 'What was to be delivered: an Event.', additionalProperties: true },
});
const listedLetterExample = {
  id: '0000000000000092',
  messageId: 'MmsuMWRsajJrLjAxOTdmM2My',
  sequence: 92,
  resourceId: '0197f3c2-6d10-7a53-9c41-2f6b8e0d9a11',
  type: 'updated',
  at: '2026-05-08T21:16:02.009Z',
  attempts: 10,
  lastFailure: 'HTTP 500',
};
export const deadLetter = jsonContent(deadLetterSchema, {
  ...listedLetterExample,
  event: {
    id: 'MmsuMWRsajJrLjAxOTdmM2My',
    sequence: 92,
    type: 'updated',
    resource: { typeId: 'resource', id: '0197f3c2-6d10-7a53-9c41-2f6b8e0d9a11', version: 3 },
    at: '2026-05-05T17:40:02.009Z',
    actor: { clientId: 'my-shop.importer' },
    cause: 'actions',
    actions: ['setField'],
    changedFields: { current: ['name'] },
  },
});
export const deadLetterPage = jsonContent(
  cursorPage('DeadLetterPage', listedLetter, 'Oldest first.', listedLetterExample, 'after'),
);

const reportSchema = object('DeliveryReport', {
  delivered: { type: 'boolean', description: 'The receiver answered 2xx.' },
  durationMs: count,
  'status?': { type: 'integer' },
  'failure?': plainText,
});
export const report = jsonContent(reportSchema, { delivered: true, status: 204, durationMs: 18 });

const replayReportSchema = object('ReplayReport', {
  delivered: count,
  more: { type: 'boolean', description: 'There are dead letters left.' },
  'failed?': {
    ...object('FailedReplay', { id: plainText, reason: plainText }),
    description: 'The dead letter that was not delivered, which ended the replay.',
  },
});
export const replayReport = jsonContent(replayReportSchema, { delivered: 17, more: false });
