import type { JsonObject } from '../../contract/json.ts';
import { getOwn } from '../json/values.ts';
import type { ResourceRecord, ResourceStore } from '../ports/resource-store.ts';
import { scanIntact } from '../resource/read/scan-intact.ts';
import { parseRecord } from '../resource/resource.ts';
import { readCompanionRecord, serviceContext } from '../resource/write/companion-record.ts';
import { decideDelete, decideUpdate } from '../resource/write/decision.ts';

/**
 * Sessions of the embedded backend: a record of a companion project for each, with its document. The id of a session is made by
 * the client at random, so that whoever knows it may use it; its writes make no events.
 */

/** Bounds: sessions of a project, bytes of a document, and days after which an unused one is deleted. */
export const sessionLimits = { sessions: 100_000, documentBytes: 262_144, unusedDays: 30 } as const;

export const sessionForm = /^[A-Za-z0-9_-]{16,128}$/;

/** The companion project with the sessions of a project. No path of a request can name it. */
export function sessionsProjectOf(projectKey: string): string {
  return `${projectKey}~sessions`;
}

const dayMs = 86_400_000;
const deletedAtOnce = 100;
const scannedAtOnce = 500;

/** A use is noted by the day, so that reads seldom write. */
export function dayAt(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

const usedOnOf = ({ current }: { readonly current: JsonObject }) => String(getOwn(current, 'usedOn'));

type Sessions = Pick<ResourceStore, 'get' | 'scan' | 'commit'>;

const contextAt = (ms: number) => serviceContext('service', new Date(ms).toISOString());

/** The sessions of a project by their ids, `limit` at most. */
export async function listSessions(
  store: Pick<Sessions, 'scan'>,
  projectKey: string,
  afterId: string | undefined,
  limit: number,
) {
  const records: ResourceRecord[] = [];
  // A scan may return fewer than there are; only nothing is the end.
  for (let after = afterId; records.length < limit; after = records.at(-1)!.id) {
    const most = Math.min(limit - records.length, scannedAtOnce);
    const found = await scanIntact(store, sessionsProjectOf(projectKey), after, most);
    if (found.length === 0) break;
    records.push(...found);
  }
  return records.map((record) => {
    const { resource } = parseRecord(record);
    const { id, createdAt, lastModifiedAt } = resource;
    return { id, createdAt, lastModifiedAt, lastUsedOn: usedOnOf(resource), bytes: Buffer.byteLength(record.current) };
  });
}

/** Notes that a session was read today. What another process wrote meanwhile is the newer use. */
export async function noteUse(store: Pick<Sessions, 'commit'>, record: ResourceRecord, nowMs: number): Promise<void> {
  const before = parseRecord(record);
  const usedOn = dayAt(nowMs);
  if (usedOnOf(before.resource) === usedOn) return;
  const edit = { key: undefined, current: { ...before.resource.current, usedOn }, staged: undefined };
  await store.commit(decideUpdate(before, edit, contextAt(nowMs)).change!);
}

/** Deletes a session, also a damaged one. False if there is none. */
export async function deleteSession(
  store: Pick<Sessions, 'get' | 'commit'>,
  projectKey: string,
  id: string,
  nowMs: number,
): Promise<boolean> {
  const context = contextAt(nowMs);
  for (;;) {
    const found = await readCompanionRecord(store, sessionsProjectOf(projectKey), id, context);
    if (!found) return false;
    if ((await store.commit(decideDelete(found, context).change!)) === 'committed') return true;
  }
}

/** Deletes the sessions that were not used for so many days. Resolves to their number. One that is used meanwhile stays. */
export async function deleteUnusedSessions(
  store: Pick<Sessions, 'scan' | 'commit'>,
  projectKey: string,
  unusedDays: number,
  nowMs: number,
): Promise<number> {
  const lastDay = dayAt(nowMs - unusedDays * dayMs);
  const context = contextAt(nowMs);
  let deleted = 0;
  for (let after: string | undefined; ; ) {
    const records = await scanIntact(store, sessionsProjectOf(projectKey), after, deletedAtOnce);
    if (records.length === 0) return deleted;
    after = records.at(-1)!.id;
    const unused = records.map(parseRecord).filter(({ resource }) => usedOnOf(resource) <= lastDay);
    const outcomes = await Promise.all(unused.map((each) => store.commit(decideDelete(each, context).change!)));
    deleted += outcomes.filter((outcome) => outcome === 'committed').length;
  }
}
