import type { ActorNames } from '../../../domain/history/actor-names.ts';
import { encodePosition, type Position } from '../../../domain/history/cursor.ts';
import { eventText } from '../../../domain/history/event.ts';
import type { FeedItem } from '../../../domain/history/feed.ts';
import type { Eventually } from '../../../domain/ports/eventually.ts';
import { acceptWeight } from '../headers.ts';

/** How a stream of events is written. Each text is whole in itself. */
export interface StreamFormat {
  readonly contentType: string;
  /** The first text. */
  readonly begin: (position: Position) => string;
  /** An event; encoded once for all streams that send it at about the same time. */
  readonly event: (item: FeedItem) => Eventually<Uint8Array | string>;
  /** Where nothing is to be sent. `position` is absent if it is that of the last event. */
  readonly heartbeat: (position: Position | undefined) => string;
}

/** The event with the name of the client that made the change. */
export async function withName(item: FeedItem, names: ActorNames): Promise<FeedItem> {
  return { ...item, event: { ...item.event, actor: await names.named(item.event.actor) } };
}

/** An event as JSON text. */
export function itemText({ position, event, data }: FeedItem): string {
  return eventText(encodePosition(position), event, data);
}

/** The format for a reader who may see clients. Few do, so that no streams share what is encoded. */
export function namingActors(format: StreamFormat, names: ActorNames): StreamFormat {
  return { ...format, event: async (item) => format.event(await withName(item, names)) };
}

/** Makes the text of an event, and keeps its bytes for the other streams of this format that send it. */
function sharing(textOf: (item: FeedItem) => string): StreamFormat['event'] {
  const encoded = new WeakMap<FeedItem, Uint8Array>();
  return (item) => {
    const known = encoded.get(item);
    if (known) return known;
    const bytes = Buffer.from(textOf(item));
    encoded.set(item, bytes);
    return bytes;
  };
}

/**
 * `text/event-stream` (HTML Standard §9.2). Events have no `event` field, so that `onmessage` gets all of them. An `id`
 * without data moves where a client goes on, in clients that follow the standard, and dispatches nothing.
 */
export const serverSentEvents: StreamFormat = {
  contentType: 'text/event-stream; charset=utf-8',
  // Clients that lose their server together come back over two seconds.
  begin: (position) => `retry: ${1000 + Math.floor(Math.random() * 2000)}\nid: ${encodePosition(position)}\n\n`,
  event: sharing((item) => `id: ${encodePosition(item.position)}\ndata: ${itemText(item)}\n\n`),
  heartbeat: (position) => (position === undefined ? ':\n\n' : `id: ${encodePosition(position)}\n\n`),
};

/** A JSON text per line. A heartbeat is `{"type":"heartbeat","id":…}`: its id is a position, like that of an event. */
export const jsonLines: StreamFormat = {
  contentType: 'application/x-ndjson; charset=utf-8',
  begin: heartbeatLine,
  event: sharing((item) => `${itemText(item)}\n`),
  heartbeat: (position) => (position === undefined ? '\n' : heartbeatLine(position)),
};

function heartbeatLine(position: Position): string {
  return `{"type":"heartbeat","id":"${encodePosition(position)}"}\n`;
}

/** The format that a client asks for; undefined for a page. */
export function formatFor(accept: string | undefined): StreamFormat | undefined {
  let best: StreamFormat | undefined;
  let weight = Math.max(acceptWeight(accept, 'application/json'), 1e-9);
  for (const format of [serverSentEvents, jsonLines]) {
    const its = acceptWeight(accept, format.contentType.split(';', 1)[0]!);
    if (its <= weight) continue;
    best = format;
    weight = its;
  }
  return best;
}
