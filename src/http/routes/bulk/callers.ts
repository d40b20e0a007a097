/** Notices whether others call while imports run: what imports may take of the machine depends on it. */
export interface Callers {
  /** The percentage of the time that imports may work, in shared memory: threads look at it without a message. */
  readonly share: Int32Array<SharedArrayBuffer>;
  /** To be called when the request of an import has begun. */
  add(): void;
  /** To be called when that import has ended. */
  remove(): void;
}

/** The percentages of the time that imports may work while others call. */
export interface Shares {
  /** While they call seldom, as a page that somebody watches does. */
  readonly besideFew: number;
  readonly besideOthers: number;
}

export interface CallersOptions extends Shares {
  /** How many requests have begun, those of imports included. */
  readonly requests: () => number;
  /** Called with each look. */
  readonly onLook?: () => void;
}

const lookMs = 50;

/** Whoever has called is taken to call again for so many looks, a second: it may wait for the response before its next request. */
const recentLooks = 20;

/** Others call seldom where they make fewer requests in a second. */
const fewRequests = 20;

/** Looks while imports run, and costs nothing else. */
export function createCallers({ requests, besideFew, besideOthers, onLook }: CallersOptions): Callers {
  const share = new Int32Array(new SharedArrayBuffer(4)).fill(100);
  let imports = 0;
  let looking: NodeJS.Timeout | undefined;
  /** Requests of others between the last looks. */
  let recent: readonly number[] = [];
  /** Requests up to the last look, and imports among those since. */
  let seen = 0;
  let own = 0;

  function look(): void {
    const begun = requests();
    recent = [...recent, Math.max(0, begun - seen - own)].slice(-recentLooks);
    [seen, own] = [begun, 0];
    const ofOthers = recent.reduce((sum, count) => sum + count, 0);
    Atomics.store(share, 0, ofOthers === 0 ? 100 : ofOthers < fewRequests ? besideFew : besideOthers);
    onLook?.();
  }

  return {
    share,
    add() {
      if (imports === 0) {
        // Who called while other imports ran, however long ago, may have stopped.
        recent = [];
        Atomics.store(share, 0, 100);
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
