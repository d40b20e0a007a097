import { ServiceError } from '../../contract/errors.ts';
import { DamagedData } from '../damaged-data.ts';
import type { ChangeFilter, ChangeLog, LoggedChange } from '../ports/change-log.ts';
import { TaskQueue } from '../task-queue.ts';
import { digestOf, encodePosition, type Position } from './cursor.ts';
import { dataText, describeChanges, type Event } from './event.ts';
import type { HistorySource } from './walk.ts';

/** The request of a reader of a project's changes. */
export interface FeedQuery {
  readonly projectKey: string;
  readonly filter: ChangeFilter;
  /** With the resource as it is after each change. */
  readonly withData: boolean;
}

/** An event. One object for all followers that read it together: what is made of it can be kept by it. */
export interface FeedItem {
  readonly position: Position;
  readonly event: Event;
  /**
   * JSON text of both projections after the change. Absent unless asked for, and where the resource does not exist then or
   * is no longer known.
   */
  readonly data?: string | undefined;
}

export interface FeedPage {
  readonly items: readonly FeedItem[];
  /** Read on from here. */
  readonly next: Position;
  /** There was nothing more when it was read. */
  readonly isEnd: boolean;
}

/** Start of a feed: after a position, at the oldest kept change, at the end, or at most n changes before the end. */
export type Beginning = Position | 'oldest' | 'latest' | number;

/** Pages with data are read in portions: each resource may be as large as the largest document. */
const portionWithData = 20;
/** A page with data ends with the resource that exceeds this many characters: each slow reader holds a page in memory. */
const maxDataCharacters = 65_536;
/** Events of a page that followers share, and pages of a project that stay for others until it changes again. */
const [portionOfAll, maxPages] = [100, 16];
/** Reads of the log at the same time; further ones wait. A thousand readers that reconnect at once read one by one. */
const concurrency = 4;

export type Feeds = ReturnType<typeof createFeeds>;

/** Opens the changes of projects to readers. */
export function createFeeds(source: HistorySource) {
  const { log } = source;
  const reads = new TaskQueue(concurrency);
  const pages = new Map<string, Pages>();

  async function gone(projectKey: string, problem: string): Promise<ServiceError> {
    const [oldest, latest] = [await begin(projectKey, 'oldest'), await begin(projectKey, 'latest')];
    const message = `The cursor is no longer valid: ${problem}. Re-read the project and continue from \`latest\`.`;
    return new ServiceError('CursorGone', message, { oldest: encodePosition(oldest), latest: encodePosition(latest) });
  }

  /** Where to begin. Throws 410 `CursorGone`. */
  async function begin(projectKey: string, after: Beginning): Promise<Position> {
    const { epoch, pruned, last } = await log.bounds(projectKey);
    if (after === 'oldest') return { epoch, sequence: pruned, digest: 0 };
    if (after === 'latest') return { epoch, sequence: last, digest: await digestAt(source, projectKey, last) };
    if (typeof after === 'number') return { epoch, sequence: Math.max(pruned, last - after), digest: 0 };
    const { sequence, digest } = after;
    if (after.epoch !== epoch) throw await gone(projectKey, 'the log was restarted since');
    if (sequence < pruned) throw await gone(projectKey, 'changes after it are no longer kept');
    if (sequence > last) throw await gone(projectKey, 'the log does not reach it');
    if (digest !== 0 && sequence > pruned && digest !== (await digestAt(source, projectKey, sequence))) {
      throw await gone(projectKey, 'the log has another change there');
    }
    return after;
  }

  async function readLog(
    { projectKey, filter, withData }: FeedQuery,
    from: Position,
    limit: number,
    signal?: AbortSignal,
  ): Promise<FeedPage> {
    const most = withData ? Math.min(limit, portionWithData) : limit;
    const { changes, upTo } = await log
      .changesAfter(projectKey, from.sequence, most, filter)
      .catch((error: unknown) => damagedLog(projectKey, error));
    const { epoch, pruned, last } = await log.bounds(projectKey);
    // Pruned while it was read: there may be a gap.
    if (epoch !== from.epoch || pruned > from.sequence) throw await gone(projectKey, 'changes after it were pruned');
    const described = await describeChanges(source, projectKey, changes, withData, signal);
    const all = described.map(({ change, event, after }) => {
      const position = { epoch, sequence: change.sequence, digest: digestOf(change) };
      return { position, event, data: after && dataText(after) };
    });
    const items = fitting(all);
    const end = items.at(-1)?.position;
    if (items.length < all.length) return { items, next: end!, isEnd: false };
    const isThere = end?.sequence === upTo || upTo <= from.sequence;
    const next = isThere ? (end ?? from) : { epoch, sequence: upTo, digest: await digestAt(source, projectKey, upTo) };
    return { items, next, isEnd: upTo >= last };
  }

  /** Reading stops at a damaged record: readers would not notice that a change is missing. */
  async function damagedLog(projectKey: string, error: unknown): Promise<never> {
    throw error instanceof DamagedData ? await gone(projectKey, 'the record of the next change is damaged') : error;
  }

  /** Reads events from the log, at most `limit`: all that were acknowledged before, where `isEnd`. */
  const read: ReadFeed = (query, from, limit, signal) => reads.run(() => readLog(query, from, limit, signal));

  return {
    begin,
    read,
    follow: (query: FeedQuery) => follow(log, query, pages, read),
  };
}

