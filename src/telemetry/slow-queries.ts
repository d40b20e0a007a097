/** How a store ran a query that took a while, as far as it knows. */
export interface QueryRun {
  /** Where it ran: see `Engine.queues`. */
  readonly queue: string;
  /** From its arrival in the store until its result, in ms. */
  readonly totalMs: number;
  /** Of that, the time in which it ran; the remainder it waited for others, or for the indexes. */
  readonly ranMs: number;
  /** Resources that the query read one by one, where the engine counts them. */
  readonly rowsRead?: number | undefined;
  /** What the plan did, in words, a step each; empty where it is not known. */
  readonly plan: readonly string[];
}

/** Quicker runs are not noted: to keep them would cost more than they tell. */
export const notedFromMs = 5;

const runs = new WeakMap<object, QueryRun>();

/** Notes the run of a query, which is named by its object: the one that was handed to the store. */
export function noteRun(query: object, run: QueryRun): void {
  if (run.totalMs >= notedFromMs) runs.set(query, run);
}

/** The request of a query. */
interface QueryRequest {
  readonly projectKey: string;
  readonly url: string;
  /** Of the form, where the parameters are in one. */
  readonly bytes: Uint8Array;
  readonly caller?: { readonly clientId: string } | undefined;
  readonly correlationId: string;
}

export type SlowQueries = ReturnType<typeof createSlowQueries>;

/** Further ones replace the oldest. With `maxParameterChars` they take less than 1 MB. */
export const maxSlowQueries = 100;

/** Of all parameters of a query. */
const maxParameterChars = 4000;

interface SlowQueriesDeps {
  /** Queries that take at least so long are slow. */
  readonly thresholdMs: number;
  readonly nowMs: () => number;
}

/** Remembers the last slow queries of a process. */
export function createSlowQueries({ thresholdMs, nowMs }: SlowQueriesDeps) {
  const kept: ReturnType<typeof slowQuery>[] = [];

  /** A query of a client that took long. */
  function slowQuery(query: object, operation: string, request: QueryRequest, totalMs: number, error?: unknown) {
    const run = runs.get(query);
    const { projectKey, correlationId, caller } = request;
    const code = (error as { code?: unknown } | undefined)?.code;
    return {
      /** When it ended. */
      at: new Date(nowMs()).toISOString(),
      ...{ projectKey, operation, parameters: parametersOf(request), clientId: caller?.clientId, correlationId },
      /** From when it was handed to the store until its result, in ms. */
      totalMs: rounded(totalMs),
      /** Absent where it was quick, failed or unknown. */
      run: run && { ...run, totalMs: rounded(run.totalMs), ranMs: rounded(run.ranMs) },
      ...(error !== undefined && { error: typeof code === 'string' ? code : 'General' }),
    };
  }

  return {
    /** Runs a query, and remembers it if it was slow. `query`: the object that is handed to the store. */
    async watch<T>(query: object, operation: string, request: QueryRequest, run: () => Promise<T>): Promise<T> {
      const begunMs = performance.now();
      let failure: unknown;
      try {
        return await run();
      } catch (error) {
        failure = error;
        throw error;
      } finally {
        const tookMs = performance.now() - begunMs;
        if (tookMs >= thresholdMs) kept.unshift(slowQuery(query, operation, request, tookMs, failure));
        if (kept.length > maxSlowQueries) kept.pop();
      }
    },
    /** Newest first. */
    list: () => kept,
  };
}

const rounded = (ms: number) => Math.round(ms * 10) / 10;

/** Where a list is continued says nothing of the query. */
const unsaid = 'cursor';

/** The parameters as they were sent, each a list of texts, as far as they fit. Predicates may hold data. */
function parametersOf({ url, bytes }: QueryRequest): Readonly<Record<string, readonly string[]>> {
  let left = maxParameterChars;
  const fitting = (text: string) => {
    const part = text.length > left ? `${text.slice(0, left)}…` : text;
    left = Math.max(0, left - text.length);
    return part;
  };
  const mark = url.indexOf('?');
  const texts = [mark === -1 ? '' : url.slice(mark + 1), Buffer.from(bytes).toString()];
  const pairs = texts.flatMap((text) => [...new URLSearchParams(text)]).filter(([name]) => name !== unsaid);
  const byName = Map.groupBy(pairs, ([name]) => name);
  return Object.fromEntries([...byName].map(([name, each]) => [name, each.map(([, value]) => fitting(value))]));
}
