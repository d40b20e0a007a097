/** A value of a metric, as the text exposition format has it. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The samples of the families whose names begin with one of the prefixes. */
export function parseExposition(text: string, prefixes: readonly string[]): readonly Sample[] {
  const samples: Sample[] = [];
  for (const line of text.split('\n')) {
    if (!prefixes.some((prefix) => line.startsWith(prefix))) continue;
    const end = line.search(/[{ ]/);
    const space = line.lastIndexOf(' ');
    const labels: Record<string, string> = {};
    for (const [, name, value] of line.slice(end, space).matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)) labels[name!] = value!;
    samples.push({ name: line.slice(0, end), labels, value: Number(line.slice(space + 1)) });
  }
  return samples;
}

export const sumOf = (samples: readonly Sample[]): number => samples.reduce((sum, { value }) => sum + value, 0);

/** Seconds as ms, to a hundredth. */
export const ms = (seconds: number | undefined) =>
  seconds === undefined ? undefined : Math.round(seconds * 1e5) / 100;

/** The median and the 99th percentile of a histogram of seconds, as ms. Its series, of several processes and labels, are added up. */
export function times(samples: readonly Sample[], family: string) {
  const upTo = new Map<number, number>();
  for (const { name, labels, value } of samples) {
    if (name !== `${family}_bucket`) continue;
    const bound = labels.le === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels.le);
    upTo.set(bound, (upTo.get(bound) ?? 0) + value);
  }
  const buckets = [...upTo].sort(([a], [b]) => a - b);
  return { p50Ms: ms(quantileOf(buckets, 0.5)), p99Ms: ms(quantileOf(buckets, 0.99)) };
}

/**
 * The value that a share of the values did not exceed, out of their numbers up to each bound: evenly spread within a
 * bucket, as Prometheus takes them. Above the last finite bound it is that bound. Undefined without values.
 */
function quantileOf(
  buckets: readonly (readonly [bound: number, upTo: number])[],
  quantile: number,
): number | undefined {
  const wanted = quantile * (buckets.at(-1)?.[1] ?? 0);
  if (wanted === 0) return undefined;
  const at = buckets.findIndex(([, upTo]) => upTo >= wanted);
  const [bound, upTo] = buckets[at]!;
  const [from, below] = buckets[at - 1] ?? [0, 0];
  return Number.isFinite(bound) ? from + ((bound - from) * (wanted - below)) / (upTo - below) : from;
}
