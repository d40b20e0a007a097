/** Limits concurrent work by number and by size. */
interface ConcurrencyLimit {
  /** Starts the work when there is room, and resolves then. Rejects with the error of earlier work, if one failed. */
  run(size: number, work: () => Promise<void>): Promise<void>;
  /** Resolves when all work is done; rejects with the first error. */
  drain(): Promise<void>;
}

interface Limits {
  readonly maxCount: number;
  /** Work larger than this runs alone. */
  readonly maxSize: number;
}

/** A limit for one caller that waits for each `run`. After an error no more work starts. */
export function createConcurrencyLimit({ maxCount, maxSize }: Limits): ConcurrencyLimit {
  let count = 0;
  let total = 0;
  let failure: { readonly error: unknown } | undefined;
  let wake = () => {};

  async function until(hasRoom: () => boolean): Promise<void> {
    while (!hasRoom()) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    if (failure) throw failure.error;
  }

  async function finish(size: number, work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      failure ??= { error };
    }
    count -= 1;
    total -= size;
    wake();
  }

  return {
    async run(size, work) {
      await until(() => failure !== undefined || count === 0 || (count < maxCount && total + size <= maxSize));
      count += 1;
      total += size;
      void finish(size, work());
    },
    drain: () => until(() => count === 0),
  };
}
