import type { JsonObject } from '../../contract/json.ts';
import { parseStoredJson, stringifyJson } from '../../domain/json/parse.ts';
import type { ResourceRecord, ResourceStore } from '../../domain/ports/resource-store.ts';
import { scanIntact } from '../../domain/resource/read/scan-intact.ts';
import { parseRecord } from '../../domain/resource/resource.ts';
import { decideRecord, readCompanionRecord, serviceContext } from '../../domain/resource/write/companion-record.ts';
import { decideDelete } from '../../domain/resource/write/decision.ts';

/**
 * Where the data of subscriptions is: records of companion projects, so that every engine keeps it alike (decision 123).
 * Each holds one JSON text, which the indexes take as a single short term.
 */

const author = 'webhooks';

/** A record for each project that has, or had, subscriptions, so that a start finds them without reading all projects. */
export const registryProject = '~subscriptions';
/** The subscriptions of a project. */
export const subscriptionsOf = (projectKey: string) => `${projectKey}~subscriptions`;
/** How far each was delivered, by the id of the subscription. */
export const statesOf = (projectKey: string) => `${projectKey}~deliveries`;
/** Recent deliveries, by the id of the subscription. */
export const attemptsOf = (projectKey: string) => `${projectKey}~attempts`;
/** What could not be delivered. */
export const deadLettersOf = (projectKey: string) => `${projectKey}~dead-letters`;

/** Names a subscription, as a subscription itself does. */
export interface SubscriptionRef {
  readonly projectKey: string;
  readonly id: string;
}

/** The content of a record and the version that it has. */
export interface Kept {
  readonly id: string;
  readonly version: number;
  readonly value: JsonObject;
}

/** The JSON object in the `json` of a record; an empty one in the place of a damaged record has none. */
export function contentOf(record: ResourceRecord): JsonObject {
  const { json } = parseRecord(record).resource.current;
  return json === undefined ? {} : (parseStoredJson(json as string) as JsonObject);
}

const keptOf = (record: ResourceRecord): Kept => ({
  id: record.id,
  version: record.version,
  value: contentOf(record),
});

/** Reads a record. */
export async function readKept(store: ResourceStore, projectKey: string, id: string): Promise<Kept | undefined> {
  const record = await store.get(projectKey, id);
  return record && keptOf(record);
}

/** Reads a record for a write that needs nothing of a damaged one: such a record is empty. */
export async function readKeptOrEmpty(store: ResourceStore, projectKey: string, id: string): Promise<Kept | undefined> {
  const found = await readCompanionRecord(store, projectKey, id, serviceContext(author));
  return found && keptOf(found.record);
}

/** The next records by id, as `scanIntact` reads them. */
export async function scanKept(
  store: ResourceStore,
  projectKey: string,
  afterId: string | undefined,
  limit: number,
  onDamaged: (id: string) => void = () => {},
): Promise<readonly Kept[]> {
  const records = await scanIntact(store, projectKey, afterId, limit, ({ remains }) => onDamaged(remains.id));
  return records.map(keptOf);
}

/**
 * Writes a record whole if it still has the expected version; 0: if it does not exist, or is damaged without a version
 * (see `readKeptOrEmpty`). Returns its new version, or undefined where another writer was first.
 */
export async function writeKept(
  store: ResourceStore,
  projectKey: string,
  { id, version: expectedVersion, value }: Kept,
  nowIso: string,
): Promise<number | undefined> {
  const context = serviceContext(author, nowIso);
  const found = await readCompanionRecord(store, projectKey, id, context);
  if ((found?.record.version ?? 0) !== expectedVersion) return undefined;
  const { change, outcome } = decideRecord(projectKey, id, found, { json: stringifyJson(value) }, context);
  return (await store.commit(change!)) === 'committed' ? outcome.record.version : undefined;
}

/** Deletes a record in whatever version it has, also a damaged one. */
export async function deleteKept(store: ResourceStore, projectKey: string, id: string): Promise<void> {
  for (;;) {
    const context = serviceContext(author);
    const found = await readCompanionRecord(store, projectKey, id, context);
    if (found === undefined || (await store.commit(decideDelete(found, context).change!)) === 'committed') return;
  }
}
