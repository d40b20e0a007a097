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

/** The last run of the query, once: it is then forgotten. */
export function takeRun(query: object): QueryRun | undefined {
  const run = runs.get(query);
  runs.delete(query);
  return run;
}
