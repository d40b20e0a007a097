import type { Random } from '../random.ts';
import { folderOf, type TraceEvent } from './syscall-trace.ts';

/** What an un-synced write may become when the power goes: all kept, none, some, or some in any order. */
const losses = ['none kept', 'all kept', 'some kept', 'some kept in any order'] as const;
const sectorBytes = 512;

type Mutation = Extract<TraceEvent, { readonly kind: 'write' | 'truncate' }>;
type OnFile = Extract<TraceEvent, { readonly path: string }>;

/** Applies writes to a file in memory; it grows with zeros, as a file does. */
function apply(mutations: readonly Mutation[]): Buffer {
  const endOf = (mutation: Mutation) =>
    mutation.kind === 'truncate' ? mutation.size : mutation.offset + mutation.bytes.length;
  const content = Buffer.alloc(Math.max(...mutations.map(endOf)));
  let size = 0;
  for (const mutation of mutations) {
    if (mutation.kind === 'write') {
      mutation.bytes.copy(content, mutation.offset);
      size = Math.max(size, endOf(mutation));
    } else {
      content.fill(0, mutation.size);
      size = mutation.size;
    }
  }
  return content.subarray(0, size);
}

/** A write of which only some sectors reached the disk. */
function tear(mutation: Mutation, random: Random): readonly Mutation[] {
  if (mutation.kind === 'truncate') return [mutation];
  const parts: Mutation[] = [];
  for (let at = 0; at < mutation.bytes.length; ) {
    const next = Math.min(mutation.bytes.length, at + sectorBytes - ((mutation.offset + at) % sectorBytes));
    const part = { ...mutation, offset: mutation.offset + at, bytes: mutation.bytes.subarray(at, next) };
    if (random.next() < 0.5) parts.push(part);
    at = next;
  }
  return parts;
}

function survivors(pending: readonly Mutation[], random: Random): readonly Mutation[] {
  const loss = random.pick(losses);
  if (loss === 'none kept') return [];
  if (loss === 'all kept') return pending;
  const some = pending.flatMap((mutation) => {
    if (random.next() < 0.5) return [];
    return random.next() < 0.3 ? tear(mutation, random) : [mutation];
  });
  return loss === 'some kept' ? some : random.shuffled(some);
}

/** The last life of a file before the point: what came after it was unlinked, if that was, or may have been, kept. */
function lastLife(events: readonly OnFile[], syncs: readonly TraceEvent[], random: Random): readonly OnFile[] {
  const unlinked = events.findLastIndex(({ kind }) => kind === 'unlink');
  if (unlinked < 0) return events;
  const later = events.slice(unlinked + 1);
  const { path, end } = events[unlinked]!;
  const isKept = syncs.some((sync) => sync.kind === 'sync' && sync.path === folderOf(path) && sync.start > end);
  if (later.length > 0 || isKept || random.next() < 0.5) return later;
  return events.slice(0, unlinked);
}

/**
 * The content that a file may have after the power went at a point of the trace; undefined where there is no file.
 * What a finished sync covers is there; the rest, and what was just being written, may be.
 */
function contentAt(
  events: readonly OnFile[],
  point: number,
  syncs: readonly TraceEvent[],
  random: Random,
): Buffer | undefined {
  const life = lastLife(events, syncs, random);
  const mutations = life.filter((event): event is Mutation => event.kind === 'write' || event.kind === 'truncate');
  if (mutations.length === 0) return undefined;
  const synced = Math.max(-1, ...life.flatMap(({ kind, start, end }) => (kind === 'sync' && end < point ? start : [])));
  const durable = mutations.filter(({ end }) => end < synced);
  const pending = mutations.filter(({ end }) => end >= synced);
  const kept = survivors(pending, random);
  return durable.length + kept.length === 0 ? undefined : apply([...durable, ...kept]);
}

/** The files that may be found after the power went at a point of the trace. */
export function crashImage(
  events: readonly TraceEvent[],
  point: number,
  isPart: (path: string) => boolean,
  random: Random,
): ReadonlyMap<string, Buffer> {
  const before = events.filter(({ start }) => start < point);
  const onFiles = before.filter((event): event is OnFile => event.kind !== 'print' && isPart(event.path));
  const unknown = onFiles.find(({ kind }) => kind === 'unknown');
  if (unknown) throw new Error(`what this call does to ${unknown.path} is not known: ${JSON.stringify(unknown)}`);
  const image = new Map<string, Buffer>();
  const syncs = before.filter(({ kind, end }) => kind === 'sync' && end < point);
  for (const [path, those] of Map.groupBy(onFiles, ({ path }) => path)) {
    const content = contentAt(those, point, syncs, random);
    if (content) image.set(path, content);
  }
  return image;
}
