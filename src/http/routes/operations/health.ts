import type { Eventually } from '../../../domain/ports/eventually.ts';
import type { HttpResponse, Route, Schema } from '../../route.ts';

export interface Readiness {
  readonly ok: boolean;
  /** What was looked at, by name: `ok`, or why not in words that may be public. */
  readonly checks: Readonly<Record<string, string>>;
}

export interface HealthDeps {
  /** Whether the node can take requests: the store can write, and the process is not shutting down. */
  readonly ready: () => Promise<Readiness>;
  readonly metrics: { render(): Eventually<string> };
}

const common = { method: 'GET', tag: 'Health', access: 'public' } as const;
const uncached = { 'cache-control': 'no-store' } as const;

/** Liveness, readiness and metrics (decision 32). They are never shed and never counted against a rate. */
export function healthRoutes(deps: HealthDeps): readonly Route[] {
  return [
    {
      ...common,
      operationId: 'getLiveness',
      path: '/health/live',
      summary: 'Whether the process runs.',
      description: 'Answers 200 for as long as the process can answer at all. Restart it when it does not.',
      responses: { 200: jsonResponse('The process runs.', statusSchema('live'), { status: 'live' }) },
      handler: () => ({ status: 200, body: '{"status":"live"}', headers: uncached }),
    },
    {
      ...common,
      operationId: 'getReadiness',
      path: '/health/ready',
      summary: 'Whether the node can take requests.',
      description:
        'Answers 503 while the store cannot write, or while the process shuts down: send it no requests then.',
      responses: {
        200: jsonResponse('Send requests.', readySchema, { status: 'ready', checks: { store: 'ok' } }),
        503: jsonResponse('Send none.', readySchema, { status: 'unready', checks: { store: 'the disk is full' } }),
      },
      handler: async () => readinessResponse(await deps.ready()),
    },
    {
      ...common,
      operationId: 'getMetrics',
      path: '/metrics',
      summary: 'Metrics in the text format of Prometheus.',
      responses: { 200: { description: 'The metrics.', content: { 'text/plain': { schema: { type: 'string' } } } } },
      handler: async () => ({
        status: 200,
        body: await deps.metrics.render(),
        contentType: 'text/plain; version=0.0.4; charset=utf-8',
        headers: uncached,
      }),
    },
  ];
}

function readinessResponse({ ok, checks }: Readiness): HttpResponse {
  const body = JSON.stringify({ status: ok ? 'ready' : 'unready', checks });
  return { status: ok ? 200 : 503, body, headers: uncached };
}

const statusSchema = (...values: readonly string[]): Schema => ({
  type: 'object',
  required: ['status'],
  properties: { status: { type: 'string', enum: values } },
});

const readySchema: Schema = {
  title: 'Readiness',
  type: 'object',
  required: ['status', 'checks'],
  properties: {
    status: { type: 'string', enum: ['ready', 'unready'] },
    checks: {
      type: 'object',
      description: 'What was looked at: `ok`, or why not.',
      additionalProperties: { type: 'string' },
    },
  },
};

function jsonResponse(description: string, schema: Schema, example: unknown) {
  return { description, content: { 'application/json': { schema, example } } };
}
