import { startBackgroundTask } from './background-task.ts';
import { ms, parseExposition, type Sample, sumOf, times } from './exposition.ts';
import type { Log } from './log.ts';

export type HealthHistory = ReturnType<typeof createHealthHistory>;

/** Length of an interval. */
export const sampleSeconds = 10;

/** An hour. A sample has 0.5 to 6 KB, so that they take 2 MB at most. */
export const maxSamples = 360;

interface HistoryDeps {
  /** The exposition of all metrics. */
  readonly render: () => string | Promise<string>;
  readonly nowMs: () => number;
  readonly log: Log;
}

const prefixes = ['http_re', 'grs_', 'event_streams', 'process_', 'nodejs_'];

/**
 * What the service did in each of the last intervals, out of the counters that /metrics shows: so both always agree, and
 * with several processes it is that of all of them.
 */
export function createHealthHistory({ render, nowMs, log }: HistoryDeps) {
  const kept: { readonly atMs: number; readonly text: string }[] = [];
  let before: ReadonlyMap<string, number> | undefined;
  let beforeMs = 0;
  let stop = () => {};

  async function sample(): Promise<void> {
    const atMs = nowMs();
    const { totals, differences } = since(before, parseExposition(await render(), prefixes));
    if (before) {
      const seconds = Math.max(0.001, (atMs - beforeMs) / 1000);
      kept.push({ atMs, text: JSON.stringify(summary(differences, atMs, seconds)) });
      if (kept.length > maxSamples) kept.shift();
    }
    before = totals;
    beforeMs = atMs;
  }

  return {
    /** The samples that were taken after a time (ms since the epoch), oldest first, each as JSON text. */
    samplesAfter: (afterMs: number) => kept.filter(({ atMs }) => atMs > afterMs).map(({ text }) => text),
    /** Takes a sample of the time since the last one; the timer does so too. */
    sample,
    start(): void {
      const times = { everyMs: sampleSeconds * 1000, firstMs: 0 };
      stop = startBackgroundTask({ ...times, run: sample, log, failedEvent: 'health-sample-failed' });
    },
    stop: () => stop(),
  };
}

const isCounted = (name: string) => /_(?:total|bucket|sum|count)$/.test(name) || name === 'process_cpu_seconds';

/** What was added to each counter; other values as they are. The counters of a process that was replaced begin anew. */
function since(before: ReadonlyMap<string, number> | undefined, samples: readonly Sample[]) {
  const totals = new Map<string, number>();
  const differences = samples.map((sample) => {
    if (!isCounted(sample.name)) return sample;
    const key = `${sample.name} ${JSON.stringify(sample.labels)}`;
    totals.set(key, sample.value);
    const earlier = before?.get(key) ?? 0;
    return { ...sample, value: sample.value >= earlier ? sample.value - earlier : sample.value };
  });
  return { totals, differences };
}

type Values = readonly Sample[];

const named = (values: Values, name: string) => values.filter((value) => value.name === name);
const maxOf = (values: Values) => values.reduce((max, { value }) => Math.max(max, value), 0);

const withLabel = (values: Values, label: string) =>
  Map.groupBy(
    values.filter(({ labels }) => labels[label] !== undefined),
    ({ labels }) => labels[label]!,
  );

/** One sample. Absent parts are those in which nothing happened. */
function summary(values: Values, atMs: number, seconds: number): object {
  const http = values.filter(({ name }) => name.startsWith('http_request_duration_seconds'));
  const requests = [...withLabel(http, 'operation')].flatMap(([operation, own]) => {
    const counts = named(own, 'http_request_duration_seconds_count').filter(({ value }) => value > 0);
    if (counts.length === 0) return [];
    const byStatus = [...withLabel(counts, 'status')].map(([status, each]) => [status, sumOf(each)]);
    return [[operation, { ...Object.fromEntries(byStatus), ...times(own, 'http_request_duration_seconds') }]];
  });
  const queries = values.filter(({ name }) => name.startsWith('grs_query_'));
  const queues = [...withLabel(queries, 'queue')].flatMap(([queue, own]) => {
    const count = sumOf(named(own, 'grs_query_seconds_count'));
    const waiting = sumOf(named(own, 'grs_query_waiting'));
    return count + waiting === 0 ? [] : [[queue, { count, ...times(own, 'grs_query_seconds'), waiting }]];
  });
  const commits = sumOf(named(values, 'grs_commit_operations_count'));
  const value = (name: string) => sumOf(named(values, name));
  return {
    at: new Date(atMs).toISOString(),
    seconds: Math.round(seconds * 1000) / 1000,
    requests: Object.fromEntries(requests),
    inFlight: value('http_requests_in_flight'),
    commits: {
      count: commits,
      writes: value('grs_commit_operations_sum'),
      ...times(values, 'grs_commit_durable_seconds'),
    },
    queries: Object.fromEntries(queues),
    images: { running: value('grs_image_jobs_running'), waiting: value('grs_image_jobs_waiting') },
    events: {
      streams: value('event_streams'),
      delivered: value('grs_webhook_events_total'),
      lagSeconds: maxOf(named(values, 'grs_webhook_lag_max_seconds')),
    },
    memory: { rssBytes: value('process_resident_memory_bytes'), heapBytes: value('nodejs_heap_used_bytes') },
    processors: Math.round((value('process_cpu_seconds') / seconds) * 1000) / 1000,
    loopDelayMs: ms(
      maxOf(values.filter((v) => v.name === 'nodejs_eventloop_delay_seconds' && v.labels.quantile === '0.99')),
    ),
    store: {
      // Every process of the service reports the same database.
      ...{ bytes: maxOf(named(values, 'grs_store_bytes')), logBytes: maxOf(named(values, 'grs_store_log_bytes')) },
    },
  };
}
