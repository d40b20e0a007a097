import { cursorQuery } from '../../../auth/cursors.ts';
import { malformedParameter } from '../../../contract/errors.ts';
import { list, object, optionally } from '../../../contract/json.ts';
import { cursorPage } from '../../../contract/pages.ts';
import { maxCounted } from '../../../domain/paging.ts';
import { maxSamples, sampleSeconds } from '../../../telemetry/health-history.ts';
import { maxSlowQueries } from '../../../telemetry/slow-queries.ts';
import type { Route, Schema } from '../../route.ts';
import type { RouteDeps } from '../all.ts';
import { answer, jsonResponse, noStore } from '../json.ts';
import { cursorParameters, cutPage, limitOf, pageResponse } from '../pages.ts';
import { countQuery } from '../project.ts';

const shared = { method: 'GET', tag: 'Service', access: 'service' } as const;

const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };
const ms = { type: 'number', minimum: 0 };
const time = { ...text, format: 'date-time' };

const projectSchema = object('ListedProject', {
  key: text,
  resources: { ...count, description: 'The number of resources; counting stops at 10,000.' },
  'resourcesRelation?': { ...text, enum: ['gte'], description: 'There are more than `resources`.' },
});
const projectPageSchema = cursorPage('ProjectPage', projectSchema, 'By key.', { key: 'my-shop', resources: 1204 });

const timesSchema = {
  p50Ms: { ...ms, description: 'The median time, if there were any.' },
  p99Ms: { ...ms, description: 'The 99th percentile, if there were any.' },
};
const byStatus = Object.fromEntries(
  ['1xx', '2xx', '3xx', '4xx', '5xx'].map((status) => [status, { ...count, description: 'Left out if it is 0.' }]),
);
const sampleSchema = object('HealthSample', {
  at: { ...time, description: 'The end of the interval.' },
  seconds: { type: 'number', description: `Its length: ${sampleSeconds}, or a little more or less.` },
  requests: {
    type: 'object',
    description: 'By operation (`operationId`): responses by the class of their status, and durations.',
    additionalProperties: object('HealthRequests', { ...optionally({ ...byStatus, ...timesSchema }) }),
  },
  inFlight: { ...count, description: 'Requests in progress at the end.' },
  commits: object('HealthCommits', { count, writes: count, ...optionally(timesSchema) }),
  queries: {
    type: 'object',
    description: 'Lists, searches and existence checks by the queue that they ran in.',
    additionalProperties: object('HealthQueries', {
      count,
      waiting: { ...count, description: 'Waiting at the end.' },
      ...optionally(timesSchema),
    }),
  },
  images: object('HealthImages', { running: count, waiting: count }),
  events: object('HealthEvents', {
    streams: { ...count, description: 'Open streams of events at the end.' },
    delivered: { ...count, description: 'Events that were delivered to subscriptions.' },
    lagSeconds: { ...ms, description: 'Age of the oldest event that is not delivered to some subscription.' },
  }),
  memory: object('HealthMemory', { rssBytes: count, heapBytes: count }),
  processors: { type: 'number', description: 'CPU time per second: 1 is one core, fully used.' },
  loopDelayMs: { ...ms, description: 'How late timers fire (99th percentile).' },
  store: object('HealthStore', { bytes: count, logBytes: count }),
});
const historySchema = object('HealthHistory', {
  intervalSeconds: { type: 'integer' },
  maxSamples: { type: 'integer' },
  samples: list(sampleSchema, { description: 'Oldest first.' }),
});
const sampleExample = {
  at: '2026-11-22T17:05:10.000Z',
  seconds: 10,
  requests: { getResourceById: { '2xx': 812, '4xx': 3, p50Ms: 0.4, p99Ms: 2.1 } },
  inFlight: 2,
  commits: { count: 40, writes: 55, p50Ms: 0.8, p99Ms: 4.2 },
  queries: { short: { count: 120, p50Ms: 0.2, p99Ms: 3.9, waiting: 0 } },
  images: { running: 0, waiting: 0 },
  events: { streams: 3, delivered: 55, lagSeconds: 0.1 },
  memory: { rssBytes: 190_000_000, heapBytes: 45_000_000 },
  processors: 0.21,
  loopDelayMs: 1.9,
  store: { bytes: 48_000_000, logBytes: 4_100_000 },
};

