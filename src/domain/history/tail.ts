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

const maxEntries = 1000;
const maxCharacters = 1_000_000;
const changesPerRead = 100;

/**
 * The newest events of a project, read once for all who follow it. They stay in memory up to a bound; readers that are
 * further behind use the log.
 */
export class Tail {
  readonly #source: HistorySource;
  readonly #projectKey: string;
  readonly #listeners = new Set<() => void>();
  readonly #stopFollowing: () => void;
  #entries: TailEntry[] = [];
  #characters = 0;
  /** The position of the last event. */
  #head: Position = { epoch: '', sequence: 0, digest: 0 };
  /** The entries begin after this sequence. */
  #start = 0;
  /** True if the log may have more than was read. */
  #isStale = true;
  /** The read in progress: one at a time. */
  #running: Promise<void> | undefined;

  /** Follows a project from the end of its log. */
  static async open(source: HistorySource, projectKey: string): Promise<Tail> {
    const tail = new Tail(source, projectKey);
    try {
      // Finds the end of the log: the epoch of the first head is that of no log.
      await tail.refresh();
      return tail;
    } catch (error) {
      tail.close();
      throw error;
    }
  }

  private constructor(source: HistorySource, projectKey: string) {
    this.#source = source;
    this.#projectKey = projectKey;
    this.#stopFollowing = source.log.follow(projectKey, () => {
      this.#isStale = true;
      const notify = () => {
        for (const listener of [...this.#listeners]) listener();
      };
      this.refresh().then(
        (hasMore) => hasMore && notify(),
        // Readers get the error themselves.
        notify,
      );
    });
  }

  get head(): Position {
    return this.#head;
  }

  get isStale(): boolean {
    return this.#isStale;
  }

  /** The events after a position; undefined if some of them are no longer here. */
  after(sequence: number): readonly TailEntry[] | undefined {
    if (sequence < this.#start) return undefined;
    // From the end, where most readers are.
    let from = this.#entries.length;
    while (from > 0 && this.#entries[from - 1]!.position.sequence > sequence) from -= 1;
    return this.#entries.slice(from);
  }

  /** Calls the listener when there may be more. Returns the function that ends it. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Reads on in the log. Resolves to whether anything was new; throws what reads of the log throw. */
  async refresh(): Promise<boolean> {
    const before = this.#head.sequence;
    while (this.#isStale) {
      this.#running ??= this.#readOn().finally(() => {
        this.#running = undefined;
      });
      await this.#running;
    }
    return this.#head.sequence > before;
  }

  close(): void {
    this.#stopFollowing();
  }

  async #positionOfLast(): Promise<Position> {
    const { epoch, last } = await this.#source.log.bounds(this.#projectKey);
    return { epoch, sequence: last, digest: await digestAt(this.#source, this.#projectKey, last) };
  }

  async #readOn(): Promise<void> {
    const { log } = this.#source;
    this.#isStale = false;
    try {
      for (;;) {
        const { changes, upTo } = await log.changesAfter(this.#projectKey, this.#head.sequence, changesPerRead);
        const { epoch, pruned, last } = await log.bounds(this.#projectKey);
        const { sequence } = this.#head;
        if (epoch !== this.#head.epoch || pruned > sequence || last < sequence) {
          // Pruned before it was read, or another log: nothing here continues it.
          this.#head = await this.#positionOfLast();
          this.#drop(this.#entries.length);
          return;
        }
        for (const described of await describeChanges(this.#source, this.#projectKey, changes)) this.#add(described);
        if (upTo > this.#head.sequence) this.#head = { epoch, sequence: upTo, digest: 0 };
        if (upTo >= last) return;
      }
    } catch (error) {
      this.#isStale = true;
      throw error;
    }
  }

  #add(described: Described): void {
    const { change, event } = described;
    const { origin, id } = change;
    const position = { epoch: this.#head.epoch, sequence: change.sequence, digest: digestOf(change) };
    const characters = 200 + JSON.stringify(event).length;
    // The change may be as large as the resource, and events do not need it.
    const light = { ...described, change: { ...change, before: null } };
    const facts = { type: origin.type, resourceId: id, clientId: origin.clientId };
    this.#entries.push({ position, ...facts, described: light, characters });
    this.#characters += characters;
    this.#head = position;
    const count = this.#entries.length;
    let excess = 0;
    for (let left = this.#characters; count - excess > maxEntries || left > maxCharacters; excess += 1) {
      left -= this.#entries[excess]!.characters;
    }
    // In batches: each drop copies the rest.
    if (excess >= 100 || excess === count) this.#drop(excess);
  }

  #drop(count: number): void {
    const dropped = this.#entries.slice(0, count);
    this.#entries = this.#entries.slice(count);
    for (const entry of dropped) this.#characters -= entry.characters;
    this.#start = this.#entries.length === 0 ? this.#head.sequence : dropped.at(-1)!.position.sequence;
  }
}

/** Digest of the change at a sequence; 0 if it does not exist or is damaged. */
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
