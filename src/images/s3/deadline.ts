/** A time within which something must happen; else its signal is aborted. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** It happened: there is no deadline until it is started again. */
  stop(): void;
  /** Begins the whole time anew. */
  restart(): void;
}

/** Starts a deadline. */
export function startDeadline(timeoutMs: number): Deadline {
  const controller = new AbortController();
  const begin = () => setTimeout(() => controller.abort(new Error(`nothing came for ${timeoutMs} ms`)), timeoutMs);
  let timer = begin();
  const stop = () => clearTimeout(timer);
  const restart = () => {
    stop();
    timer = begin();
  };
  return { signal: controller.signal, stop, restart };
}
