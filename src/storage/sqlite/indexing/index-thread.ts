import { parentPort, workerData } from 'node:worker_threads';
import { type IndexDifference, indexDifference } from '../../index/index-entries.ts';
import { type DocumentTexts, documentsOf } from '../../row/stored-row.ts';

/** The arguments of `indexDifference`, as texts since raw numbers cannot be cloned to another thread. */
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

function resultOf({ projectKey, before, after }: IndexRequest): IndexResult {
  try {
    return {
      difference: indexDifference(
        projectKey,
        before && documentsOf(before),
        after && documentsOf(after),
        declaredPaths,
      ),
    };
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

port.on('message', (request: IndexRequest | 'close') => {
  if (request === 'close') port.close();
  else port.postMessage(resultOf(request));
});
