import { parentPort, workerData } from 'node:worker_threads';
import type { JsonObject } from '../../../contract/json.ts';
import { parseStoredJson } from '../../../domain/json/parse.ts';
import type { Documents } from '../../../domain/ports/resource-store.ts';
import { type IndexDifference, indexDifference } from '../../index/index-entries.ts';

/** The documents of a row as JSON texts: raw numbers are not cloned from thread to thread. */
export interface DocumentTexts {
  readonly current: string;
  readonly staged: string | undefined;
}

/** The arguments of `indexDifference` but for the declared paths, which do not change. */
export interface IndexRequest {
  readonly projectKey: string;
  readonly before: DocumentTexts | undefined;
  readonly after: DocumentTexts | undefined;
}

/** One for each request, in their order. */
export type IndexResult = { readonly difference: IndexDifference } | { readonly error: string };

const port = parentPort;
if (!port) throw new Error('This file is the entry of a worker thread.');
const { declaredPaths } = workerData as { readonly declaredPaths: readonly string[] };

function documentsOf(texts: DocumentTexts | undefined): Documents | undefined {
  if (!texts) return undefined;
  const current = parseStoredJson(texts.current) as JsonObject;
  return texts.staged === undefined ? { current } : { current, staged: parseStoredJson(texts.staged) as JsonObject };
}

function answer({ projectKey, before, after }: IndexRequest): IndexResult {
  try {
    return { difference: indexDifference(projectKey, documentsOf(before), documentsOf(after), declaredPaths) };
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

port.on('message', (request: IndexRequest | 'close') => {
  if (request === 'close') port.close();
  else port.postMessage(answer(request));
});
