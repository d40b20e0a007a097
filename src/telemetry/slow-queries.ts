import { type QueryRun, takeRun } from './query-runs.ts';

/** A query of a client that took long. */
export interface SlowQuery {
  /** ISO 8601: when it ended. */
  readonly at: string;
  readonly projectKey: string;
  readonly operation: string;
  /** The parameters as they were sent, each a list of texts, cut where they are long. Predicates may hold data. */
  readonly parameters: Readonly<Record<string, readonly string[]>>;
  readonly clientId: string | undefined;
  readonly correlationId: string;
  /** From when it was handed to the store until its result, in ms. */
  readonly totalMs: number;
  /** What the store knows of the run; absent where it was quick, failed or unknown. */
  readonly run: QueryRun | undefined;
  /** The code of the error that it ended with. */
  readonly error?: string | undefined;
}

/** The last slow queries of a process. */
export interface SlowQueries {
  /** Runs a query, and remembers it if it was slow. `describe` is called only then. */
  watch<T>(query: object, describe: () => DescribedQuery, run: () => Promise<T>): Promise<T>;
  /** Newest first. */
  list(): readonly SlowQuery[];
}

export type DescribedQuery = Pick<SlowQuery, 'projectKey' | 'operation' | 'parameters' | 'clientId' | 'correlationId'>;

/** Further ones replace the oldest. With `maxParameterChars` they take less than 1 MB. */
export const maxSlowQueries = 100;

/** Of all parameters of a query. */
const maxParameterChars = 4000;

interface SlowQueriesDeps {
  /** Queries that take at least so long are slow. 0: none is. */
  readonly thresholdMs: number;
  readonly nowMs: () => number;
}

/** Remembers slow queries. */
export function createSlowQueries({ thresholdMs, nowMs }: SlowQueriesDeps): SlowQueries {
  const kept: SlowQuery[] = [];

  function remember(query: object, describe: () => DescribedQuery, totalMs: number, error?: unknown): void {
    const run = takeRun(query);
    const described = describe();
    const code = (error as { code?: unknown } | undefined)?.code;
    kept.unshift({
      at: new Date(nowMs()).toISOString(),
      ...described,
      parameters: shortened(described.parameters),
      totalMs: rounded(totalMs),
      run: run && { ...run, totalMs: rounded(run.totalMs), ranMs: rounded(run.ranMs) },
      ...(error !== undefined && { error: typeof code === 'string' ? code : 'General' }),
    });
    if (kept.length > maxSlowQueries) kept.pop();
  }

  return {
    async watch(query, describe, run) {
      if (thresholdMs === 0) return run();
      const begunMs = performance.now();
      const tookMs = () => performance.now() - begunMs;
      try {
        const result = await run();
        if (tookMs() >= thresholdMs) remember(query, describe, tookMs());
        return result;
      } catch (error) {
        if (tookMs() >= thresholdMs) remember(query, describe, tookMs(), error);
        throw error;
      }
    },
    list: () => kept,
  };
}

const rounded = (ms: number) => Math.round(ms * 10) / 10;

/** The parameters, as far as they fit. */
function shortened(parameters: SlowQuery['parameters']): SlowQuery['parameters'] {
  let left = maxParameterChars;
  const fitting = (text: string) => {
    const part = text.length > left ? `${text.slice(0, left)}…` : text;
    left = Math.max(0, left - text.length);
    return part;
  };
  return Object.fromEntries(Object.entries(parameters).map(([name, texts]) => [name, texts.map(fitting)]));
}
