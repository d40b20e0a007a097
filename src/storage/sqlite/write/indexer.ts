import type { Worker } from 'node:worker_threads';
import type { JsonValue } from '../../../contract/json.ts';
import { isJsonArray, isJsonObject } from '../../../domain/json/object.ts';
import { stringifyJson } from '../../../domain/json/parse.ts';
import type { Change, Documents } from '../../../domain/ports/resource-store.ts';
import { type IndexDifference, indexDifference } from '../../index/index-entries.ts';
import { startThread } from '../thread/start-thread.ts';
import type { DocumentTexts, IndexRequest, IndexResult } from './index-thread.ts';

/**
 * Finds out what a change does to the index. For large documents that is the work of a thread: to divide a megabyte of
 * text into words takes up to a second, in which this thread would answer nobody (decision 55).
 */
export interface Indexer {
  difference(change: Change): IndexDifference | Promise<IndexDifference>;
  close(): Promise<void>;
}

/** Characters of a document, about, from which on it is large: less takes a few milliseconds at most. */
const largeChars = 16_384;

interface Waiting {
  readonly request: IndexRequest;
  readonly resolve: (difference: IndexDifference) => void;
  readonly reject: (error: Error) => void;
}

/** An indexer without a thread, which starts with the first large document. */
export function createIndexer(declaredPaths: readonly string[]): Indexer {
  /** The first is with the thread. The others keep their place here, where they are not copied yet. */
  let waiting: Waiting[] = [];
  let worker: Worker | undefined;

  function start(): Worker {
    const started = startThread(new URL('./index-thread.ts', import.meta.url), { declaredPaths });
    started.on('message', (result: IndexResult) => {
      const { resolve, reject } = waiting.shift()!;
      if ('difference' in result) resolve(result.difference);
      else reject(new Error(result.error));
      next();
    });
    // A thread that died is replaced with the next large document.
    started.on('error', (error) => {
      worker = undefined;
      const failed = waiting;
      waiting = [];
      for (const { reject } of failed) reject(error as Error);
    });
    return started;
  }

  function next(): void {
    const [first] = waiting;
    if (!first) return;
    worker ??= start();
    worker.postMessage(first.request);
  }

  return {
    difference(change) {
      const { projectKey, before, after } = partsOf(change);
      if (!isLarge(change, before)) return indexDifference(projectKey, before, after, declaredPaths);
      return new Promise((resolve, reject) => {
        waiting.push({ request: requestOf(change), resolve, reject });
        if (waiting.length === 1) next();
      });
    },
    async close() {
      if (!worker) return;
      const ended = new Promise((resolve) => worker!.once('exit', resolve));
      worker.postMessage('close');
      await ended;
    },
  };
}

function partsOf(change: Change) {
  return {
    projectKey: change.kind === 'delete' ? change.projectKey : change.next.projectKey,
    before: change.kind === 'create' ? undefined : change.before,
    after: change.kind === 'delete' ? undefined : change.after,
  };
}

function isLarge(change: Change, before: Documents | undefined): boolean {
  const written = change.kind === 'delete' ? 0 : change.next.current.length + (change.next.staged?.length ?? 0);
  if (written > largeChars) return true;
  return before !== undefined && charsLeft(before.staged, charsLeft(before.current, largeChars)) < 0;
}

/** What a value leaves of so many characters, about; below 0 as soon as it is known to be more. */
function charsLeft(value: JsonValue | undefined, chars: number): number {
  if (typeof value === 'string') return chars - value.length;
  if (chars < 0 || typeof value !== 'object' || value === null) return chars - 1;
  let left = chars;
  if (isJsonArray(value)) {
    for (let at = 0; at < value.length && left >= 0; at += 1) left = charsLeft(value[at], left - 1);
  } else if (isJsonObject(value)) {
    for (const name in value) {
      if (left < 0) break;
      left = charsLeft(value[name], left - name.length);
    }
  }
  return left;
}

function requestOf(change: Change): IndexRequest {
  const { projectKey, before } = partsOf(change);
  const after = change.kind === 'delete' ? undefined : change.next;
  return {
    projectKey,
    before: before && textsOf(before),
    after: after && { current: after.current, staged: after.staged },
  };
}

function textsOf({ current, staged }: Documents): DocumentTexts {
  return { current: stringifyJson(current), staged: staged && stringifyJson(staged) };
}
