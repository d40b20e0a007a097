import { DamagedData } from '../../domain/damaged-data.ts';
import type { ListPage, ListQuery } from '../../domain/ports/list-query.ts';
import type {
  Change,
  CommitOutcome,
  GroupOutcome,
  ResourceRecord,
  ResourceStore,
} from '../../domain/ports/resource-store.ts';
import { DamagedResource } from '../../domain/resource/damaged.ts';
import type { StoreMetrics } from '../../telemetry/store-metrics.ts';
import { type CompiledList, compileExists, compileList } from './query/plan-list.ts';
import { createPageCache } from './read/page-cache.ts';
import type { ExpiredResponse, PointReads } from './read/point-reads.ts';
import type { QueryPool } from './read/query-pool.ts';
import { createRecordCache, createSharedRecordCache } from './read/record-cache.ts';
import type { CommitPacked } from './serve-bulk.ts';
import type { GroupOperation, PackedOperation } from './write/messages.ts';
import type { Writer } from './write/writer.ts';
import { nameOf, operationOf, responseColumns, targetOf } from './write-operation.ts';

export interface ResourceStoreParts {
  readonly reads: PointReads;
  readonly writer: Writer;
  readonly queries: QueryPool;
  readonly declaredPaths: readonly string[];
  readonly metrics: StoreMetrics;
  /** Memory for the cache of records; that of pages has half as much. */
  readonly cacheBytes: number;
  /** True where other processes write as well. */
  readonly isShared: boolean;
  /** Changes are logged; of those of companion projects the writes of documents that they name. */
  readonly keepsHistory: boolean;
}

/** Rows deleted per transaction, and read before it on the calling thread: about a millisecond each. */
const expiredPortion = 250;

async function deleteExpiredResponses(reads: PointReads, writer: Writer, nowMs: number): Promise<number> {
  const sql = 'DELETE FROM idempotent_answer WHERE rowid IN (SELECT value FROM json_each(?)) AND expires_at < ?';
  let total = 0;
  for (let last: ExpiredResponse | undefined; ; ) {
    reads.leaveSnapshot();
    const expired = reads.expired(nowMs, last, expiredPortion);
    last = expired.at(-1);
    if (!last) return total;
    const rows = expired.filter(({ isIntact }) => isIntact).map(({ row }) => row);
    if (rows.length === 0) continue;
    const [deleted = 0] = await writer.write([{ sql, params: [JSON.stringify(rows), nowMs] }]);
    total += deleted;
  }
}

