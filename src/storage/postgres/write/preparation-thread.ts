import { workerData } from 'node:worker_threads';
import { documentsOfRequest, type IndexRequest } from '../../index/index-request.ts';
import { groupWords } from '../../index/word-groups.ts';
import { answerRequests } from '../../threads/thread-on-demand.ts';
import { createTermHash } from '../index/term-hash.ts';
import { type IndexedChange, indexChange } from './index-change.ts';

/** A change that writes a resource, to be indexed for the paths. */
export interface PutRequest extends IndexRequest {
  readonly after: NonNullable<IndexRequest['after']>;
  readonly paths: readonly string[];
}

const { key } = workerData as { readonly key: Uint8Array };
const hash = createTermHash(key);

answerRequests(({ projectKey, paths, ...request }: PutRequest): IndexedChange => {
  const { before, after } = documentsOfRequest(request);
  const { words, ...indexed } = indexChange(projectKey, before, after!, request.after, paths, hash);
  const byLocale = new Map<string, string[]>();
  for (const [locale, word] of words) {
    const known = byLocale.get(locale);
    if (known) known.push(word);
    else byLocale.set(locale, [word]);
  }
  return { ...indexed, words: [], wordGroups: groupWords(byLocale) };
});
