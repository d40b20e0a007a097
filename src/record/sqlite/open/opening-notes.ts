/** A step of the opening is named again whenever so much time has passed. */
const repeatMs = 10_000;

/** What the writer thread says while it opens the database. It cannot say anything within a statement that takes long. */
export interface OpeningNotes {
  readonly note: (text: string) => void;
  /** The opening is over: what is noted from now on is passed on once. */
  opened(): void;
}

/** Passes the notes on, and repeats the last one while none comes, with how long that is. */
export function createOpeningNotes(note: (text: string) => void): OpeningNotes {
  let isOpening = true;
  let last: { readonly text: string; readonly sinceMs: number } | undefined;
  const timer = setInterval(() => {
    if (last) note(`${last.text}: for ${Math.round((performance.now() - last.sinceMs) / 1000)} s so far`);
  }, repeatMs);
  return {
    note(text) {
      if (isOpening) {
        last = { text, sinceMs: performance.now() };
        timer.refresh();
      }
      note(text);
    },
    opened() {
      isOpening = false;
      clearInterval(timer);
    },
  };
}
