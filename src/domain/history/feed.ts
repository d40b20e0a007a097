import { ServiceError } from '../../contract/errors.ts';
import { DamagedData } from '../damaged-data.ts';
import type { ChangeFilter } from '../ports/change-log.ts';
import { digestOf, encodePosition, type Position } from './cursor.ts';
import { dataText, describeChanges, type Event } from './event.ts';
import { createSharedTails, type SharedTail } from './shared-tails.ts';
import { digestAt, type Tail, type TailEntry } from './tail.ts';
import type { HistorySource } from './walk.ts';

/** The request of a reader of a project's changes. */
export interface FeedQuery {
  readonly projectKey: string;
  readonly filter: ChangeFilter;
  /** With the resource as it is after each change. */
  readonly withData: boolean;
}

export interface FeedItem {
  readonly position: Position;
  readonly event: Event;
  /**
   * JSON text of both projections after the change. Absent unless asked for, and where the resource does not exist then or
   * is no longer known.
   */
  readonly data?: string | undefined;
  /** One object for all who read this event at about the same time, with or without data: what is made of the event can be kept by it. */
  readonly shared?: object | undefined;
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

/** A subscription to the end of a project's log. Must be closed. */
export interface Follower {
  /** Resolves when changes after the sequence may exist, after the timeout, or when a signal is aborted. */
  whenMore(sequence: number, ms: number, signals: readonly AbortSignal[]): Promise<void>;
  /** Reads events, at most `limit`, from memory where they are there. May return fewer although there are more. */
  read(from: Position, limit: number, signal: AbortSignal): Promise<FeedPage>;
  close(): void;
}

export interface Feeds {
  /** Where to begin. Throws 410 `CursorGone`. */
  begin(projectKey: string, after: Beginning): Promise<Position>;
  /** Reads events from the log, at most `limit`: all that were acknowledged before, where `isEnd`. */
  read(query: FeedQuery, from: Position, limit: number, signal: AbortSignal): Promise<FeedPage>;
  follow(query: FeedQuery): Promise<Follower>;
}

/** Pages with data are read in portions: each resource may be as large as the largest document. */
const portionWithData = 20;
/** A page with data ends with the resource that exceeds this many characters: each slow reader holds a page in memory. */
const maxDataCharacters = 65_536;
/** Reads of the log at the same time; further ones wait. A thousand readers that reconnect at once read one by one. */
const concurrency = 4;

/** Opens the changes of projects to readers. */
export function createFeeds(source: HistorySource): Feeds {
  const { log } = source;
  const inTurn = createTurns(concurrency);
  const tails = createSharedTails(source, inTurn);

  async function gone(projectKey: string, problem: string): Promise<ServiceError> {
    const [oldest, latest] = [await begin(projectKey, 'oldest'), await begin(projectKey, 'latest')];
    const message = `The cursor is no longer valid: ${problem}. Re-read the project and continue from \`latest\`.`;
    return new ServiceError('CursorGone', message, { oldest: encodePosition(oldest), latest: encodePosition(latest) });
  }

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
    signal: AbortSignal,
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

  return {
    begin,
    read: (query, from, limit, signal) => inTurn(() => readLog(query, from, limit, signal)),
    async follow(query) {
      const { tail, dataOf, close } = await tails.open(query.projectKey);
      return {
        close,
        whenMore: (sequence, ms, signals) => whenMore(tail, sequence, ms, signals),
        read: async (from, limit, signal) =>
          (await readTail(tail, dataOf, query, from, limit)) ?? inTurn(() => readLog(query, from, limit, signal)),
      };
    },
  };
}

/** Reads events from memory; undefined if some of them are no longer there. */
async function readTail(
  tail: Tail,
  dataOf: SharedTail['dataOf'],
  { filter, withData }: FeedQuery,
  from: Position,
  limit: number,
): Promise<FeedPage | undefined> {
  const { head } = tail;
  const entries = head.epoch === from.epoch ? tail.after(from.sequence) : undefined;
  if (entries === undefined) return undefined;
  const found = entries.filter((entry) => passes(entry, filter));
  const shown = found.slice(0, withData ? Math.min(limit, portionWithData) : limit);
  const items: FeedItem[] = [];
  let characters = 0;
  for (const entry of shown) {
    const { position, described } = entry;
    const own = withData ? await dataOf(entry) : undefined;
    items.push({ position, event: described.event, data: own?.text, shared: own ?? entry });
    characters += own?.text?.length ?? 0;
    if (characters > maxDataCharacters) break;
  }
  const isAll = items.length === found.length;
  const end = head.sequence > from.sequence ? head : from;
  return { items, next: isAll ? end : items.at(-1)!.position, isEnd: isAll };
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

function passes({ type, resourceId, clientId }: TailEntry, filter: ChangeFilter): boolean {
  if (filter.types && !filter.types.includes(type)) return false;
  if (filter.id !== undefined && filter.id !== resourceId) return false;
  return filter.clientId === undefined || filter.clientId === clientId;
}

/** A thousand streams wait at the same time, and begin again with each event: a wait is one timer and one listener. */
async function whenMore(tail: Tail, sequence: number, ms: number, signals: readonly AbortSignal[]): Promise<void> {
  // Changes that could not be read are tried again by those who wait for them.
  if (tail.isStale) await tail.refresh();
  if (tail.head.sequence > sequence || signals.some(({ aborted }) => aborted)) return;
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      stop();
      for (const signal of signals) signal.removeEventListener('abort', end);
      resolve();
    };
    // At least one turn of the event loop; longer times than a timer can have are those of streams without an end.
    const timer = setTimeout(end, Math.max(1, Math.min(ms, 2 ** 31 - 1)));
    const stop = tail.listen(end);
    for (const signal of signals) signal.addEventListener('abort', end);
  });
}

/** Runs a limited number of tasks at a time, in order. */
function createTurns(most: number): <T>(task: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (task) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
