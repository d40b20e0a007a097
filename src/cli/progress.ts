/** The progress of a long task. `share` is undefined if the total is unknown. */
interface ProgressState {
  readonly records: number;
  readonly elapsedMs: number;
  /** 0–1 */
  readonly share: number | undefined;
}

const barWidth = 24;

function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (value: number) => String(value).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** One line: what is done, how fast, and the estimated time left. */
export function progressText({ records, elapsedMs, share }: ProgressState, withBar: boolean): string {
  const rate = elapsedMs > 0 ? Math.round((records * 1000) / elapsedMs) : 0;
  const done = `${records.toLocaleString('en')} records, ${rate.toLocaleString('en')}/s`;
  if (share === undefined) return done;
  const known = Math.min(1, Math.max(0, share));
  const filled = Math.round(known * barWidth);
  const bar = withBar ? `[${'='.repeat(filled)}${' '.repeat(barWidth - filled)}] ` : '';
  const left = known > 0 ? `, ${duration((elapsedMs * (1 - known)) / known)} left` : '';
  return `${bar}${Math.floor(known * 100)} %  ${done}${left}`;
}

export type Progress = ReturnType<typeof createProgress>;

/** Time between two updates: on a terminal they overwrite one line, elsewhere each is a line of its own. */
const terminalMs = 100;
const plainMs = 5000;

/** Shows progress: a bar on a terminal, else a line every few seconds. */
export function createProgress(
  label: string,
  stream: { readonly isTTY?: boolean; write(text: string): unknown } = process.stderr,
  nowMs = Date.now,
) {
  const begunMs = nowMs();
  const onTerminal = stream.isTTY === true;
  let shownMs = begunMs;
  let hasLine = false;
  return {
    update(records: number, share: number | undefined): void {
      const now = nowMs();
      if (now - shownMs < (onTerminal ? terminalMs : plainMs)) return;
      shownMs = now;
      const text = `${label}: ${progressText({ records, elapsedMs: now - begunMs, share }, onTerminal)}`;
      stream.write(onTerminal ? `\r\x1b[K${text}` : `${text}\n`);
      hasLine = onTerminal;
    },
    /** Removes the line that is overwritten, so that something else can be written. The next update writes it again. */
    clear(): void {
      if (hasLine) stream.write('\r\x1b[K');
      hasLine = false;
    },
    /** Ends the line that is overwritten. */
    end(): void {
      if (hasLine) stream.write('\n');
      hasLine = false;
    },
  };
}
