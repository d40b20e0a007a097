import { ServiceError } from '../../../contract/errors.ts';
import { encodePosition, type Position } from '../../../domain/history/cursor.ts';
import type { FeedItem, FeedPage, Feeds } from '../../../domain/history/feed.ts';
import type { ApiRequest, HttpResponse } from '../../route.ts';
import { itemText } from './format.ts';
import type { EventsRequest } from './parameters.ts';

const defaultLimit = 100;
/** A page ends early once its events have about this many characters. */
const maxPageCharacters = 4_000_000;

/** A page of events. Without any it waits for the next one, if that is wanted. */
export async function eventPage(
  feeds: Feeds,
  { query, limit = defaultLimit, waitMs = 0 }: EventsRequest,
  from: Position,
  { signal: signalOf, draining, tokenEnded, occupy }: Pick<ApiRequest, 'signal' | 'draining' | 'tokenEnded' | 'occupy'>,
): Promise<HttpResponse> {
  const signal = signalOf();
  const page = createPage(from, limit);
  while (page.wantsMore()) {
    try {
      page.add(await feeds.read(query, page.next(), limit - page.count(), signal));
    } catch (error) {
      // The events before it are returned; the request for the next page gets the error.
      if (page.count() === 0 || !(error instanceof ServiceError)) throw error;
      break;
    }
  }
  if (page.count() === 0 && waitMs > 0) {
    occupy('polls');
    const ended = tokenEnded();
    const untilMs = performance.now() + waitMs;
    const follower = feeds.follow(query);
    try {
      for (;;) {
        ended.throwIfAborted();
        page.add(await follower.read(page.next(), limit, signal));
        const restMs = untilMs - performance.now();
        if (page.count() > 0 || restMs <= 0 || signal.aborted || draining.aborted) break;
        if (page.isEnd()) await follower.whenMore(restMs, [signal, draining, ended]);
      }
    } finally {
      follower.close();
    }
  }
  const more = page.isEnd() ? undefined : encodePosition(page.next());
  return { status: 200, body: page.text(), headers: { 'cache-control': 'no-store' }, next: more, nextBy: 'after' };
}

function createPage(from: Position, limit: number) {
  const texts: string[] = [];
  let next = from;
  let isEnd = false;
  let characters = 0;
  return {
    next: () => next,
    isEnd: () => isEnd,
    count: () => texts.length,
    wantsMore: () => !isEnd && texts.length < limit && characters < maxPageCharacters,
    add(read: FeedPage) {
      for (const item of read.items as readonly FeedItem[]) {
        const text = itemText(item);
        texts.push(text);
        characters += text.length;
      }
      ({ next, isEnd } = read);
    },
    text() {
      const head = `{"limit":${limit},"count":${texts.length},"results":[${texts.join(',')}]`;
      return `${head},"next":"${encodePosition(next)}","hasMore":${!isEnd}}`;
    },
  };
}
