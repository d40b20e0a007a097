import type { PromptDeadline } from '../query/functions.ts';

/** Why a query was stopped. */
export type Interruption =
  /** It has used up its processor time. */
  | 'outOfTime'
  /** It has got too little of the processor, or the disk kept it waiting. */
  | 'stalled'
  /** Others wait, and it has had more than its share. */
  | 'yielded'
  /** It needs what is built for many searches: that goes on without it. */
  | 'building'
  /** Its client has disconnected. */
  | 'cancelled';

/** Thrown to stop a query from inside. */
export class Interrupted extends Error {
  readonly interruption: Interruption;

  constructor(interruption: Interruption) {
    super(interruption);
    this.interruption = interruption;
  }
}

export interface TimeLimits {
  /** Processor time that a query may use. */
  readonly usedMs: number;
  /** Time after which it has stalled, even if it has used less processor time. */
  readonly elapsedMs: number;
  /** Processor time after which it yields if others wait. */
  readonly shareMs: number;
  /** Processor time after which it leaves to the thread what it builds, if others wait. */
  readonly buildMs: number;
}

/** Signals of the main thread to a query thread that is running a query: numbers, 0 or 1, in shared memory. */
export type Signals = Int32Array<SharedArrayBuffer>;

/** Position of the signal whether queries wait behind the one that runs; those of the slots follow. */
const othersWait = 0;

/** Shared memory for the queries in so many slots. */
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

export interface QueryDeadline extends PromptDeadline {
  /** From now on has these limits, and obeys these signals. */
  serve(limits: TimeLimits, signals: Signals): void;
  /** Starts the time of the query of a slot. */
  begin(slot: number): void;
  /** Like `checkNow`, between portions of what is built for many searches: it is not this one that takes too long. */
  checkBuild(): void;
}

/**
 * A query that spent so much of its time on what is built for many searches has not had it for itself: it goes on when that is done.
 */
const builtShare = 1 / 4;

/**
 * Stops a query from inside, since SQLite cannot be interrupted from outside here. Called for every row that is read.
 * Only processor time counts, so that a query on a busy machine has as much as on any other.
 */
export function createDeadline(ofLimits: TimeLimits, ofSignals: Signals): QueryDeadline {
  let limits = ofLimits;
  let signals = ofSignals;
  let calls = 0;
  let slot = 0;
  let begunCpuMs = 0;
  let sharedUntil = 0;
  let endsAt = 0;
  let stallsAt = 0;
  /** When it was last checked, and how long it has built since it began: time that passes. */
  let checkedAt = 0;
  let builtMs = 0;

  // Processor time is at most elapsed time, so it is read only when the elapsed time exceeds the limit.
  function checkShared(now: number): void {
    const usedMs = cpuMs() - begunCpuMs;
    if (usedMs >= limits.shareMs) throw new Interrupted('yielded');
    sharedUntil = now + limits.shareMs - usedMs;
  }

  function checkUsed(now: number): void {
    const usedMs = cpuMs() - begunCpuMs;
    if (usedMs >= limits.usedMs) {
      throw new Interrupted(builtMs >= builtShare * limits.usedMs ? 'building' : 'outOfTime');
    }
    if (now >= stallsAt) throw new Interrupted('stalled');
    endsAt = Math.min(stallsAt, now + limits.usedMs - usedMs);
  }

  return {
    serve(nextLimits, nextSignals) {
      limits = nextLimits;
      signals = nextSignals;
    },
    begin(ofSlot) {
      slot = ofSlot;
      calls = 0;
      begunCpuMs = cpuMs();
      const now = performance.now();
      sharedUntil = now + limits.shareMs;
      endsAt = now + limits.usedMs;
      stallsAt = now + limits.elapsedMs;
      checkedAt = now;
      builtMs = 0;
    },
    check() {
      calls += 1;
      // The clock costs more than the call: every 32nd row is often enough.
      if ((calls & 31) === 0) this.checkNow();
    },
    checkNow() {
      if (Atomics.load(signals, slot + 1) !== 0) throw new Interrupted('cancelled');
      const now = performance.now();
      checkedAt = now;
      if (now > sharedUntil && Atomics.load(signals, othersWait) !== 0) checkShared(now);
      if (now > endsAt) checkUsed(now);
    },
    checkBuild() {
      builtMs += performance.now() - checkedAt;
      try {
        this.checkNow();
      } catch (error) {
        const isEnough = error instanceof Interrupted && ['yielded', 'outOfTime'].includes(error.interruption);
        throw isEnough ? new Interrupted('building') : error;
      }
      if (Atomics.load(signals, othersWait) === 0) return;
      if (cpuMs() - begunCpuMs >= limits.buildMs) throw new Interrupted('building');
    },
  };
}
