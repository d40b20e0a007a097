import { ServiceError } from '../contract/errors.ts';
import type { Backend } from '../domain/ports/backend.ts';
import { durationBounds, type Metrics } from '../telemetry/metrics.ts';

/** Measures the calls of a backend: how many, how many failed, and how long they took. */
export function withMetrics(backend: Backend, metrics: Metrics, labels: { backend: string; kind: string }): Backend {
  const requests = metrics.counter('grs_backend_requests_total', 'Actions, by backend.', labels);
  const failures = metrics.counter('grs_backend_failures_total', 'Actions that a backend failed.', labels);
  const duration = metrics.histogram('grs_backend_seconds', 'Time of an action.', durationBounds, labels);
  return {
    async call(request) {
      requests.add();
      const startedMs = performance.now();
      try {
        return await backend.call(request);
      } catch (error) {
        if (!(error instanceof ServiceError) || error.status >= 500) failures.add();
        throw error;
      } finally {
        duration.observe((performance.now() - startedMs) / 1000);
      }
    },
  };
}
