import { FairQueue } from '../fair-queue.ts';
import { isGroup, type Operation } from './messages.ts';

/**
 * What waits in front of the writer thread. That commits together whatever it has been sent, so the work that is under way
 * bounds how long a commit takes, and with it how long the write of another project waits (decision 135). Within the bound
 * operations pass at once. Beyond it the projects take turns; an operation that is larger than the bound is sent alone,
 * after the small ones that wait when its turn comes and before those that come later. Groups have a lane of their own, in
 * which the projects take turns too: single writes neither wait for those that have not been sent, nor count with them.
 */
export interface WriteQueue {
  /** Operations that wait here. */
  readonly size: number;
  /** Sends the operation now or in its turn. Those of one project keep their order. */
  add(operation: Operation, sent: Sent): void;
  /** Sends all that waits, for the end of the writer. */
  flush(): void;
}

/** Called when an operation is sent. To be called in return, once, when its result has come. */
export type Sent = (settled: () => void) => void;

interface Waiting {
  /** One more for each operation that was added. */
  readonly number: number;
  readonly cost: number;
  readonly operation: Operation;
  readonly sent: Sent;
}

/**
 * The cost of what may be on its way to the writer, in characters of text and terms to be written: about 200 ms where all
 * words are new to the index, and a tenth of that for common documents. An operation that costs more is large.
 */
export const maxCostUnderWay = 1_048_576;

/** So many groups are under way: the writer has the next one when it has committed one. */
const maxGroupsUnderWay = 2;

/** The terms of a text have about so many times its characters; the writer makes those that do not come with the change. */
const termsPerText = 4;

/** Operations without a project take turns with the projects. */
const noProject = '';

function projectOf(operation: Operation): string {
  if (operation[0] === 'create' || operation[0] === 'update') return operation[1][0];
  if (operation[0] === 'group') return operation[1][0] ? projectOf(operation[1][0]) : noProject;
  return typeof operation[1] === 'string' ? operation[1] : noProject;
}

/** What the writer has to do for an operation, in characters. */
export function costOf(operation: Operation): number {
  if (operation[0] === 'packed') return operation[2];
  const terms = operation[0] === 'delete' ? operation[3] : operation[2];
  return charactersOf(operation) * (Array.isArray(terms) ? 1 : termsPerText);
}

function charactersOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (!Array.isArray(value)) return 0;
  let characters = 0;
  for (const item of value) characters += charactersOf(item);
  return characters;
}

/** A queue in front of a writer, which is sent operations by `send`. */
export function createWriteQueue(send: (operation: Operation) => void): WriteQueue {
  /** By project, in turn: that of an operation that was sent goes to the end. */
  const lines = new Map<string, Waiting[]>();
  let size = 0;
  let underWay = 0;
  let lastNumber = 0;
  /** The last operation that may overtake the large one that waits; undefined where none waits. */
  let lastBeforeLarge: number | undefined;
  let isScheduled = false;
  const groups = new FairQueue<Waiting & { readonly projectKey: string }>();
  let groupsUnderWay = 0;

  function sendGroups(): void {
    while (groupsUnderWay < maxGroupsUnderWay) {
      const next = groups.take();
      if (!next) return;
      groupsUnderWay += 1;
      next.sent(() => {
        groupsUnderWay -= 1;
        sendGroups();
      });
      send(next.operation);
    }
  }

  function sendNow({ operation, cost, sent }: Waiting): void {
    underWay += cost;
    sent(() => {
      underWay -= cost;
      if (size > 0) schedule();
    });
    send(operation);
  }

  /** The results of a commit come one after the other; what they make room for is sent once. */
  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    queueMicrotask(() => {
      isScheduled = false;
      sendWhatFits();
    });
  }

  function sendFirst(projectKey: string, line: Waiting[]): void {
    const first = line.shift()!;
    lines.delete(projectKey);
    if (line.length > 0) lines.set(projectKey, line);
    size -= 1;
    sendNow(first);
  }

  function sendWhatFits(): void {
    let large: string | undefined;
    for (const [projectKey, line] of lines) {
      const { cost, number } = line[0]!;
      if (cost > maxCostUnderWay) {
        large ??= projectKey;
        lastBeforeLarge ??= lastNumber;
      } else if (number <= (lastBeforeLarge ?? lastNumber)) {
        // Nothing overtakes it: it would wait for ever beside smaller ones.
        if (underWay > 0 && underWay + cost > maxCostUnderWay) return;
        sendFirst(projectKey, line);
      }
    }
    if (large === undefined || underWay > 0) return;
    lastBeforeLarge = undefined;
    sendFirst(large, lines.get(large)!);
  }

  return {
    get size() {
      return size + groups.size;
    },
    add(operation, sent) {
      lastNumber += 1;
      const cost = costOf(operation);
      const waiting = { number: lastNumber, cost, operation, sent };
      if (isGroup(operation) && cost <= maxCostUnderWay) {
        groups.add({ ...waiting, projectKey: projectOf(operation) });
        sendGroups();
        return;
      }
      if (size === 0 && (underWay === 0 || underWay + cost <= maxCostUnderWay)) {
        sendNow(waiting);
        return;
      }
      const projectKey = projectOf(operation);
      const line = lines.get(projectKey);
      if (line) line.push(waiting);
      else lines.set(projectKey, [waiting]);
      size += 1;
      schedule();
    },
    flush() {
      groupsUnderWay = Number.NEGATIVE_INFINITY;
      sendGroups();
      while (size > 0) for (const [projectKey, line] of lines) sendFirst(projectKey, line);
    },
  };
}
