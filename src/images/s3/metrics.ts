import { durationBounds, type Metrics } from '../../telemetry/metrics.ts';

const operations = ['find', 'put', 'read', 'delete', 'list'] as const;
export type S3Operation = (typeof operations)[number];

export type S3Metrics = ReturnType<typeof createS3Metrics>;

/** Registers the metrics of object storage, and measures the requests to it. */
export function createS3Metrics(metrics: Metrics) {
  const series = (operation: S3Operation) => ({
    requests: metrics.counter('grs_image_store_requests_total', 'Requests to the object storage of images.', {
      operation,
    }),
    failures: metrics.counter('grs_image_store_failures_total', 'Those of them that failed.', { operation }),
    seconds: metrics.histogram('grs_image_store_seconds', 'Time of such a request.', durationBounds, { operation }),
  });
  const byOperation = new Map(operations.map((operation) => [operation, series(operation)]));
  return {
    /** Counts a request that is sent. Call the result when it has ended. */
    begin(operation: S3Operation): (succeeded: boolean) => void {
      const { requests, failures, seconds } = byOperation.get(operation)!;
      const startedMs = performance.now();
      requests.add();
      return (succeeded) => {
        if (!succeeded) failures.add();
        seconds.observe((performance.now() - startedMs) / 1000);
      };
    },
  };
}
