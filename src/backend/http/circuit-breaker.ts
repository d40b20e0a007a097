import { ServiceError } from '../../contract/errors.ts';

export interface CircuitBreakerOptions {
  /** Failures in a row that open the circuit. */
  readonly failuresToOpen: number;
  /** Time until one call tries again. */
  readonly openMs: number;
  /** Concurrent calls; more are refused, so that a slow backend does not use up the service. */
  readonly maxConcurrent: number;
  readonly nowMs: () => number;
  /** Called with each new state. */
  readonly onChange: (state: CircuitState) => void;
}

export type CircuitState = 'closed' | 'open' | 'halfOpen';

export type CircuitBreaker = ReturnType<typeof createCircuitBreaker>;

/** Refuses calls to a backend that does not respond. It is closed at first. */
export function createCircuitBreaker({
  failuresToOpen,
  openMs,
  maxConcurrent,
  nowMs,
  onChange,
}: CircuitBreakerOptions) {
  let state: CircuitState = 'closed';
  let failures = 0;
  let running = 0;
  let openUntilMs = 0;

  function change(next: CircuitState): void {
    if (next === state) return;
    state = next;
    onChange(next);
  }

  /** Begins a call; `leave` must follow. Throws 503 `OverCapacity` with Retry-After where a call is refused. */
  function enter(): void {
    if (running >= maxConcurrent) throw refusal(`${maxConcurrent} actions of the backend are running`, 1);
    const leftMs = openUntilMs - nowMs();
    if (state === 'open' && leftMs > 0) throw refusal('The backend is not responding', Math.ceil(leftMs / 1000));
    // Half open: one call is the probe, all others are refused until it ends.
    if (state === 'halfOpen') throw refusal('The backend is being tried again', 1);
    if (state === 'open') change('halfOpen');
    running += 1;
  }

  function leave(ok: boolean): void {
    running -= 1;
    failures = ok ? 0 : failures + 1;
    if (ok) change('closed');
    else if (state === 'halfOpen' || failures >= failuresToOpen) {
      openUntilMs = nowMs() + openMs;
      change('open');
    }
  }

  return { enter, leave, state: () => state };
}

function refusal(problem: string, seconds: number): ServiceError {
  return new ServiceError('OverCapacity', `${problem}; try again later.`, {}, { 'retry-after': String(seconds) });
}
