/** Notices whether others call while imports run: these give way then (domain/bulk/pace.ts). */
export interface Callers {
  /** 1 while others call, else 0, in shared memory: threads look at it without a message. */
  readonly calls: Int32Array<SharedArrayBuffer>;
  /** To be called when the request of an import has begun. */
  add(): void;
  /** To be called when that import has ended. */
  remove(): void;
}

export interface CallersOptions {
  /** How many requests have begun, those of imports included. */
  readonly requests: () => number;
  /** Called with each look. */
  readonly onLook?: () => void;
}

const lookMs = 50;

/** Whoever has called is taken to call again for so long: it may wait for the response before its next request. */
const recentLooks = 20;

/** Looks while imports run, and costs nothing else. */
export function createCallers({ requests, onLook }: CallersOptions): Callers {
  const calls = new Int32Array(new SharedArrayBuffer(4));
  let imports = 0;
  let looking: NodeJS.Timeout | undefined;
  /** Looks for which others are taken to call still. */
  let looksLeft = 0;
  /** Requests up to the last look, and imports among those since. */
  let seen = 0;
  let own = 0;

  function look(): void {
    const begun = requests();
    looksLeft = begun > seen + own ? recentLooks : Math.max(0, looksLeft - 1);
    [seen, own] = [begun, 0];
    Atomics.store(calls, 0, looksLeft > 0 ? 1 : 0);
    onLook?.();
  }

  return {
    calls,
    add() {
      if (imports === 0) {
        // Who called while other imports ran, however long ago, may have stopped.
        looksLeft = 0;
        Atomics.store(calls, 0, 0);
        [seen, own] = [requests(), 0];
        looking = setInterval(look, lookMs);
      } else own += 1;
      imports += 1;
    },
    remove() {
      imports -= 1;
      if (imports === 0) clearInterval(looking);
    },
  };
}
