import type { LoopDelay } from './loop-delay.ts';
import type { Metrics } from './metrics.ts';

/** Registers the metrics of the process: memory, processor time, uptime and event-loop delay. */
export function registerProcessMetrics(metrics: Metrics, loopDelay: LoopDelay): void {
  metrics.gauge('process_resident_memory_bytes', 'Resident set of the process.', () => process.memoryUsage.rss());
  metrics.gauge('nodejs_heap_used_bytes', 'Used heap of the main thread.', () => process.memoryUsage().heapUsed);
  metrics.gauge('nodejs_heap_total_bytes', 'Heap of the main thread.', () => process.memoryUsage().heapTotal);
  metrics.gauge('process_uptime_seconds', 'Time since the start.', () => process.uptime());
  metrics.gauge('process_cpu_seconds', 'CPU time used, user and system.', () => {
    const used = process.cpuUsage();
    return (used.user + used.system) / 1e6;
  });
  for (const quantile of [0.5, 0.99]) {
    metrics.gauge(
      'nodejs_eventloop_delay_seconds',
      'How late timers fire, over the last half minute.',
      () => loopDelay.quantileMs(quantile) / 1000,
      { quantile: String(quantile) },
    );
  }
}
