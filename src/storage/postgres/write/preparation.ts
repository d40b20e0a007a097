import type { Change } from '../../../domain/ports/resource-store.ts';
import { turnOver } from '../../../domain/turns.ts';
import { indexRequestOf, largeCharacters } from '../../index/index-request.ts';
import { createThreadOnDemand } from '../../threads/thread-on-demand.ts';
import type { IndexedChange } from './index-change.ts';
import type { PutRequest } from './preparation-thread.ts';
import { prepareWrite, type Write, type WriteContext } from './prepare-write.ts';

/**
 * Prepares changes to be written: small ones on this thread; what large documents do to the indexes in a thread of its own,
 * since to divide half a megabyte into words and terms takes a fifth of a second, in which no request would be answered. Rejects with 503 if that thread ends. Must be closed.
 */
export interface Preparation {
  /** Prepares a change; at once if it is small and no other change of its project is being prepared. */
  prepareInOrder(change: Change, paths: readonly string[]): Write | Promise<Write>;
  /** The same for one that has had its turn. */
  prepare(change: Change, paths: readonly string[]): Promise<Write>;
  /** The changes of a group, with pauses for the requests of others. */
  prepareAll(changes: readonly Change[], paths: readonly string[]): Promise<readonly Write[]>;
  /** Changes that are being prepared in their order, and those behind them. */
  readonly waiting: number;
  /** True if a change is large, and would wait for too many of its project or of all. */
  isFull(change: Change): boolean;
  close(): Promise<void>;
}

/** Large changes that may wait for the thread: some seconds of its work, and some tens for all projects, which take turns. */
const [maxLargeOfProject, maxLarge] = [16, 128];

function isLarge(change: Change): boolean {
  // What is deleted has no words to be found, and its entries are those of a few fields.
  if (change.kind === 'delete') return false;
  return change.next.current.length + (change.next.staged?.length ?? 0) > largeCharacters;
}

/** Without a thread until the first large change. */
export function createPreparation(context: WriteContext): Preparation {
  const thread = createThreadOnDemand<PutRequest, IndexedChange>(new URL('./preparation-thread.ts', import.meta.url), {
    key: context.terms.key,
  });
  /** By project, when the last of the changes that wait is prepared: what comes behind it must not overtake it. */
  const lines = new Map<string, Promise<unknown>>();
  let waiting = 0;

  async function prepareLarge(change: Change, paths: readonly string[]): Promise<Write> {
    const request = { ...(indexRequestOf(change) as PutRequest), paths };
    return prepareWrite(change, paths, context, await thread.ask(request.projectKey, request));
  }

  async function behind(line: Promise<unknown> | undefined, change: Change, paths: readonly string[]): Promise<Write> {
    const large = isLarge(change) ? prepareLarge(change, paths) : undefined;
    // Awaited below.
    large?.catch(() => {});
    await line?.catch(() => {});
    return large ?? prepareWrite(change, paths, context);
  }

  return {
    prepareInOrder(change, paths) {
      const { projectKey } = change.kind === 'delete' ? change : change.next;
      const line = lines.get(projectKey);
      if (!line && !isLarge(change)) return prepareWrite(change, paths, context);
      waiting += 1;
      const own = behind(line, change, paths);
      lines.set(projectKey, own);
      const leave = () => {
        waiting -= 1;
        if (lines.get(projectKey) === own) lines.delete(projectKey);
      };
      // A step later than the caller has the write: what comes in between is behind it.
      own.then(undefined, () => {}).then(leave);
      return own;
    },
    prepare: async (change, paths) =>
      isLarge(change) ? prepareLarge(change, paths) : prepareWrite(change, paths, context),
    async prepareAll(changes, paths) {
      const writes: Write[] = [];
      for (const change of changes) {
        writes.push(isLarge(change) ? await prepareLarge(change, paths) : prepareWrite(change, paths, context));
        await turnOver();
      }
      return writes;
    },
    get waiting() {
      return waiting;
    },
    isFull(change) {
      if (change.kind === 'delete' || !isLarge(change)) return false;
      const { all, own } = thread.waiting(change.next.projectKey);
      return all >= maxLarge || own >= maxLargeOfProject;
    },
    close: thread.close,
  };
}
