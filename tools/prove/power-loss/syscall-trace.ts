import { dirname } from 'node:path';

/** What a process did to files, as strace saw it. `start` and `end` are positions in the trace. */
export type TraceEvent = { readonly start: number; readonly end: number } & (
  | { readonly kind: 'write'; readonly path: string; readonly offset: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly path: string; readonly size: number }
  | { readonly kind: 'sync' | 'unlink'; readonly path: string }
  /** A call whose effect on this file is not known here. The files of a store see no such call. */
  | { readonly kind: 'unknown'; readonly path: string; readonly call: string }
  /** Sent to a client or to standard output. */
  | { readonly kind: 'print'; readonly text: string }
);

/** The calls that must be traced, and how they must be printed: all texts as hexadecimal, with paths. */
export const straceOptions = [
  ...['-f', '-y', '-xx', '-s', '100000', '-e'],
  'trace=pwrite64,pwritev,fsync,fdatasync,ftruncate,rename,renameat,renameat2,unlink,unlinkat,write,writev,openat',
] as const;

const decode = (hexadecimal: string) => Buffer.from(hexadecimal.replaceAll('\\x', ''), 'hex');
const text = (hexadecimal: string) => decode(hexadecimal).toString();

interface Call {
  readonly line: string;
  readonly start: number;
}

type Effect = TraceEvent extends infer E ? (E extends TraceEvent ? Omit<E, 'start' | 'end'> : never) : never;

/** The effect of a finished call; undefined for one that failed or that does nothing to a file. */
function effectOf(line: string): Effect | undefined {
  const file = String.raw`\d+<([\\x0-9a-f]*)>`;
  const match = (form: string) => new RegExp(`^${form}`).exec(line);
  if (!/\) += \d/.test(line)) return undefined;
  const write = match(String.raw`pwrite64\(${file}, "([\\x0-9a-f]*)", \d+, (\d+)\)`);
  if (write) return { kind: 'write', path: text(write[1]!), bytes: decode(write[2]!), offset: Number(write[3]) };
  const sync = match(String.raw`(?:fsync|fdatasync)\(${file}\)`);
  if (sync) return { kind: 'sync', path: text(sync[1]!) };
  const truncate = match(String.raw`ftruncate\(${file}, (\d+)\)`);
  if (truncate) return { kind: 'truncate', path: text(truncate[1]!), size: Number(truncate[2]) };
  const unlink = match(String.raw`unlink(?:at\(.*?, |\()"([\\x0-9a-f]*)"`);
  if (unlink) return { kind: 'unlink', path: text(unlink[1]!) };
  const created = match(String.raw`openat\(.*?, "([\\x0-9a-f]*)", [A-Z_|]*O_TRUNC`);
  if (created) return { kind: 'truncate', path: text(created[1]!), size: 0 };
  const call = line.slice(0, line.indexOf('('));
  const written = match(String.raw`(?:writev?|pwritev|pwrite64)\(\d+<([\\x0-9a-f]*)>`);
  if (call.startsWith('rename')) return { kind: 'unknown', path: quotedIn(line).at(-1) ?? '', call };
  if (written) return sentOrUnknown(text(written[1]!), line, call);
  return undefined;
}

const quotedIn = (line: string) => [...line.matchAll(/"([\\x0-9a-f]*)"/g)].map(([, quoted]) => text(quoted!));

/** What is written to a socket or a pipe is sent to somebody; a file is written at its position, which is not traced. */
function sentOrUnknown(path: string, line: string, call: string): Effect | undefined {
  if (path.startsWith('/') && !path.startsWith('/dev/')) return { kind: 'unknown', path, call };
  return /^(socket|pipe|TCP)/.test(path) ? { kind: 'print', text: quotedIn(line).join('') } : undefined;
}

/** Reads a trace of several threads: a call that others interrupt stands on two lines. */
export function parseTrace(trace: string): readonly TraceEvent[] {
  const running = new Map<string, Call>();
  return trace.split('\n').flatMap((row, at) => {
    const [, thread = '', line = ''] = /^(\d+) +(.*)$/.exec(row) ?? [];
    const [, begun] = /^(.*?) *<unfinished \.\.\.>$/.exec(line) ?? [];
    if (begun !== undefined) {
      running.set(thread, { line: begun, start: at });
      return [];
    }
    const [, rest] = /^<\.\.\. \w+ resumed>(.*)$/.exec(line) ?? [];
    const before = rest === undefined ? undefined : running.get(thread);
    const effect = effectOf(before ? `${before.line}${rest}` : line);
    return effect ? { ...effect, start: before?.start ?? at, end: at } : [];
  });
}

/** The folder of a path, as a sync of a directory names it. */
export const folderOf = dirname;
