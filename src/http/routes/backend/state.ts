import { object } from '../../../contract/json.ts';
import { parseExposition, type Sample, sumOf, times } from '../../../telemetry/exposition.ts';
import type { Route } from '../../route.ts';
import type { RouteDeps } from '../all.ts';
import { answer, jsonResponse } from '../json.ts';

const count = { type: 'integer', minimum: 0 };
const ms = { type: 'number', minimum: 0 };

const stateSchema = object('BackendState', {
  kind: { type: 'string', enum: ['local', 'http', 'module'], description: '`local` is the embedded one.' },
  isDefault: { type: 'boolean', description: 'The backend of all projects that have none of their own.' },
  calls: { ...count, description: 'Backend actions since the processes have started, of all its projects.' },
  failures: { ...count, description: 'How many of these calls the backend failed.' },
  'p50Ms?': { ...ms, description: 'The median time of the calls, once there was one.' },
  'p99Ms?': { ...ms, description: 'The 99th percentile, once there was a call.' },
  'circuit?': {
    type: 'string',
    enum: ['closed', 'halfOpen', 'open'],
    description: 'Of `http`: whether calls go through; of several processes, that of the worst.',
  },
});

function circuitOf(values: readonly Sample[]): 'closed' | 'halfOpen' | 'open' | undefined {
  if (values.length === 0) return undefined;
  const level = Math.max(...values.map(({ value }) => value));
  return level === 0 ? 'closed' : level < 1 ? 'halfOpen' : 'open';
}

/** How the backend of a project fares. Its address and its headers are not shown: they are the operator's. */
export function backendStateRoutes({ backends, renderMetrics }: RouteDeps): readonly Route[] {
  return [
    {
      operationId: 'getBackend',
      method: 'GET',
      path: '/:projectKey/backend',
      tag: 'Backend actions',
      access: ['manage_test', 'view_test'],
      summary: 'Get the state of the backend',
      description: 'Which backend carries out the backend actions of the project, and how they went so far.',
      responses: {
        200: answer('The state.', stateSchema, {
          kind: 'http',
          isDefault: false,
          calls: 1204,
          failures: 3,
          p50Ms: 12.5,
          p99Ms: 88.1,
          circuit: 'closed',
        }),
      },
      async handler({ projectKey }) {
        const { name, kind } = backends.describe(projectKey);
        const samples = parseExposition(await renderMetrics(), ['grs_backend_']);
        const own = samples.filter(({ labels }) => labels.backend === name);
        const named = (metric: string) => own.filter((sample) => sample.name === metric);
        return jsonResponse(200, {
          kind,
          isDefault: name !== projectKey,
          calls: sumOf(named('grs_backend_requests_total')),
          failures: sumOf(named('grs_backend_failures_total')),
          ...times(own, 'grs_backend_seconds'),
          circuit: circuitOf(named('grs_backend_circuit')),
        });
      },
    },
  ];
}
