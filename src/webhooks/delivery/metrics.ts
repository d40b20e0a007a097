import { durationBounds, type Metrics } from '../../telemetry/metrics.ts';

export type DeliveryMetrics = ReturnType<typeof registerDeliveryMetrics>;

/** Subscriptions of a process that have a series of their own; those that come later count in the greatest lag only. */
const maxLagSeries = 100;

/** Registers the metrics of deliveries. */
export function registerDeliveryMetrics(metrics: Metrics) {
  const events = metrics.counter('grs_webhook_events_total', 'Events that were read for subscriptions.');
  const attempts = 'Attempts to deliver an event.';
  const delivered = metrics.counter('grs_webhook_attempts_total', attempts, { outcome: 'delivered' });
  const failed = metrics.counter('grs_webhook_attempts_total', attempts, { outcome: 'failed' });
  const dead = metrics.counter('grs_webhook_dead_letters_total', 'Events that could not be delivered.');
  const missed = metrics.counter(
    'grs_webhook_missed_events_total',
    'Changes that were pruned from the log or damaged before they were delivered, at most.',
  );
  const seconds = metrics.histogram('grs_webhook_seconds', 'Time until a receiver responded.', durationBounds);
  const lags = new Map<string, () => number | undefined>();
  const inSeconds = (lagMs: number | undefined) => (lagMs === undefined ? undefined : lagMs / 1000);
  metrics.gauge(
    'grs_webhook_lag_max_seconds',
    'Age of the oldest event that a subscription waits for, of those that this process delivers to.',
    () => inSeconds(Math.max(0, ...[...lags.values()].map((lagMs) => lagMs() ?? 0))),
  );
  const series = new Set<string>();
  return {
    read: (count: number) => events.add(count),
    /** An attempt. */
    sent(ok: boolean, durationMs: number): void {
      (ok ? delivered : failed).add();
      seconds.observe(durationMs / 1000);
    },
    deadLetter: () => dead.add(),
    missed: (count: number) => missed.add(count),
    /** Shows the lag of a subscription while it is there. Returns the function that ends it. */
    showLag(subscriptionId: string, lagMs: () => number | undefined): () => void {
      lags.set(subscriptionId, lagMs);
      if (!series.has(subscriptionId) && series.size < maxLagSeries) {
        series.add(subscriptionId);
        const read = () => inSeconds(lags.get(subscriptionId)?.());
        const help = 'Age of the oldest event that a subscription waits for, by subscription.';
        metrics.gauge('grs_webhook_lag_seconds', help, read, { subscription: subscriptionId });
      }
      return () => lags.delete(subscriptionId);
    },
  };
}
