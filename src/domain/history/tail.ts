import { DamagedData } from '../damaged-data.ts';
import type { EventType, LoggedChange } from '../ports/change-log.ts';
import { digestOf, type Position } from './cursor.ts';
import { type Described, describeChanges } from './event.ts';
import type { HistorySource } from './walk.ts';

/** An event as a reader gets it. */
export interface TailEntry {
  readonly position: Position;
  readonly type: EventType;
  readonly resourceId: string;
  readonly clientId: string;
  readonly described: Described;
  readonly characters: number;
}

/**
 * The newest events of a project, read once for all who follow it. They are kept in memory up to a bound; who is behind
 * that reads the log.
 */
export interface Tail {
  /** Reads on where the log went on. Throws what reads of the log throw. */
  refresh(): Promise<void>;
  /** True where the log may have more than was read. */
  isStale(): boolean;
  /** Where the last event is. */
  head(): Position;
  /** The events after a position; undefined if they are no longer all here. */
  after(sequence: number): readonly TailEntry[] | undefined;
  /** Calls the listener when there may be more. Returns the function that ends it. */
  listen(listener: () => void): () => void;
  close(): void;
}

const maxEntries = 1000;
const maxCharacters = 1_000_000;
/** Changes per read of the log. */
const portion = 100;

/** Begins to follow a project, from where its log ends now. */
export async function openTail(source: HistorySource, projectKey: string): Promise<Tail> {
  const { log } = source;
  const listeners = new Set<() => void>();
  let entries: TailEntry[] = [];
  let characters = 0;
  let isStale = true;
  let running: Promise<void> | undefined;
  // Follow first: what is committed from here on is noticed, whether or not the bounds have it.
  const stop = log.follow(projectKey, () => {
    isStale = true;
    void refresh().then(
      (hasMore) => hasMore && notify(),
      // Those who read get the error themselves.
      notify,
    );
  });
  let head = await positionOfLast().catch((error) => {
    stop();
    throw error;
  });
  let start = head.sequence;

  async function positionOfLast(): Promise<Position> {
    const { epoch, last } = await log.bounds(projectKey);
    return { epoch, sequence: last, digest: await digestAt(source, projectKey, last) };
  }

  function notify(): void {
    for (const listener of [...listeners]) listener();
  }

  /** Resolves to whether anything was new. */
  async function refresh(): Promise<boolean> {
    const before = head.sequence;
    while (isStale) {
      running ??= readOn().finally(() => {
        running = undefined;
      });
      await running;
    }
    return head.sequence > before;
  }

  async function readOn(): Promise<void> {
    isStale = false;
    try {
      for (;;) {
        const { changes, upTo } = await log.changesAfter(projectKey, head.sequence, portion);
        const { epoch, pruned, last } = await log.bounds(projectKey);
        if (epoch !== head.epoch || pruned > head.sequence || last < head.sequence) {
          // What was pruned before it was read, or another log: nothing here continues it.
          head = await positionOfLast();
          drop(entries.length);
          return;
        }
        for (const described of await describeChanges(source, projectKey, changes)) add(described);
        if (upTo > head.sequence) head = { epoch, sequence: upTo, digest: 0 };
        if (upTo >= last) return;
      }
    } catch (error) {
      isStale = true;
      throw error;
    }
  }

  function add(described: Described): void {
    const { change, event } = described;
    const position = { epoch: head.epoch, sequence: change.sequence, digest: digestOf(change) };
    // The record of the change may be as large as the resource. Events do not need it.
    const light = { ...described, change: { ...change, before: null } };
    const size = 200 + JSON.stringify(event).length;
    const { origin, id } = change;
    entries.push({
      ...{ position, type: origin.type, resourceId: id, clientId: origin.clientId },
      ...{ described: light, characters: size },
    });
    characters += size;
    head = position;
    let excess = 0;
    for (let left = characters; entries.length - excess > maxEntries || left > maxCharacters; excess += 1) {
      left -= entries[excess]!.characters;
    }
    // Now and then, not with each event.
    if (excess >= 100 || excess === entries.length) drop(excess);
  }

  function drop(count: number): void {
    const dropped = entries.slice(0, count);
    entries = entries.slice(count);
    for (const entry of dropped) characters -= entry.characters;
    start = entries.length === 0 ? head.sequence : dropped.at(-1)!.position.sequence;
  }

  return {
    async refresh() {
      await refresh();
    },
    isStale: () => isStale,
    head: () => head,
    after(sequence) {
      if (sequence < start) return undefined;
      // Binary search would be for long tails; readers are mostly at the end.
      let from = entries.length;
      while (from > 0 && entries[from - 1]!.position.sequence > sequence) from -= 1;
      return entries.slice(from);
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: stop,
  };
}

/** Digest of the change at a sequence; 0 where there is none, or its record is damaged. */
export async function digestAt({ log }: HistorySource, projectKey: string, sequence: number): Promise<number> {
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
