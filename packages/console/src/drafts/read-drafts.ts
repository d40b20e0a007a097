import type { JsonMap } from '../api/json.ts';
import { call } from '../app/session.ts';
import { historyCall } from '../resource/read-calls.ts';
import { type Draft, draftsOf, type StagingEntry } from './drafts.ts';

/** Reads what is staged beside what readers see, and who staged it, as far as the history is kept. */
export async function readDrafts(
  projectKey: string,
  current: JsonMap,
  readStaged: () => Promise<JsonMap>,
): Promise<{ readonly staged: JsonMap; readonly drafts: readonly Draft[] }> {
  const [staged, page] = await Promise.all([
    readStaged(),
    call(projectKey, historyCall(projectKey, current.id as string)).catch(() => undefined),
  ]);
  const { results = [] } = (page?.body ?? {}) as { results?: unknown };
  return { staged, drafts: draftsOf(current, staged, results as readonly StagingEntry[]) };
}
