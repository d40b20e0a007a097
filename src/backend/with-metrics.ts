import { ServiceError } from '../contract/errors.ts';
import type { ActionResponse, Backend } from '../domain/ports/backend.ts';
import { durationBounds, type Metrics } from '../telemetry/metrics.ts';

/** Counts the calls of a backend, those that failed, and how long they took. Names come from the configuration. */
export function withMetrics(backend: Backend, metrics: Metrics, labels: { backend: string; kind: string }): Backend {
  const requests = metrics.counter('grs_backend_requests_total', 'Actions, by backend.', labels);
  const failures = metrics.counter('grs_backend_failures_total', 'Actions that a backend failed.', labels);
  const duration = metrics.histogram('grs_backend_seconds', 'Time of an action.', durationBounds, labels);
  const done = (startedMs: number) => duration.observe((performance.now() - startedMs) / 1000);
  const noteFailure = (error: unknown) => {
    if (!(error instanceof ServiceError) || error.status >= 500) failures.add();
  };

  async function later(answer: Promise<ActionResponse>, startedMs: number): Promise<ActionResponse> {
    try {
      return await answer;
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
      const answer = backend.call(request);
      if (answer instanceof Promise) return later(answer, startedMs);
      done(startedMs);
      return answer;
    },
  };
}
