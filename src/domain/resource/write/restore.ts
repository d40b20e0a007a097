import { checkFields, checkInteger, isAbsent } from '../../../contract/check.ts';
import { ServiceError } from '../../../contract/errors.ts';
import type { JsonObject, JsonValue } from '../../../contract/json.ts';
import { checkKey } from '../../../contract/resource.ts';
import { findVersions, historicId, noVersion } from '../../history/versions.ts';
import { type HistorySource, isKnown, stepsBack } from '../../history/walk.ts';
import type { ChangeLog } from '../../ports/change-log.ts';
import { type Target, targetNotFound } from '../target.ts';
import { commitDecided, type Write, type WriteResponse } from './commit.ts';
import { type Decision, decideCreate } from './decision.ts';
import { duplicateKey } from './draft.ts';
import { workingOf } from './earlier.ts';
import { checkPreconditions } from './preconditions.ts';

/**
 * Restores a deleted resource under its id, with what the log has of it. Its versions go on where they ended, so that
 * no version and no entity tag of it ever stands for something else.
 */
export async function restoreDeleted(
  write: Write & { readonly log: ChangeLog },
  target: Target,
  body: JsonValue | undefined,
): Promise<WriteResponse> {
  const request = checkRestore(body);
  return commitDecided(write, () => decideRestore(write, target, request));
}

/** By default the version that was deleted, with its key; `key` may be another, or none (`null`). */
function checkRestore(body: JsonValue = {}) {
  const { version, key } = checkFields(body, '', ['version', 'key']);
  return {
    version: isAbsent(version) ? undefined : checkInteger(version, 'version'),
    key: isAbsent(key) ? key : checkKey(key, 'key'),
  };
}

async function decideRestore(
  { store, log, projectKey, context, preconditions }: Write & { readonly log: ChangeLog },
  target: Target,
  request: ReturnType<typeof checkRestore>,
): Promise<Decision> {
  const source = { store, log };
  const id = await historicId(source, projectKey, target);
  if (id === undefined) throw targetNotFound(target);
  if ((await store.get(projectKey, id)) !== undefined) {
    const message = `The Resource '${id}' is not deleted; the update action restore gives it an earlier content.`;
    throw new ServiceError('InvalidOperation', message);
  }
  checkPreconditions(preconditions, undefined);
  const { value: step } = await stepsBack(source, projectKey, id).next();
  if (step === undefined || !isKnown(step.before)) throw targetNotFound(target);
  const { change: deletion, before } = step;
  const last = deletion.version;
  const { version = BigInt(last) } = request;
  const documents = version === BigInt(last) ? before : await documentsOf(source, projectKey, id, version, last);
  const content = workingOf(documents);
  const key = request.key === undefined ? content.key : (request.key ?? undefined);
  const owner = key === undefined ? undefined : await store.getByKey(projectKey, key);
  if (owner !== undefined) throw duplicateKey(owner);
  return decideCreate(
    projectKey,
    id,
    { ...content, ...creationOf(before.current), key, kind: { type: 'restored', cause: 'restore' } },
    context,
    { version: last + 1, incarnation: deletion.incarnation, after: deletion.sequence },
  );
}

/** A version before the last one. Throws where it is not kept. */
async function documentsOf(source: HistorySource, projectKey: string, id: string, version: bigint, last: number) {
  const { found, range } = await findVersions(source, projectKey, id, new Set([version]));
  const chosen = found.get(version);
  if (chosen) return chosen.documents;
  throw noVersion(id, version, range ?? { first: last, last });
}

/** When and by whom a resource was created. */
function creationOf({ createdAt, createdBy }: JsonObject) {
  return { createdAt: createdAt as string, createdBy: createdBy as JsonObject };
}
