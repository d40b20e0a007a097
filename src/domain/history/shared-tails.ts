import { dataText, describeChanges } from './event.ts';
import { Tail, type TailEntry } from './tail.ts';
import type { HistorySource } from './walk.ts';

/** The data of an event, as one object for all its readers. */
export interface SharedData {
  readonly text: string | undefined;
}

/** A reader's share of the tail of a project. Must be closed. */
export interface SharedTail {
  readonly tail: Tail;
  /** The data of an event, read once for the readers that want it at about the same time. */
  dataOf(entry: TailEntry): Promise<SharedData>;
  close(): void;
}

/** Events whose data stay in memory for other readers. */
const maxSharedData = 16;

/** Shares one tail per project between its readers; the last one closes it. */
export function createSharedTails(source: HistorySource, inTurn: <T>(task: () => Promise<T>) => Promise<T>) {
  const tails = new Map<string, { readonly opened: Promise<Tail>; readers: number }>();
  const data = new Map<TailEntry, Promise<SharedData>>();

  function dataOf(projectKey: string, entry: TailEntry): Promise<SharedData> {
    const known = data.get(entry);
    if (known) return known;
    const read = inTurn(async () => {
      const [described] = await describeChanges(source, projectKey, [entry.described.change], true);
      return { text: described?.after && dataText(described.after) };
    });
    data.set(entry, read);
    read.catch(() => data.delete(entry));
    const [oldest] = data.keys();
    if (data.size > maxSharedData && oldest) data.delete(oldest);
    return read;
  }

  return {
    async open(projectKey: string): Promise<SharedTail> {
      const shared = tails.get(projectKey) ?? { opened: Tail.open(source, projectKey), readers: 0 };
      tails.set(projectKey, shared);
      shared.readers += 1;
      const close = () => {
        shared.readers -= 1;
        if (shared.readers > 0) return;
        if (tails.get(projectKey) === shared) tails.delete(projectKey);
        shared.opened.then(
          (tail) => tail.close(),
          () => {},
        );
      };
      try {
        return { tail: await shared.opened, dataOf: (entry) => dataOf(projectKey, entry), close };
      } catch (error) {
        close();
        throw error;
      }
    },
  };
}
