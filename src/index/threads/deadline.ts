import type { PromptDeadline } from '../query/functions.ts';

/** Why a query was stopped. */
export type Interruption =
  /** It has used up its processor time. */
  | 'outOfTime'
  /** Others wait, and it has had its share. */
  | 'yielded'
  /** Its client has disconnected, or it has waited too long: nobody needs its result. */
  | 'cancelled';

/** Thrown to stop a query from inside. */
export class Interrupted extends Error {
  readonly interruption: Interruption;

  constructor(interruption: Interruption) {
    super(interruption);
    this.interruption = interruption;
  }
}

/** Signals of the main thread to a query thread that is running a query: numbers, 0 or 1, in shared memory. */
export type Signals = Int32Array<SharedArrayBuffer>;

/** Position of the signal whether queries wait behind the one that runs; those of the slots follow. */
const othersWait = 0;

/** Shared memory with one deadline for each query slot. */
export function createSignals(slots: number): Signals {
  return new Int32Array(new SharedArrayBuffer(4 * (slots + 1)));
}

/** Signals whether queries wait. */
export function signalOthersWait(signals: Signals, value: boolean): void {
  Atomics.store(signals, othersWait, value ? 1 : 0);
}

/** Signals that the query of a slot is cancelled; reset when the slot gets another one. */
export function signalCancelled(signals: Signals, slot: number, value: boolean): void {
  Atomics.store(signals, slot + 1, value ? 1 : 0);
}

/** Processor time of this thread in ms. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

export interface TimeLimits {
  /** Processor time that a query may use. */
  readonly usedMs: number;
  /** Processor time after which a short query yields if others wait. */
  readonly shareMs: number;
}

/**
 * Stops a query from inside, since SQLite cannot be interrupted from outside here. Called for every row that is read.
 * Only processor time counts, so that a query on a busy machine has as much as on any other.
 */
export class QueryDeadline implements PromptDeadline {
  readonly #limits: TimeLimits;
  readonly #signals: Signals;
  #calls = 0;
  #slot = 0;
  #shareMs = 0;
  /** Processor time of the thread when the query began. */
  #begunMs = 0;
  /** The part spent on structures that many searches share. */
  #builtMs = 0;
  /** The next times at which the processor time has to be read: it is at most the time that passes. */
  #shareEndsAt = 0;
  #timeEndsAt = 0;
  #checkedAt = 0;

  constructor(limits: TimeLimits, signals: Signals) {
    this.#limits = limits;
    this.#signals = signals;
  }

  /** Starts the time of the query of a slot. A long one does not yield. */
  begin(slot: number, isLong: boolean): void {
    this.#slot = slot;
    this.#shareMs = isLong ? Number.POSITIVE_INFINITY : this.#limits.shareMs;
    this.#calls = 0;
    this.#builtMs = 0;
    this.#begunMs = cpuMs();
    this.#checkedAt = performance.now();
    this.#shareEndsAt = this.#checkedAt + this.#shareMs;
    this.#timeEndsAt = this.#checkedAt + this.#limits.usedMs;
  }

  check(): void {
    this.#calls += 1;
    // The clock costs more than the call: every 32nd row is often enough.
    if ((this.#calls & 31) === 0) this.checkNow();
  }

  checkNow(): void {
    if (Atomics.load(this.#signals, this.#slot + 1) !== 0) throw new Interrupted('cancelled');
    const now = performance.now();
    this.#checkedAt = now;
    if (now > this.#shareEndsAt && Atomics.load(this.#signals, othersWait) !== 0) {
      const usedMs = cpuMs() - this.#begunMs;
      if (usedMs >= this.#shareMs) throw new Interrupted('yielded');
      this.#shareEndsAt = now + this.#shareMs - usedMs;
    }
    if (now > this.#timeEndsAt) {
      const usedMs = cpuMs() - this.#begunMs - this.#builtMs;
      if (usedMs >= this.#limits.usedMs) throw new Interrupted('outOfTime');
      this.#timeEndsAt = now + this.#limits.usedMs - usedMs;
    }
  }

  /** Like `checkNow`, between portions of what is built for many searches: that is not time of this one. */
  checkBuild(): void {
    this.#builtMs += performance.now() - this.#checkedAt;
    this.checkNow();
  }
}