const runSchema = object('QueryRun', {
  queue: text,
  totalMs: { ...ms, description: 'From its arrival in the store until its result.' },
  ranMs: { ...ms, description: 'Of that, the time in which it ran; the remainder it waited.' },
  plan: list(text, { description: 'What the plan did, in words; empty where it is not known.' }),
  'rowsRead?': { ...count, description: 'Resources that the query read one by one.' },
});
const slowSchema = object('SlowQuery', {
  at: time,
  projectKey: text,
  operation: text,
  parameters: {
    type: 'object',
    description: 'The parameters as sent, without `cursor`; long ones are truncated. Predicates may contain data.',
    additionalProperties: list(text),
  },
  correlationId: text,
  totalMs: ms,
  'clientId?': text,
  'run?': runSchema,
  'error?': { ...text, description: 'The code of the error that it ended with.' },
});
const slowListSchema: Schema = object('SlowQueries', { results: list(slowSchema) });
const slowExample = {
  at: '2026-11-22T17:05:04.120Z',
  projectKey: 'my-shop',
  operation: 'listResourcesSorted',
  parameters: { where: ['note matches ignore case "x"'] },
  clientId: 'my-shop.importer',
  correlationId: 'sync-17',
  totalMs: 412.5,
  run: {
    queue: 'long',
    totalMs: 412.4,
    ranMs: 390.1,
    rowsRead: 104_200,
    plan: ['no index narrows the query: it reads every resource of the project'],
  },
};

/** For the operator: the projects, the health over the last hour, and the slow queries (decision 145). */
export function serviceRoutes({ store, projects, history, slowQueries, cursors }: RouteDeps): readonly Route[] {
  const listed = cursorQuery(JSON.stringify(['projects']));

  async function viewed(projectKey: string, signal: AbortSignal) {
    const { total, totalRelation } = await store.list(countQuery(projectKey, maxCounted), signal);
    return { key: projectKey, resources: total!, ...(totalRelation && { resourcesRelation: totalRelation }) };
  }

  return [
    {
      ...shared,
      operationId: 'listProjects',
      path: '/health/projects',
      summary: 'List the projects of the service',
      description:
        'Lists the projects that have resources, API clients or logged changes, by key. A project without any of these is not listed, although tokens may name it.',
      query: { ...cursorParameters, limit: { ...cursorParameters.limit, maximum: 100 } },
      responses: { 200: answer('A page of projects.', projectPageSchema, undefined, ['Link']) },
      errors: ['QueryTimedOut'],
      async handler({ query, signal }) {
        const limit = limitOf({ query });
        const cursor = query.get('cursor') as string | undefined;
        const [after] = cursor === undefined ? [undefined] : (cursors.open(listed, cursor) as [string]);
        const found = await projects(limit + 1, after);
        const { items, next } = cutPage(found, limit, (key) => cursors.seal(listed, [key]));
        const aborted = signal();
        const results = await Promise.all(items.map((key) => viewed(key, aborted)));
        return pageResponse(limit, results, next, { headers: noStore });
      },
    },
    {
      ...shared,
      operationId: 'getHealthHistory',
      path: '/health/history',
      summary: 'Get the health of the service over the last hour',
      description: `A sample every ${sampleSeconds} seconds, ${maxSamples} at most, since the process that responds has started; of all processes of the service on this machine. They are made of the counters of \`/metrics\`.`,
      query: {
        after: {
          type: 'string',
          description: 'Only samples that were taken after this time: the `at` of the last one that you have.',
          example: '2026-11-22T17:05:10.000Z',
        },
      },
      responses: {
        200: answer('The samples.', historySchema, {
          intervalSeconds: sampleSeconds,
          maxSamples,
          samples: [sampleExample],
        }),
      },
      handler({ query }) {
        const after = query.get('after') as string | undefined;
        const afterMs = after === undefined ? 0 : Date.parse(after);
        if (Number.isNaN(afterMs)) throw malformedParameter('after', 'expected a time, such as 2026-11-22T17:05:10Z');
        const head = `"intervalSeconds":${sampleSeconds},"maxSamples":${maxSamples}`;
        const body = `{${head},"samples":[${history.samplesAfter(afterMs).join(',')}]}`;
        return { status: 200, body, headers: noStore };
      },
    },
    {
      ...shared,
      operationId: 'listSlowQueries',
      path: '/health/slow-queries',
      summary: 'List the last slow queries',
      description: `The last ${maxSlowQueries} lists, searches and existence checks that took at least 100 ms, newest first, since the responding process started; each process has its own list. The parameters are shown as sent: predicates may contain data.`,
      responses: {
        200: answer('The slow queries.', slowListSchema, { results: [slowExample] }),
      },
      handler: () => jsonResponse(200, { results: slowQueries.list() }),
    },
  ];
}
