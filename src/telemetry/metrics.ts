/**
 * Metrics in the text exposition format of Prometheus. A series is created once, at the start; from then on, counting is an
 * addition and observing an increment in an array. Label values come from the code, never from a client, so that the
 * number of series is bounded.
 */
type Labels = Readonly<Record<string, string>>;

export type Metrics = ReturnType<typeof createMetrics>;
export type Histogram = ReturnType<Metrics['histogram']>;

interface Family {
  readonly type: 'counter' | 'gauge' | 'summary' | 'histogram';
  readonly help: string;
  /** Rendered labels → the lines of the series. */
  readonly series: Map<string, () => string>;
}

/** Seconds, for requests: from a cached read to a request that times out. */
export const durationBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10] as const;

/** An empty registry. */
export function createMetrics() {
  const families = new Map<string, Family>();
  const register = (
    name: string,
    type: Family['type'],
    help: string,
    labels: Labels,
    lines: (text: string) => string,
  ) => addSeries(families, name, { type, help, series: new Map() }, labels, lines);
  return {
    /** A number that only grows. By convention its name ends in `_total`. */
    counter(name: string, help: string, labels: Labels = {}) {
      let total = 0;
      register(name, 'counter', help, labels, (text) => `${name}${braces(text)} ${total}\n`);
      return {
        add(amount = 1): void {
          total += amount;
        },
      };
    },
    /** A counter that is kept elsewhere and read at each scrape. */
    total(name: string, help: string, read: () => number, labels: Labels = {}): void {
      register(name, 'counter', help, labels, (text) => `${name}${braces(text)} ${read()}\n`);
    },
    /** A number that is read at each scrape; not shown while it is undefined. */
    gauge(name: string, help: string, read: () => number | undefined, labels: Labels = {}): void {
      // In the exposition format of Prometheus quantiles are those of a summary.
      register(name, 'quantile' in labels ? 'summary' : 'gauge', help, labels, (text) => {
        const value = read();
        return value === undefined ? '' : `${name}${braces(text)} ${value}\n`;
      });
    },
    /**
     * Counts of values up to each of the ascending `bounds`, their sum and their number. `onceObserved`: the series is shown
     * from its first value on, for one of many of which most stay empty.
     */
    histogram(
      name: string,
      help: string,
      bounds: readonly number[],
      labels: Labels = {},
      shown: 'always' | 'onceObserved' = 'always',
    ) {
      const counts = new Float64Array(bounds.length + 1);
      let sum = 0;
      register(name, 'histogram', help, labels, (text) =>
        shown === 'onceObserved' && counts.every((count) => count === 0)
          ? ''
          : histogramLines(name, text, bounds, counts, sum),
      );
      return {
        observe(value: number): void {
          let at = 0;
          while (at < bounds.length && value > bounds[at]!) at += 1;
          counts[at]! += 1;
          sum += value;
        },
      };
    },
    /** The exposition of everything registered so far. */
    render: () => [...families].map(([name, family]) => familyLines(name, family)).join(''),
  };
}

function addSeries(
  families: Map<string, Family>,
  name: string,
  fresh: Family,
  labels: Labels,
  lines: (text: string) => string,
): void {
  if (!/^[a-z][a-z0-9_]*$/.test(name)) throw new Error(`Metric ${name}: expected a lower-case name`);
  const family = families.get(name) ?? fresh;
  const text = renderLabels(labels);
  if (family.type !== fresh.type || family.series.has(text)) throw new Error(`Metric ${name}{${text}} exists already`);
  family.series.set(text, () => lines(text));
  families.set(name, family);
}

function renderLabels(labels: Labels): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`)
    .join(',');
}

const braces = (labels: string) => (labels === '' ? '' : `{${labels}}`);

function familyLines(name: string, family: Family): string {
  const lines = [...family.series.values()].map((series) => series()).join('');
  return `# HELP ${name} ${family.help}\n# TYPE ${name} ${family.type}\n${lines}`;
}

function histogramLines(
  name: string,
  labels: string,
  bounds: readonly number[],
  counts: Float64Array,
  sum: number,
): string {
  let below = 0;
  let lines = '';
  const rest = labels === '' ? '' : `${labels},`;
  for (let at = 0; at < counts.length; at += 1) {
    below += counts[at]!;
    lines += `${name}_bucket{${rest}le="${at < bounds.length ? bounds[at] : '+Inf'}"} ${below}\n`;
  }
  return `${lines}${name}_sum${braces(labels)} ${sum}\n${name}_count${braces(labels)} ${below}\n`;
}
