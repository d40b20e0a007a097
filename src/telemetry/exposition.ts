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

/** Counts of values by upper bound, ascending, the last of them infinite: how many values are up to it and above the one before. */
export type Buckets = readonly (readonly [bound: number, count: number])[];

/**
 * The value that a share of the values did not exceed: evenly spread within a bucket, as Prometheus takes them. Above the
 * last finite bound it is that bound. Undefined without values.
 */
export function quantileOf(buckets: Buckets, quantile: number): number | undefined {
  const total = buckets.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return undefined;
  const wanted = quantile * total;
  let below = 0;
  let from = 0;
  for (const [bound, count] of buckets) {
    if (below + count >= wanted && count > 0) {
      return Number.isFinite(bound) ? from + ((bound - from) * (wanted - below)) / count : from;
    }
    below += count;
    from = bound;
  }
  return from;
}
