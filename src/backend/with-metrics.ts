import { ServiceError } from '../contract/errors.ts';
import type { ActionResponse, Backend } from '../domain/ports/backend.ts';
import { durationBounds, type Metrics } from '../telemetry/metrics.ts';

/** Measures the calls of a backend: how many, how many failed, and how long they took. */
export function withMetrics(backend: Backend, metrics: Metrics, labels: { backend: string; kind: string }): Backend {
  const requests = metrics.counter('grs_backend_requests_total', 'Actions, by backend.', labels);
  const failures = metrics.counter('grs_backend_failures_total', 'Actions that a backend failed.', labels);
  const duration = metrics.histogram('grs_backend_seconds', 'Time of an action.', durationBounds, labels);
  const done = (startedMs: number) => duration.observe((performance.now() - startedMs) / 1000);
  const noteFailure = (error: unknown) => {
    if (!(error instanceof ServiceError) || error.status >= 500) failures.add();
  };

  async function measure(response: Promise<ActionResponse>, startedMs: number): Promise<ActionResponse> {
    try {
      return await response;
    } catch (error) {
      noteFailure(error);
      throw error;
    } finally {
      done(startedMs);
    }
  }

  return {
    call(request) {
      requests.add();
      const startedMs = performance.now();
      const response = backend.call(request);
      if (response instanceof Promise) return measure(response, startedMs);
      done(startedMs);
      return response;
    },
  };
}
