import type { Position } from '../../../domain/history/cursor.ts';
import type { Follower } from '../../../domain/history/feed.ts';
import type { StreamFormat } from './format.ts';

/** The times of streams, in ms. */
export interface StreamTimes {
  /** After so long without anything sent, a heartbeat is. */
  readonly heartbeatMs: number;
  /** A client that takes nothing for so long is disconnected. */
  readonly slowReaderMs: number;
  /** A stream ends after so long, so that its client shows its token again. */
  readonly maxAgeMs: number;
}

export const streamTimes: StreamTimes = { heartbeatMs: 15_000, slowReaderMs: 60_000, maxAgeMs: 60 * 60_000 };

export interface StreamOptions {
  readonly follow: () => Follower;
  readonly from: Position;
  readonly format: StreamFormat;
  /** Most events. */
  readonly limit: number;
  /** It ends after so long without an event. */
  readonly idleMs: number;
  readonly times: StreamTimes;
}

/** Events per read. */
const portion = 100;

/** The texts of a stream: events as they are committed, and heartbeats between them. Ends soon after an abort. */
export async function* eventStream(options: StreamOptions, signal: AbortSignal): AsyncGenerator<string | Uint8Array> {
  const { follow, from, format, limit, idleMs, times } = options;
  const endMs = performance.now() + times.maxAgeMs;
  let position = from;
  let sentPosition = from;
  let left = limit;
  let sentMs = performance.now();
  let eventMs = sentMs;
  yield format.begin(from);
  const follower = follow();
  try {
    while (!signal.aborted && left > 0) {
      const page = await follower.read(position, Math.min(portion, left), signal).catch((error) => {
        if (!signal.aborted) throw error;
      });
      if (page === undefined) return;
      const { items, next, isEnd } = page;
      for (const item of items) {
        yield format.event(item);
        sentPosition = item.position;
        left -= 1;
        if (signal.aborted) return;
      }
      position = next;
      if (items.length > 0) sentMs = eventMs = performance.now();
      if (performance.now() >= endMs) return;
      if (!isEnd || left === 0) continue;
      const nowMs = performance.now();
      if (nowMs - eventMs >= idleMs) return;
      if (nowMs - sentMs >= times.heartbeatMs) {
        yield format.heartbeat(position.sequence === sentPosition.sequence ? undefined : position);
        sentPosition = position;
        sentMs = performance.now();
      }
      const untilMs = Math.min(sentMs + times.heartbeatMs, eventMs + idleMs, endMs);
      await follower.whenMore(untilMs - performance.now(), [signal]);
    }
  } finally {
    follower.close();
  }
}
