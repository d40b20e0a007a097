import { parentPort, workerData } from 'node:worker_threads';
import { type IndexDifference, indexDifference } from '../../index/index-entries.ts';
import { type DocumentTexts, documentsOf } from '../../row/stored-row.ts';

/** The arguments of `indexDifference`, as texts since raw numbers cannot be cloned to another thread. */
export interface IndexRequest {
  readonly projectKey: string;
  readonly before: DocumentTexts | undefined;
  readonly after: DocumentTexts | undefined;
}

/** One for each message, in their order: the differences of its requests. */
export type IndexResult = { readonly differences: readonly IndexDifference[] } | { readonly error: string };

const port = parentPort;
if (!port) throw new Error('This file is the entry of a worker thread.');
const { declaredPaths } = workerData as { readonly declaredPaths: readonly string[] };

function differenceOf({ projectKey, before, after }: IndexRequest): IndexDifference {
  return indexDifference(projectKey, before && documentsOf(before), after && documentsOf(after), declaredPaths);
}

function resultOf(requests: readonly IndexRequest[]): IndexResult {
  try {
    return { differences: requests.map(differenceOf) };
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

port.on('message', (requests: readonly IndexRequest[] | 'close') => {
  if (requests === 'close') port.close();
  else port.postMessage(resultOf(requests));
});
