import type { JsonObject } from '../../contract/json.ts';
import { parseStoredJson } from '../json/parse.ts';
import type { ResourceRecord, ResourceStore } from '../ports/resource-store.ts';
import { scanIntact } from '../resource/read/scan-intact.ts';
import { parseRecord, type StoredResource } from '../resource/resource.ts';
import { companionDeletion, companionWrite, readCompanionRecord } from '../resource/write/companion-record.ts';
import { fileOf, imageDetailsOf } from './variant.ts';

/**
 * Renditions that are still to be made: a record for each image, separate from its variant, so that the
 * variant's version does not change when they are ready. One project holds those of all, so that a start finds them.
 */
export const deferredProject = '~renditions';

/** Attempts to make the renditions of one image; a crash counts as a failed one. */
export const maxAttempts = 3;

export interface DeferredImage {
  readonly projectKey: string;
  readonly file: string;
}

export type RenditionStatus = 'ready' | 'pending' | 'failed';

/** How far the renditions of an image are. */
export interface RenditionState {
  readonly status: Exclude<RenditionStatus, 'ready'>;
  /** Why they failed, as a sentence for people. Absent where that is not known. */
  readonly reason?: string | undefined;
}

/** By the file of the original; a missing entry means ready. */
export type RenditionStatuses = ReadonlyMap<string, RenditionState>;

/** The prefix of the ids of all records of a project. */
export function deferredIdsOf(projectKey: string): string {
  return `${projectKey}/`;
}

const idOf = ({ projectKey, file }: DeferredImage) => deferredIdsOf(projectKey) + file;

const author = { clientId: 'images' };

/** Notes durably that renditions of the image are to be made. False if that is already noted, or was given up. */
export async function defer(store: ResourceStore, image: DeferredImage, nowIso: string): Promise<boolean> {
  const where = { projectKey: deferredProject, id: idOf(image) };
  const outcome = await store.commit(companionWrite(where, undefined, { attempts: 0 }, author, nowIso));
  if (outcome === 'idTaken') return false;
  if (outcome !== 'committed') throw new Error(`the renditions of ${idOf(image)} could not be noted: ${outcome}`);
  return true;
}

/** An image with renditions to be made, and when it was noted or last attempted. */
interface NotedImage extends DeferredImage {
  readonly touchedAtMs: number;
}

/** Images with renditions to be made, without those that were given up. */
export async function listDeferred(store: ResourceStore): Promise<readonly NotedImage[]> {
  const images: NotedImage[] = [];
  let afterId: string | undefined;
  for (;;) {
    // A damaged note still names its image: the next attempt replaces it.
    const records = await scanIntact(store, deferredProject, afterId, 500, ({ remains }) => {
      images.push(imageOf(remains.id, 0));
    });
    if (records.length === 0) return images;
    afterId = records.at(-1)!.id;
    for (const record of records) {
      if (!hasFailed(record.current)) images.push(imageOf(record.id, touchedAtMsOf(record)));
    }
  }
}

const touchedAtMsOf = (record: ResourceRecord) => Date.parse(parseRecord(record).resource.lastModifiedAt);

function imageOf(id: string, touchedAtMs: number): NotedImage {
  const slash = id.indexOf('/');
  return { projectKey: id.slice(0, slash), file: id.slice(slash + 1), touchedAtMs };
}

const hasFailed = (current: string) => (parseStoredJson(current) as JsonObject).failed === true;

/** The outcome of an attempt whose process ended: no success and no reason. */
const interrupted = 'The service ended while it made them.';

/**
 * Counts an attempt before it is made. `reason` is why the one before failed; it is kept until the next one fails. False
 * if there is nothing to do, or no attempt left.
 */
export async function beginAttempt(
  store: ResourceStore,
  image: DeferredImage,
  nowIso: string,
  reason?: string,
): Promise<boolean> {
  const note = await find(store, image);
  if (note === undefined) return false;
  const { attempts: made = 0, reason: kept } = note.resource.current;
  const attempts = Number(made) + 1;
  const why = reason ?? (typeof kept === 'string' ? kept : undefined);
  if (attempts > maxAttempts) {
    await replace(store, note, { attempts: maxAttempts, failed: true, reason: why ?? interrupted }, nowIso);
    return false;
  }
  return replace(store, note, { attempts, ...(why !== undefined && { reason: why }) }, nowIso);
}

/** Deletes the note of an image whose renditions are made, or that is gone. */
export async function settle(store: ResourceStore, image: DeferredImage): Promise<void> {
  const note = await find(store, image);
  if (note !== undefined) await store.commit(companionDeletion(note));
}

const find = (store: ResourceStore, image: DeferredImage): Promise<StoredResource | undefined> =>
  readCompanionRecord(store, deferredProject, idOf(image), author);

async function replace(
  store: ResourceStore,
  before: StoredResource,
  current: JsonObject,
  nowIso: string,
): Promise<boolean> {
  return (await store.commit(companionWrite(before.record, before, current, author, nowIso))) === 'committed';
}

function stateOf({ record }: StoredResource): RenditionState {
  if (!hasFailed(record.current)) return { status: 'pending' };
  const { reason } = parseStoredJson(record.current) as JsonObject;
  return typeof reason === 'string' ? { status: 'failed', reason } : { status: 'failed' };
}

/** The status of the renditions of the images in these documents of variants. */
export async function renditionStatuses(
  store: ResourceStore,
  projectKey: string,
  documents: readonly JsonObject[],
): Promise<RenditionStatuses> {
  const deferred = documents.flatMap(imageDetailsOf).filter((details) => details.deferred === true);
  const statuses = new Map<string, RenditionState>();
  for (const file of new Set(deferred.map(fileOf))) {
    const note = await find(store, { projectKey, file });
    if (note !== undefined) statuses.set(file, stateOf(note));
  }
  return statuses;
}
