import type { Worker } from 'node:worker_threads';
import type { JsonValue } from '../../../contract/json.ts';
import { stringifyJson } from '../../../domain/json/parse.ts';
import { isJsonArray, isJsonObject } from '../../../domain/json/values.ts';
import type { Change, Documents } from '../../../domain/ports/resource-store.ts';
import type { DocumentTexts } from '../../row/stored-row.ts';
import { closeThread, startThread } from '../../threads/start-thread.ts';
import { FairQueue } from '../fair-queue.ts';
import type { IndexRequest, IndexResult, LargeDifference } from './index-thread.ts';

/**
 * Computes how a change of a large document changes the index, in a thread: dividing a megabyte of text into words takes
 * up to a second, during which the writer would commit nothing (decision 55). It does the others by itself.
 */
export interface Indexer {
  differenceOfLarge(change: Change): Promise<LargeDifference> | undefined;
  close(): Promise<void>;
}

/** Documents with more characters, about, are large: the others take a few milliseconds at most. */
const largeChars = 16_384;

interface Waiting {
  readonly projectKey: string;
  readonly request: IndexRequest;
  readonly resolve: (difference: LargeDifference) => void;
  readonly reject: (error: Error) => void;
}

/** After so long without a large document the thread ends: what it read them with takes up to 30 MB. */
const restMs = 30_000;

/** An indexer without a thread, which starts with the first large document, and ends when none has come for a while. */
export function createIndexer(declaredPaths: readonly string[], idleMs = restMs): Indexer {
  /** What the thread has. The others wait, and are not copied yet; the projects take turns. */
  let current: Waiting | undefined;
  const waiting = new FairQueue<Waiting>();
  let worker: Worker | undefined;
  let end: NodeJS.Timeout | undefined;

  function endThread(): void {
    void closeThread(worker);
    worker = undefined;
  }

  function start(): Worker {
    const started = startThread(new URL('./index-thread.ts', import.meta.url), { declaredPaths });
    started.on('message', (result: IndexResult) => {
      const { resolve, reject } = current!;
      current = undefined;
      if ('difference' in result) resolve(result.difference);
      else reject(new Error(result.error));
      sendNext();
    });
    // The next large document starts another thread.
    started.on('error', (error) => {
      if (worker !== started) return;
      worker = undefined;
      current?.reject(error as Error);
      current = undefined;
      const failed = waiting.remove(() => true);
      for (const { reject } of failed) reject(error as Error);
    });
    return started;
  }

  function sendNext(): void {
    current = waiting.take();
    if (!current) {
      end = setTimeout(endThread, idleMs).unref();
      return;
    }
    clearTimeout(end);
    worker ??= start();
    worker.postMessage(current.request);
  }

  function difference(change: Change): Promise<LargeDifference> {
    const request = requestOf(change);
    const { projectKey } = request;
    return new Promise((resolve, reject) => {
      waiting.add({ projectKey, request, resolve, reject });
      if (!current) sendNext();
    });
  }

  return {
    differenceOfLarge: (change) => (isLarge(change) ? difference(change) : undefined),
    close() {
      clearTimeout(end);
      return closeThread(worker);
    },
  };
}

function isLarge(change: Change): boolean {
  const next = change.kind === 'delete' ? undefined : change.next;
  const written = next ? next.current.length + (next.staged?.length ?? 0) : 0;
  if (written > largeChars || change.kind === 'create') return written > largeChars;
  const { current, staged } = change.before;
  return charsLeft(staged, charsLeft(current, largeChars)) < 0;
}

function requestOf(change: Change): IndexRequest {
  const { projectKey } = change.kind === 'delete' ? change : change.next;
  const before = change.kind === 'create' ? undefined : change.before;
  const next = change.kind === 'delete' ? undefined : change.next;
  return {
    projectKey,
    before: before && textsOf(before),
    after: next && { current: next.current, staged: next.staged ?? null },
  };
}

/** About how many of so many characters a value leaves; negative as soon as it has more. */
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

function textsOf({ current, staged }: Documents): DocumentTexts {
  return { current: stringifyJson(current), staged: staged ? stringifyJson(staged) : null };
}
