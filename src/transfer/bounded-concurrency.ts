/** Bounds what is under way at once, by number and by size. */
interface Window {
  /** Begins the work when there is room, and resolves then. Rejects with what an earlier one was rejected with. */
  run(size: number, work: () => Promise<void>): Promise<void>;
  /** Resolves when nothing is under way; rejects with what the first failed one was rejected with. */
  drain(): Promise<void>;
}

interface WindowBounds {
  readonly most: number;
  /** One work larger than this runs alone. */
  readonly largest: number;
}

/** Opens a window for one caller that waits for each `run`. After a failure nothing more begins. */
export function createWindow({ most, largest }: WindowBounds): Window {
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
      await until(() => failure !== undefined || count === 0 || (count < most && total + size <= largest));
      count += 1;
      total += size;
      void finish(size, work());
    },
    drain: () => until(() => count === 0),
  };
}
