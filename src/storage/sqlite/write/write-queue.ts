import { FairQueue } from '../../threads/fair-queue.ts';
import { portionCharacters } from '../indexing/portions.ts';
import { isGroup, type Operation } from './messages.ts';

/**
 * What waits in front of the writer thread. That commits together whatever it has been sent, so the work that is under way
 * bounds how long a commit takes, and with it how long the write of another project waits. Within the bound
 * operations pass at once. Beyond it the projects take turns; an operation that is larger than the bound is sent alone,
 * after the small ones that wait when its turn comes and before those that come later. Groups have a lane of their own, in
 * which the projects take turns too: single writes neither wait for those that have not been sent, nor count with them.
 */
export interface WriteQueue {
  /** Operations that wait here. */
  readonly size: number;
  /** Characters of terms of operations that are under way, or committed and not indexed yet. */
  readonly index: { readonly unindexed: number };
  /** Sends the operation now or in its turn. Those of one line keep their order: see `lineOf`. */
  add(operation: Operation, sent: Sent): void;
  /** Of all operations that were settled the indexes have the terms. */
  indexed(): void;
  /** Sends all that waits, for the end of the writer. */
  flush(): void;
}

/** Called when an operation is sent. To be called in return, once, when its result has come. */
export type Sent = (settled: () => void) => void;

interface Waiting {
  /** One more for each operation that was added. */
  readonly number: number;
  readonly cost: number;
  /** Characters of terms that the writer writes in portions after the commit. */
  readonly terms: number;
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
  return typeof operation[1] === 'string' && operation[0] !== 'catchUp' ? operation[1] : noProject;
}

/**
 * The line in which an operation waits: that of its project, or a second one of operations with terms for portions. They wait for the
 * portions of those before, tenths of a second, and what the same project writes beside them does not. Two writes of the
 * same resource may change places: each states the version that it expects.
 */
function lineOf(operation: Operation, terms: number): string {
  const projectKey = projectOf(operation);
  return terms > 0 ? `${projectKey} large` : projectKey;
}

/** What the writer has to do for an operation until it is committed, in characters. */
export function costOf(operation: Operation): number {
  return weigh(operation)[0];
}

/** The cost of an operation, and its terms: see `Waiting`. */
function weigh(operation: Operation): readonly [cost: number, terms: number] {
  if (operation[0] === 'packed') return withTermsOfGroup(operation[2]);
  const terms = operation[0] === 'delete' ? operation[3] : operation[2];
  const characters = charactersOf(operation);
  if (!Array.isArray(terms)) {
    const cost = characters * termsPerText;
    return operation[0] === 'group' ? withTermsOfGroup(cost) : [cost, 0];
  }
  const later = characters > portionCharacters ? charactersOf(terms) : 0;
  return later > portionCharacters ? [characters - later, later] : [characters, 0];
}

/** What a large group has of them is not known here: it waits for the terms of all others. */
function withTermsOfGroup(cost: number): readonly [cost: number, terms: number] {
  return [cost, cost > maxCostUnderWay ? cost : 0];
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
  /** In turn: that of an operation that was sent goes to the end. */
  const lines = new Map<string, Waiting[]>();
  let size = 0;
  let underWay = 0;
  const index = { unindexed: 0 };
  /** Of the terms that are not indexed those whose operations are committed. */
  let committed = 0;
  let lastNumber = 0;
  /** The last operation that may overtake the large one that waits; undefined where none waits. */
  let lastBeforeLarge: number | undefined;
  let isScheduled = false;
  const groups = new FairQueue<Waiting & { readonly projectKey: string }>();
  let groupsWaiting = 0;
  let groupsUnderWay = 0;

  function sendGroups(): void {
    while (groupsUnderWay < maxGroupsUnderWay) {
      const next = groups.take();
      if (!next) return;
      groupsWaiting -= 1;
      groupsUnderWay += 1;
      next.sent(() => {
        groupsUnderWay -= 1;
        sendGroups();
      });
      send(next.operation);
    }
  }

  function sendNow({ operation, cost, terms, sent }: Waiting): void {
    underWay += cost;
    index.unindexed += terms;
    sent(() => {
      underWay -= cost;
      committed += terms;
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

  function fitsIndex(terms: number): boolean {
    return terms === 0 || index.unindexed === 0 || index.unindexed + terms <= maxCostUnderWay;
  }

  function sendFirst(key: string, line: Waiting[]): void {
    const first = line.shift()!;
    lines.delete(key);
    if (line.length > 0) lines.set(key, line);
    size -= 1;
    sendNow(first);
  }

  function sendWhatFits(): void {
    let large: string | undefined;
    let isIndexFull = false;
    for (const [key, line] of lines) {
      const { cost, terms, number } = line[0]!;
      // Those without such terms pass: they wait for a portion at most.
      isIndexFull ||= !fitsIndex(terms);
      if (terms > 0 && isIndexFull) continue;
      if (cost > maxCostUnderWay) {
        large ??= key;
        lastBeforeLarge ??= lastNumber;
      } else if (number <= (lastBeforeLarge ?? lastNumber)) {
        // Nothing overtakes it: it would wait for ever beside smaller ones.
        if (underWay > 0 && underWay + cost > maxCostUnderWay) return;
        sendFirst(key, line);
      }
    }
    if (large === undefined || underWay > 0) return;
    lastBeforeLarge = undefined;
    sendFirst(large, lines.get(large)!);
  }

  return {
    index,
    get size() {
      return size + groupsWaiting;
    },
    add(operation, sent) {
      lastNumber += 1;
      const [cost, terms] = weigh(operation);
      const waiting = { number: lastNumber, cost, terms, operation, sent };
      if (isGroup(operation) && cost <= maxCostUnderWay) {
        groupsWaiting += 1;
        groups.add({ ...waiting, projectKey: projectOf(operation) });
        sendGroups();
        return;
      }
      // Common writes have no such terms, and are spared the call.
      if (size === 0 && (terms === 0 || fitsIndex(terms)) && (underWay === 0 || underWay + cost <= maxCostUnderWay)) {
        sendNow(waiting);
        return;
      }
      const key = lineOf(operation, terms);
      const line = lines.get(key);
      if (line) line.push(waiting);
      else lines.set(key, [waiting]);
      size += 1;
      schedule();
    },
    indexed() {
      index.unindexed -= committed;
      committed = 0;
      if (size > 0) schedule();
    },
    flush() {
      groupsUnderWay = Number.NEGATIVE_INFINITY;
      sendGroups();
      while (size > 0) for (const [key, line] of lines) sendFirst(key, line);
    },
  };
}
