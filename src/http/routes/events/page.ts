import { ServiceError } from '../../../contract/errors.ts';
import type { ActorNames } from '../../../domain/history/actor-names.ts';
import { encodePosition, type Position } from '../../../domain/history/cursor.ts';
import type { Feeds, Follower } from '../../../domain/history/feed.ts';
import type { ApiRequest, HttpResponse } from '../../route.ts';
import { itemText, withName } from './format.ts';
import type { EventsRequest } from './parameters.ts';

const defaultLimit = 100;
/** A page ends early once its events have about this many characters. */
const maxPageCharacters = 4_000_000;

/** A page of events. Without any it waits for the next one, if that is wanted. */
export async function eventPage(
  feeds: Feeds,
  { query, limit = defaultLimit, waitMs = 0 }: EventsRequest,
  from: Position,
  names: ActorNames | undefined,
  { signal: signalOf, draining, tokenEnded, occupy }: Pick<ApiRequest, 'signal' | 'draining' | 'tokenEnded' | 'occupy'>,
): Promise<HttpResponse> {
  const signal = signalOf();
  const texts: string[] = [];
  let [next, isEnd, characters] = [from, false, 0];
  /** From when on the page waits. */
  let follower: Follower | undefined;
  let untilMs = 0;
  try {
    while (texts.length < limit && characters < maxPageCharacters) {
      const most = limit - texts.length;
      const read = await (follower?.read(next, most, signal) ?? feeds.read(query, next, most, signal)).catch(
        (error) => {
          // The events before it are returned; the request for the next page gets the error.
          if (texts.length === 0 || !(error instanceof ServiceError)) throw error;
        },
      );
      if (!read) break;
      const items = names ? await Promise.all(read.items.map((item) => withName(item, names))) : read.items;
      for (const text of items.map(itemText)) {
        texts.push(text);
        characters += text.length;
      }
      ({ next, isEnd } = read);
      if (!isEnd) continue;
      if (texts.length > 0 || waitMs <= 0) break;
      if (!follower) {
        occupy('polls');
        untilMs = performance.now() + waitMs;
        follower = feeds.follow(query);
      }
      const restMs = untilMs - performance.now();
      if (restMs <= 0 || signal.aborted || draining.aborted) break;
      await follower.whenMore(restMs, [signal, draining, tokenEnded()]);
      tokenEnded().throwIfAborted();
    }
  } finally {
    follower?.close();
  }
  const head = `{"limit":${limit},"count":${texts.length},"results":[${texts.join(',')}]`;
  const body = `${head},"next":"${encodePosition(next)}","hasMore":${!isEnd}}`;
  const headers = { 'cache-control': 'no-store' };
  return { status: 200, body, headers, next: isEnd ? undefined : encodePosition(next), nextBy: 'after' };
}
