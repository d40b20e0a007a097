/**
 * Logs JSON lines. A level that is off costs nothing; check `enabled` before gathering costly fields. A reader that stops
 * reading must not stop the service: beyond a limit of unwritten bytes, lines are dropped and counted.
 */
const levels = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60, silent: 99 } as const;

type LogLevel = keyof typeof levels;
type WrittenLevel = Exclude<LogLevel, 'silent'>;

type LogFields = Readonly<Record<string, unknown>>;

export interface Log {
  /** True if lines of the level are written. */
  enabled(level: WrittenLevel): boolean;
  /** Writes one line: `event` says what happened, `fields` the facts. */
  write(level: WrittenLevel, event: string, fields?: LogFields): void;
  /** Lines lost since the start, because the reader did not keep up. */
  dropped(): number;
}

/** What a log writes to; process.stdout is one. */
interface LogStream {
  readonly writableLength: number;
  write(line: string): unknown;
}

/** Unwritten bytes beyond which lines are dropped. */
export const maxUnwrittenBytes = 1_048_576;

/** Fields whose values are never logged, at any depth. */
const secretNames = new Set([
  'authorization',
  'cookie',
  'password',
  'secret',
  'clientsecret',
  'client_secret',
  'accesstoken',
  'access_token',
  'token',
  'databaseurl',
  'privatejwk',
]);

interface LogDeps {
  /** The name of a level. */
  readonly level: string;
  readonly stream: LogStream;
  /** The time of a line. */
  readonly nowMs: () => number;
  /** Fields of every line, such as the process that wrote it. */
  readonly fields?: LogFields;
}

/** A log on a stream. */
export function createLog(deps: LogDeps): Log {
  const least = levels[deps.level as LogLevel] ?? levels.info;
  let dropped = 0;
  return {
    enabled: (level) => levels[level] >= least,
    write(level, event, fields = {}) {
      if (levels[level] < least) return;
      if (deps.stream.writableLength > maxUnwrittenBytes) dropped += 1;
      else deps.stream.write(line(deps.nowMs(), level, event, { ...deps.fields, ...fields }));
    },
    dropped: () => dropped,
  };
}

const repeatMs = 600_000;
const maxRemembered = 1000;

/**
 * A log for work that is tried again and again. Of lines that differ only in their time, or in the stack of an error, it
 * writes one in ten minutes: an outage of an hour is six lines rather than thousands.
 */
export function withoutRepeats(log: Log, nowMs = () => performance.now()): Log {
  /** When each line was last written. */
  const written = new Map<string, number>();
  return {
    ...log,
    write(level, event, fields = {}) {
      const plain = (_name: string, value: unknown) => (value instanceof Error ? value.message : value);
      const key = JSON.stringify([level, event, fields], plain);
      if (nowMs() - (written.get(key) ?? Number.NEGATIVE_INFINITY) < repeatMs) return;
      if (written.size >= maxRemembered) written.clear();
      written.set(key, nowMs());
      log.write(level, event, fields);
    },
  };
}

/** A log that writes nothing. */
export const noLog: Log = { enabled: () => false, write() {}, dropped: () => 0 };

function line(nowMs: number, level: WrittenLevel, event: string, fields: LogFields): string {
  const head = { time: new Date(nowMs).toISOString(), level, event };
  try {
    return `${JSON.stringify({ ...head, ...fields }, loggable)}\n`;
  } catch {
    // A circular value or one that cannot be written: log the event all the same.
    return `${JSON.stringify({ ...head, unloggable: true })}\n`;
  }
}

function loggable(name: string, value: unknown): unknown {
  if (secretNames.has(name.toLowerCase())) return '[redacted]';
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Error) {
    const { name: kind, message, stack, cause } = value;
    return { name: kind, message, stack, ...(cause === undefined ? {} : { cause }) };
  }
  return value;
}
