import { workerData } from 'node:worker_threads';
import { type IndexDifference, indexDifference } from '../../index/index-entries.ts';
import { documentsOfRequest, type IndexRequest } from '../../index/index-request.ts';
import { groupWords, type WordGroup } from '../../index/word-groups.ts';
import { lowerPriority } from '../../threads/lower-priority.ts';
import { answerRequests } from '../../threads/thread-on-demand.ts';

/** What the change of a large document changes in the index, and the words that it adds to the vocabulary. */
export interface LargeDifference extends Omit<IndexDifference, 'gained'> {
  readonly addedWords: readonly WordGroup[];
}

const { declaredPaths } = workerData as { readonly declaredPaths: readonly string[] };

// Small requests of others come first where all cores are busy.
lowerPriority();

answerRequests(({ projectKey, ...request }: IndexRequest): LargeDifference => {
  const { before, after } = documentsOfRequest(request);
  const { gained, ...terms } = indexDifference(projectKey, before, after, declaredPaths);
  return { ...terms, addedWords: groupWords(gained) };
});
