import { workerData } from 'node:worker_threads';
import { type IndexDifference, indexDifference } from '../../index/index-entries.ts';
import type { IndexRequest } from '../../index/index-request.ts';
import { groupWords, type WordGroup } from '../../index/word-groups.ts';
import { documentsOf } from '../../row/stored-row.ts';
import { answerRequests } from '../../threads/thread-on-demand.ts';

/** What the change of a large document changes in the index, and the words that it adds to the vocabulary. */
export interface LargeDifference extends Omit<IndexDifference, 'gained'> {
  readonly addedWords: readonly WordGroup[];
}

const { declaredPaths } = workerData as { readonly declaredPaths: readonly string[] };

answerRequests(({ projectKey, before, after }: IndexRequest): LargeDifference => {
  const [old, next] = [before && documentsOf(before), after && documentsOf(after)];
  const { gained, ...terms } = indexDifference(projectKey, old, next, declaredPaths);
  return { ...terms, addedWords: groupWords(gained) };
});
