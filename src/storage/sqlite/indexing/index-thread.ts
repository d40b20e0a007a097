import { parentPort, workerData } from 'node:worker_threads';
import { type IndexDifference, indexDifference } from '../../index/index-entries.ts';
import { type DocumentTexts, documentsOf } from '../../row/stored-row.ts';
import { groupWords, type WordGroup } from './vocabulary-writer.ts';

/** The arguments of `indexDifference`, as texts since raw numbers cannot be cloned to another thread. */
export interface IndexRequest {
  readonly projectKey: string;
  readonly before: DocumentTexts | undefined;
  readonly after: DocumentTexts | undefined;
}

/** What the change of a large document changes in the index, and the words that it adds to the vocabulary. */
export interface LargeDifference extends Omit<IndexDifference, 'gained'> {
  readonly addedWords: readonly WordGroup[];
}

/** One for each request, in their order. */
export type IndexResult = { readonly difference: LargeDifference } | { readonly error: string };

const port = parentPort;
if (!port) throw new Error('This file is the entry of a worker thread.');
const { declaredPaths } = workerData as { readonly declaredPaths: readonly string[] };

function differenceOf({ projectKey, before, after }: IndexRequest): LargeDifference {
  const [old, next] = [before && documentsOf(before), after && documentsOf(after)];
  const { gained, ...terms } = indexDifference(projectKey, old, next, declaredPaths);
  return { ...terms, addedWords: groupWords(gained) };
}

function resultOf(request: IndexRequest): IndexResult {
  try {
    return { difference: differenceOf(request) };
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

port.on('message', (request: IndexRequest | 'close') => {
  if (request === 'close') port.close();
  else port.postMessage(resultOf(request));
});
