import { object } from '../../../contract/json.ts';
import type { StoreStatus } from '../../../domain/ports/store.ts';
import type { Route, Schema } from '../../route.ts';
import type { RouteDeps } from '../all.ts';
import { answer, jsonResponse, noStore } from '../json.ts';

type HealthDeps = Pick<RouteDeps, 'status' | 'renderMetrics'>;

const shared = { method: 'GET', tag: 'Health', access: 'public' } as const;

const readySchema: Schema = object('Readiness', {
  status: { type: 'string', enum: ['ready', 'unready'] },
  checks: {
    type: 'object',
    description: 'The result of each check: `ok`, or the problem.',
    additionalProperties: { type: 'string' },
  },
});

/** Damaged resources that are named. */
const maxNamed = 10;

function resourcesOf(damaged: StoreStatus['damagedResources']): string {
  if (!damaged || damaged.count === 0) return 'ok';
  const named = damaged.first.slice(0, maxNamed).map(({ projectKey, id, reason }) => `${projectKey}/${id}: ${reason}`);
  const rest = damaged.count > named.length ? `; and ${damaged.count - named.length} more, see “grs check”` : '';
  return `${damaged.count} damaged, which lists and searches may leave out: ${named.join('; ')}${rest}`;
}

/** Liveness, readiness and metrics (decision 32). They are never shed and never rate-limited. */
export function healthRoutes({ status, renderMetrics }: HealthDeps): readonly Route[] {
  return [
    {
      ...shared,
      operationId: 'getLiveness',
      path: '/health/live',
      summary: 'Check whether the process is alive',
      description: 'Returns 200 as long as the process can respond at all. If it does not, restart the process.',
      responses: {
        200: answer('The process is alive.', object('Liveness', { status: { type: 'string', enum: ['live'] } }), {
          status: 'live',
        }),
      },
      handler: () => jsonResponse(200, { status: 'live' }),
    },
    {
      ...shared,
      operationId: 'getReadiness',
      path: '/health/ready',
      summary: 'Check whether the node is ready for requests',
      description:
        'Returns 503 if the store cannot write, until the threads that run queries have started, if nothing can be listed or searched, and while the process shuts down. Send no requests then. While the indexes of the embedded database are built again, or projects are copied into the mirror of the node, which `queries` says, the node is ready: resources are read and written.',
      responses: {
        200: answer('The node is ready.', readySchema, {
          status: 'ready',
          checks: { store: 'ok', queries: 'ok', process: 'ok', rows: 'ok', resources: 'ok' },
        }),
        503: answer('The node is not ready.', readySchema, {
          status: 'unready',
          checks: { store: 'the disk is full', queries: 'ok', process: 'ok', rows: 'ok', resources: 'ok' },
        }),
      },
      async handler({ draining }) {
        const { writable, reason, isWarm, queryProblem, rebuilding, damagedRows, damagedResources, check } =
          await status();
        const ready = writable && isWarm && queryProblem === undefined && !draining.aborted;
        const checks = {
          store: writable ? 'ok' : (reason ?? 'not writable'),
          // No other node could answer them sooner, and everything else works.
          queries: isWarm ? (queryProblem ?? rebuilding ?? 'ok') : 'starting',
          process: draining.aborted ? 'shutting down' : 'ok',
          // Every node has the same rows, and serves all others.
          rows: damagedRows === 0 ? 'ok' : `${damagedRows} damaged since the start; the log names them`,
          resources: resourcesOf(damagedResources),
          ...(check !== undefined && { check }),
        };
        return jsonResponse(ready ? 200 : 503, { status: ready ? 'ready' : 'unready', checks });
      },
    },
    {
      ...shared,
      operationId: 'getMetrics',
      path: '/metrics',
      summary: 'Get metrics in the Prometheus text format',
      responses: { 200: { description: 'The metrics.', content: { 'text/plain': { schema: { type: 'string' } } } } },
      handler: async () => ({
        status: 200,
        body: await renderMetrics(),
        headers: { ...noStore, 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
      }),
    },
  ];
}
