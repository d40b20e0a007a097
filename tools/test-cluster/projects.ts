import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '../../src/contract/json.ts';
import { canonicalInstant } from '../../src/domain/instant.ts';
import type { ListQuery } from '../../src/domain/ports/list-query.ts';
import type { Change, StorableRecord } from '../../src/domain/ports/resource-store.ts';
import type { Store } from '../../src/domain/ports/store.ts';
import { parsePredicate } from '../../src/domain/predicate/parse.ts';
import { checkStorable } from '../../src/domain/resource/resource.ts';
import type { Locate } from '../../src/record/postgres/open/nodes.ts';
import { openPostgresStore } from '../../src/store/postgres/store.ts';
import { noStoreMetrics } from '../../test/storage/no-store-metrics.ts';

/** What the trials have in common: stores on the cluster, and the documents that they write. */

const time = '2026-01-02T03:04:05.678Z';

function record(projectKey: string, current: JsonObject): StorableRecord {
  const instant = canonicalInstant(time)!;
  const unchecked = {
    projectKey,
    ...{ id: String(current.id), key: undefined, version: Number(current.version), incarnation: undefined },
    ...{ createdAt: instant, lastModifiedAt: instant, staged: undefined, history: '' },
    current: JSON.stringify(current),
  };
  return checkStorable(unchecked, [current], { current });
}

/** A resource of a trial. */
export function document(id: string, version: number, fields: JsonObject = {}): JsonObject {
  return { id, version, createdAt: time, lastModifiedAt: time, ...fields };
}

export function creation(projectKey: string, current: JsonObject): Change {
  return { kind: 'create', next: record(projectKey, current), after: { current } };
}

export function replacement(projectKey: string, before: JsonObject, current: JsonObject): Change {
  return {
    ...{ kind: 'update', expectedVersion: Number(before.version), next: record(projectKey, current) },
    ...{ before: { current: before }, after: { current } },
  };
}

/** A list of a project by a predicate. */
export function listOf(projectKey: string, where: string): ListQuery {
  const predicates = [parsePredicate(where, { variables: new Map() })];
  return { projectKey, where: predicates, sort: [], limit: 5, offset: 0, withTotal: true, staged: false };
}

export interface StoreSettings {
  readonly declaredPaths?: readonly string[];
  readonly note?: (text: string) => void;
  readonly locate?: Locate;
}

/** Opens the store as a process of the service would, with a mirror that is removed when the store is closed. */
export async function openStore(url: string, settings: StoreSettings = {}): Promise<Store> {
  const mirrorFolder = mkdtempSync(join(tmpdir(), 'grs-trial-'));
  const remove = () => rmSync(mirrorFolder, { recursive: true, force: true });
  const opened = openPostgresStore({
    ...{
      url,
      mirrorFolder,
      access: 'exclusive',
      declaredPaths: [],
      maxPageBytes: 8_388_608,
      queryTimeoutMs: 2000,
      keepsHistory: true,
      connections: 16,
    },
    ...{ metrics: noStoreMetrics, note: () => {}, onFatal: () => {}, ...settings },
  });
  const store = await opened.catch((error: unknown) => {
    remove();
    throw error;
  });
  const close = () => store.close().finally(remove);
  return { ...store, close };
}

/** What a trial found: lines to show, and what is not as it should be. */
export interface TrialResult {
  readonly lines: readonly string[];
  readonly problems: readonly string[];
}
