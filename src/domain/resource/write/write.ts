import type { JsonValue } from '../../../contract/json.ts';
import { checkDraft, type Draft } from '../../../contract/resource.ts';
import type { ResourceStore } from '../../ports/resource-store.ts';
import { type Kept, keptRecord } from '../resource.ts';
import { commitDecided, type Write, type WriteAnswer } from './commit.ts';
import { duplicateKey } from './conflict.ts';
import { type DraftMode, decideDraft } from './draft.ts';

/** Writes a draft to the collection: E6, E7 or E8 by its mode (decision 10). */
export async function writeDraft(write: Write, mode: DraftMode, body: JsonValue | undefined): Promise<WriteAnswer> {
  const { store, projectKey, context, preconditions } = write;
  const draft = checkDraft(body);
  return commitDecided(write, async () => {
    const target = await findDraftTarget(store, projectKey, draft);
    return decideDraft(target, draft, mode, preconditions, projectKey, context);
  });
}

/** The resource that a draft is for: by its id, else by its key. Refused where the two name different ones. */
export async function findDraftTarget(
  store: ResourceStore,
  projectKey: string,
  { id, key }: Pick<Draft, 'id' | 'key'>,
): Promise<Kept | undefined> {
  const byKey = typeof key === 'string' ? await store.getByKey(projectKey, key) : undefined;
  if (id === undefined || byKey?.id === id) return byKey && keptRecord(byKey);
  if (byKey !== undefined) throw duplicateKey(byKey.key ?? '', byKey.id);
  const byId = await store.get(projectKey, id);
  return byId && keptRecord(byId);
}