type ReadFeed = (query: FeedQuery, from: Position, limit: number, signal?: AbortSignal) => Promise<FeedPage>;

/** Follows the end of the log of a project. Must be closed. */
export type Follower = ReturnType<typeof follow>;

/** Pages by what was asked for. */
type Pages = Map<string, Promise<FeedPage>>;

/**
 * Follows a project. Until it has reached the end of the log, a follower reads what passes its filter. From then on it reads all events,
 * in pages that it shares with the others that are at the same position, and picks its own: an event is read once for a thousand streams.
 */
function follow(log: ChangeLog, query: FeedQuery, shared: Map<string, Pages>, readLog: ReadFeed) {
  const { projectKey, withData } = query;
  let mayHaveMore = true;
  let isAtEnd = false;
  let wake = () => {};
  const stop = log.follow(projectKey, () => {
    // A page that was read before does not have the changes that this is about.
    shared.delete(projectKey);
    mayHaveMore = true;
    wake();
  });

  function readShared(from: Position): Promise<FeedPage> {
    const pages: Pages = shared.get(projectKey) ?? new Map();
    shared.set(projectKey, pages);
    const name = `${from.epoch} ${from.sequence} ${withData}`;
    const known = pages.get(name);
    if (known) return known;
    const page = readLog({ ...query, filter: {} }, from, portionOfAll);
    pages.set(name, page);
    const forget = () => pages.delete(name);
    // A page without news ahead of the end lacks a change that came meanwhile. Kept, it would be returned again and again.
    page.then(({ next, isEnd }) => (isEnd || next.sequence > from.sequence ? undefined : forget()), forget);
    const [oldest] = pages.keys();
    if (pages.size > maxPages) pages.delete(oldest!);
    return page;
  }

  return {
    close(): void {
      stop();
      shared.delete(projectKey);
    },
    /** Reads events, at most `limit`. May return fewer although there are more. */
    async read(from: Position, limit: number, signal: AbortSignal): Promise<FeedPage> {
      mayHaveMore = false;
      try {
        const page = isAtEnd
          ? picked(await readShared(from), query.filter, limit)
          : await readLog(query, from, limit, signal);
        isAtEnd ||= page.isEnd;
        mayHaveMore ||= !page.isEnd;
        return page;
      } catch (error) {
        mayHaveMore = true;
        throw error;
      }
    },
    /**
     * Resolves when there may be changes that were not there at the last read, after the timeout, or when a signal is aborted.
     * A thousand streams wait at the same time, and begin again with each event: a wait is one timer and one listener.
     */
    async whenMore(ms: number, signals: readonly AbortSignal[]): Promise<void> {
      if (mayHaveMore || signals.some(({ aborted }) => aborted)) return;
      await new Promise<void>((resolve) => {
        const end = () => {
          clearTimeout(timer);
          for (const signal of signals) signal.removeEventListener('abort', end);
          resolve();
        };
        // At least one turn of the event loop; longer times than a timer can have are those of streams without an end.
        const timer = setTimeout(end, Math.max(1, Math.min(ms, 2 ** 31 - 1)));
        wake = end;
        for (const signal of signals) signal.addEventListener('abort', end);
      });
    },
  };
}

/** The items of a page that pass a filter, at most `limit`. */
function picked({ items, next, isEnd }: FeedPage, filter: ChangeFilter, limit: number): FeedPage {
  const passing = items.filter(({ event }) => passes(event, filter));
  if (passing.length <= limit) return { items: passing, next, isEnd };
  const first = passing.slice(0, limit);
  return { items: first, next: first.at(-1)!.position, isEnd: false };
}

/** The first items, up to the one whose data go beyond the bound. */
function fitting(items: readonly FeedItem[]): readonly FeedItem[] {
  let characters = 0;
  const last = items.findIndex(({ data = '' }) => {
    characters += data.length;
    return characters > maxDataCharacters;
  });
  return last < 0 ? items : items.slice(0, last + 1);
}

function passes({ type, resource, actor }: Event, { types, id, clientId }: ChangeFilter): boolean {
  if (types && !types.includes(type)) return false;
  if (id !== undefined && (resource.typeId !== 'resource' || resource.id !== id)) return false;
  return clientId === undefined || clientId === actor.clientId;
}

/** Digest of the change at a sequence; 0 if it does not exist or is damaged. */
async function digestAt({ log }: HistorySource, projectKey: string, sequence: number): Promise<number> {
  if (sequence < 1) return 0;
  try {
    const { changes } = await log.changesAfter(projectKey, sequence - 1, 1);
    const [change] = changes as readonly [LoggedChange?];
    return change?.sequence === sequence ? digestOf(change) : 0;
  } catch (error) {
    if (error instanceof DamagedData) return 0;
    throw error;
  }
}