/** The ResourceStore port on SQLite: point reads on this thread, lists in the query threads, writes by the writer. */
export function createResourceStore(
  parts: ResourceStoreParts,
): ResourceStore & { readonly commitPacked: CommitPacked } {
  const { reads, writer, queries, declaredPaths, metrics, cacheBytes, keepsHistory } = parts;
  const records = parts.isShared ? createSharedRecordCache(cacheBytes, reads) : createRecordCache(cacheBytes);
  // Other processes signal that they have written, but not to which project.
  const pages = parts.isShared ? undefined : createPageCache(cacheBytes / 2);
  metrics.recordCache('records', records.statistics);
  if (pages) metrics.recordCache('pages', pages.statistics);

  async function commit(change: Change): Promise<CommitOutcome> {
    const { projectKey } = targetOf(change);
    const name = nameOf(change);
    const operation = operationOf(change, keepsHistory);
    records.writeBegins(name);
    pages?.writeBegins(projectKey);
    let updated: ResourceRecord | undefined;
    try {
      const outcome = await writer.submit(operation);
      if (outcome === 'committed' && change.kind === 'update') updated = change.next;
      return outcome;
    } finally {
      records.writeEnded(name, updated);
      pages?.writeEnded(projectKey);
    }
  }

  async function commitAll(changes: readonly Change[]): Promise<GroupOutcome> {
    const { projectKey } = targetOf(changes[0]!);
    const operations = changes.map((change) => operationOf(change, keepsHistory));
    /** The last change of each resource, by its name in the cache. */
    const last = new Map(changes.map((change) => [nameOf(change), change]));
    return commitNamed(projectKey, [...last.keys()], ['group', operations], (name) => {
      const change = last.get(name)!;
      return change.kind === 'update' ? change.next : undefined;
    });
  }

  /** `updatedOf`: what a commit makes of a resource that is updated, by its name in the cache. */
  async function commitNamed(
    projectKey: string,
    names: readonly string[],
    group: GroupOperation | PackedOperation,
    updatedOf: (name: string) => ResourceRecord | undefined,
  ): Promise<GroupOutcome> {
    for (const name of names) records.writeBegins(name);
    pages?.writeBegins(projectKey);
    let isCommitted = false;
    try {
      const outcome = await writer.submitGroup(group);
      isCommitted = outcome === 'committed';
      return outcome;
    } finally {
      for (const name of names) records.writeEnded(name, isCommitted ? updatedOf(name) : undefined);
      pages?.writeEnded(projectKey);
    }
  }

  const commitPacked: CommitPacked = ({ projectKey, names, characters, bytes }) =>
    commitNamed(projectKey, names, ['packed', projectKey, characters, bytes], () => undefined);

  /** Callers that repeat a query hand in the same object. */
  const compiled = new WeakMap<ListQuery, CompiledList>();

  /** Reads; what is found to be damaged is set aside, and it is read once more without it. */
  async function noticing<T>(read: () => Promise<T>, mayRepeat = true): Promise<T> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof DamagedData) || !error.place.rows) throw error;
      const done = writer.setAside(error.place.rows);
      if (!mayRepeat) throw error;
      await done;
    }
    return noticing(read, false);
  }

  function noticingOne(read: () => ResourceRecord | undefined): ResourceRecord | undefined {
    try {
      return read();
    } catch (error) {
      const row = error instanceof DamagedResource ? reads.rowOf(error.remains) : undefined;
      if (row !== undefined) void writer.setAside([row]);
      throw error;
    }
  }

  async function list(query: ListQuery, signal?: AbortSignal): Promise<ListPage> {
    const cached = pages?.get(query);
    metrics.recordList(cached !== undefined);
    if (cached) return cached;
    const cachePage = pages?.readBegins(query);
    const plan = compiled.get(query) ?? compileList(query, declaredPaths);
    compiled.set(query, plan);
    const page = await queries.list(plan, signal, query);
    cachePage?.(page);
    return page;
  }

  return {
    get(projectKey, id) {
      const name = `${projectKey}/${id}`;
      const cached = records.get(name);
      metrics.recordRead(cached !== undefined);
      if (cached) return cached;
      const record = noticingOne(() => reads.byId(projectKey, id));
      if (record) records.offer(name, record);
      return record;
    },
    getByKey: (projectKey, key) => noticingOne(() => reads.byKey(projectKey, key)),
    commit,
    commitAll,
    commitPacked,
    groupSize: writer.groupSize,
    storeResponse: (_projectKey, response) =>
      writer.submit(['response', responseColumns(response)]) as ReturnType<ResourceStore['storeResponse']>,
    list: (query, signal) => noticing(() => list(query, signal)),
    async scan(projectKey, afterId, limit) {
      // Consecutive calls within one turn of the event loop would otherwise stay in the first one's snapshot.
      reads.leaveSnapshot();
      return reads.after(projectKey, afterId, limit);
    },
    search: (query, signal) => noticing(() => queries.search(query, signal)),
    exists: (projectKey, where, staged, signal) =>
      noticing(() => queries.exists(compileExists({ projectKey, where, staged }, declaredPaths), signal, where)),
    getIdempotentResponse: reads.response,
    deleteExpiredResponses: (nowMs) => deleteExpiredResponses(reads, writer, nowMs),
  };
}
