/**
 * Does something now and again after each pause, while the page can be seen; and at once when it can be seen again.
 * The signal is aborted by the returned function, which ends it.
 */
export function whileVisible(pauseMs: number, task: (signal: AbortSignal) => Promise<void>): () => void {
  const ended = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isRunning = false;

  async function run(): Promise<void> {
    clearTimeout(timer);
    if (isRunning || document.hidden) return;
    isRunning = true;
    try {
      await task(ended.signal);
    } finally {
      isRunning = false;
      if (!ended.signal.aborted) timer = setTimeout(run, pauseMs);
    }
  }

  const whenShown = () => void run();
  document.addEventListener('visibilitychange', whenShown);
  void run();
  return () => {
    ended.abort();
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', whenShown);
  };
}
