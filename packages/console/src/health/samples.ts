import type { HealthHistory, HealthRequests, HealthSample } from 'generic-resource-service-client/api-types';
import { readService } from '../app/session.ts';
import { duration, plain, size } from './format.ts';

const classes = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const;

/** Requests of an operation, whatever became of them. */
export const responsesOf = (operation: HealthRequests): number =>
  classes.reduce((sum, status) => sum + (operation[status] ?? 0), 0);

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** They last as long as there is something to send, or as what is sent to them. */
const isEndless = (operation: string) => /event|import|export|upload/i.test(operation);

/** Values of a sample, by the name of their chart. Undefined where nothing happened that they could be measured by. */
export const measures = {
  requests: ({ requests, seconds }: HealthSample) => sum(Object.values(requests).map(responsesOf)) / seconds,
  errors: ({ requests }: HealthSample) => {
    const all = sum(Object.values(requests).map(responsesOf));
    return all === 0 ? 0 : (100 * sum(Object.values(requests).map((each) => each['5xx'] ?? 0))) / all;
  },
  latency: ({ requests }: HealthSample) => {
    const times = Object.entries(requests).flatMap(([name, { p99Ms }]) => (isEndless(name) ? [] : (p99Ms ?? [])));
    return times.length === 0 ? undefined : Math.max(...times);
  },
  commits: ({ commits, seconds }: HealthSample) => commits.writes / seconds,
  commitTime: ({ commits }: HealthSample) => commits.p99Ms,
  commitSize: ({ commits }: HealthSample) => (commits.count === 0 ? undefined : commits.writes / commits.count),
  searches: ({ queries, seconds }: HealthSample) => sum(Object.values(queries).map(({ count }) => count)) / seconds,
  queue: ({ queries }: HealthSample) => sum(Object.values(queries).map(({ waiting }) => waiting)),
  processor: ({ processors }: HealthSample) => processors,
  delay: ({ loopDelayMs }: HealthSample) => loopDelayMs,
  memory: ({ memory }: HealthSample) => memory.rssBytes,
  store: ({ store }: HealthSample) => store.bytes + store.logBytes,
  images: ({ images }: HealthSample) => images.running + images.waiting,
  events: ({ events }: HealthSample) => events.lagSeconds,
} as const satisfies Record<string, (sample: HealthSample) => number | undefined>;

export type MeasureName = keyof typeof measures;
export const measureNames = Object.keys(measures) as readonly MeasureName[];

/** How values are written, and beyond which one something needs a look, in the unit of the measure. */
const scales: Readonly<Partial<Record<MeasureName, readonly [format: (value: number) => string, limit?: number]>>> = {
  errors: [(percent) => `${plain(percent)} %`, 1],
  latency: [duration, 1000],
  commitTime: [duration, 250],
  delay: [duration, 100],
  queue: [plain, 20],
  memory: [size],
  store: [size],
  images: [plain, 100],
  events: [(seconds) => duration(seconds * 1000), 300],
};

export const formatOf = (name: MeasureName) => scales[name]?.[0] ?? plain;

const recentSamples = 6;
const redSamples = 3;

/** True where a measure was beyond its limit in half of the last minute: once is no trouble. */
export function isRed(name: MeasureName, samples: readonly HealthSample[]): boolean {
  const limit = scales[name]?.[1];
  if (limit === undefined) return false;
  const beyond = samples.slice(-recentSamples).filter((sample) => (measures[name](sample) ?? 0) > limit);
  return beyond.length >= redSamples;
}

/** An operation in the last minutes. */
export interface OperationLine {
  readonly name: string;
  readonly perSecond: number;
  /** The average of the medians, by requests. */
  readonly p50Ms: number | undefined;
  /** The greatest of them. */
  readonly p99Ms: number | undefined;
  readonly failed: number;
  readonly refused: number;
}

const tableSamples = 30;

/** The operations of the last five minutes, the busiest first. */
export function operationLines(samples: readonly HealthSample[]): readonly OperationLine[] {
  const recent = samples.slice(-tableSamples);
  const seconds = sum(recent.map((sample) => sample.seconds));
  const parts = recent.flatMap(({ requests }) => Object.entries(requests));
  const names = [...new Set(parts.map(([name]) => name))];
  const lines = names.map((name): OperationLine => {
    const own = parts.filter(([one]) => one === name).map(([, operation]) => operation);
    const timed = own.filter(({ p50Ms }) => p50Ms !== undefined);
    const weight = sum(timed.map(responsesOf));
    const slowest = own.flatMap(({ p99Ms }) => p99Ms ?? []);
    return {
      name,
      perSecond: sum(own.map(responsesOf)) / seconds,
      p50Ms: weight === 0 ? undefined : sum(timed.map((each) => each.p50Ms! * responsesOf(each))) / weight,
      p99Ms: slowest.length === 0 ? undefined : Math.max(...slowest),
      failed: sum(own.map((each) => each['5xx'] ?? 0)),
      refused: sum(own.map((each) => each['4xx'] ?? 0)),
    };
  });
  return lines.sort((a, b) => b.perSecond - a.perSecond);
}

/** Reads the samples after those that are there; with none, all. A service that was restarted begins anew. */
export async function readSamples(
  known: readonly HealthSample[],
  signal: AbortSignal,
): Promise<readonly HealthSample[]> {
  const last = known.at(-1)?.at;
  const query = new URLSearchParams(last === undefined ? {} : { after: last });
  const { samples, maxSamples } = await readService<HealthHistory>({ path: '/health/history', query, signal });
  return [...known, ...samples].slice(-maxSamples);
}
