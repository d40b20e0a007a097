import type { ListPage, ListQuery } from '../../domain/ports/list-query.ts';
import type {
  Change,
  CommitOutcome,
  DocumentWrite,
  GroupOutcome,
  IdempotentResponse,
  ResourceRecord,
  ResourceStore,
} from '../../domain/ports/resource-store.ts';
import type { StoreMetrics } from '../../telemetry/store-metrics.ts';
import { replacedBy } from '../row/change-record.ts';
import { originColumns, originOfChange } from '../row/logged-change.ts';
import { type ResourceColumns, writeHistory } from '../row/stored-row.ts';
import type { IndexColumns } from './indexing/follower.ts';
import type { LargeDifference } from './indexing/index-thread.ts';
import type { Indexer } from './indexing/indexer.ts';
import { type CompiledList, compileExists, compileList } from './query/plan-list.ts';
import { compileTermList, type TermList } from './query/term-list.ts';
import { createPageCache } from './read/page-cache.ts';
import type { ExpiredResponse, PointReads } from './read/point-reads.ts';
import type { QueryThreads } from './read/query-threads.ts';
import { createRecordCache, createSharedRecordCache } from './read/record-cache.ts';
import type { DocumentTuple, OriginTuple, ResponseColumns, WriteOperation } from './write/messages.ts';
import type { Writer } from './write/writer.ts';

export interface ResourceStoreParts {
  readonly reads: PointReads;
  readonly writer: Writer;
  readonly queryThreads: QueryThreads;
  readonly indexer: Indexer;
  readonly declaredPaths: readonly string[];
  readonly metrics: StoreMetrics;
  /** Memory for the cache of records; that of pages has half as much. */
  readonly cacheBytes: number;
  /** True where other processes write as well. */
  readonly isShared: boolean;
  /** Changes are logged; of those of companion projects the writes of documents that they name. */
  readonly keepsHistory: boolean;
}

function responseColumns(response: IdempotentResponse): ResponseColumns {
  const { scope, requestHash, status, headers, body, expiresAtMs } = response;
  return [scope, requestHash, status, JSON.stringify(headers), body, expiresAtMs];
}

function originTuple(change: Change): OriginTuple {
  const { type, at, client, origin } = originOfChange(change, Date.now());
  return [type, at, client, origin];
}

/** Of a change of a companion project: a write that the log of its project has. */
function documentTuple({ name, version, origin }: DocumentWrite): DocumentTuple {
  const { type, at, client, origin: text } = originColumns(origin);
  return [name, version, [type, at, client, text]];
}

/** A change in the form that is sent to the writer; for large documents with its effect on the index. */
function operationOf(change: Change, keepsHistory: boolean, difference?: LargeDifference): WriteOperation {
  const index: IndexColumns | null = difference
    ? [difference.removed, difference.added, difference.removedText, difference.addedText, difference.addedWords]
    : null;
  const response = change.idempotency ? responseColumns(change.idempotency) : null;
  const isCompanion = targetOf(change).projectKey.includes('~');
  const origin = keepsHistory && !isCompanion ? originTuple(change) : null;
  if (change.kind === 'delete') {
    const { projectKey, id, expectedVersion, expectedIncarnation = null } = change;
    return ['delete', projectKey, id, index, response, origin, expectedVersion, expectedIncarnation] as const;
  }
  const { projectKey, id, key, version, createdAt, lastModifiedAt, current, staged } = change.next;
  const identity = [projectKey, id, key ?? null, version, createdAt, lastModifiedAt] as const;
  const resource: ResourceColumns = [...identity, current, staged ?? null, writeHistory(change.next)];
  // Absent where there are none, which is nearly always: each member is cloned.
  const documents = keepsHistory ? change.documentWrites?.map(documentTuple) : undefined;
  if (change.kind === 'create') {
    const operation = ['create', resource, index, response, origin, change.continues ?? null] as const;
    return documents ? [...operation, documents] : operation;
  }
  const [before, after] = [change.before.current, change.after.current];
  const identityMoved = before.key !== after.key || before.createdAt !== after.createdAt;
  const replaced = replacedBy(change.before, change.after);
  const { expectedVersion, expectedIncarnation = null } = change;
  const expected = [expectedVersion, expectedIncarnation] as const;
  const operation = ['update', resource, index, response, origin, ...expected, identityMoved, replaced] as const;
  return documents ? [...operation, documents] : operation;
}

function targetOf(change: Change): Pick<ResourceRecord, 'projectKey' | 'id'> {
  return change.kind === 'delete' ? change : change.next;
}

/** The name of the resource of a change in the cache of records. */
function nameOf(change: Change): string {
  const { projectKey, id } = targetOf(change);
  return `${projectKey}/${id}`;
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
export function createResourceStore(parts: ResourceStoreParts): ResourceStore {
  const { reads, writer, queryThreads, indexer, declaredPaths, metrics, cacheBytes, keepsHistory } = parts;
  const records = parts.isShared ? createSharedRecordCache(cacheBytes, reads) : createRecordCache(cacheBytes);
  // Other processes signal that they have written, but not to which project.
  const pages = parts.isShared ? undefined : createPageCache(cacheBytes / 2);
  metrics.recordCache('records', records.statistics);
  if (pages) metrics.recordCache('pages', pages.statistics);

  async function commit(change: Change): Promise<CommitOutcome> {
    const { projectKey } = targetOf(change);
    const name = nameOf(change);
    const found = indexer.differenceOfLarge(change);
    const operation = operationOf(change, keepsHistory, found && (await found));
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
    const differences = await Promise.all(changes.map(indexer.differenceOfLarge));
    const operations = changes.map((change, at) => operationOf(change, keepsHistory, differences[at]));
    /** The last change of each resource, by its name in the cache. */
    const last = new Map(changes.map((change) => [nameOf(change), change]));
    for (const name of last.keys()) records.writeBegins(name);
    pages?.writeBegins(projectKey);
    let isCommitted = false;
    try {
      const outcome = await writer.submitGroup(['group', operations]);
      isCommitted = outcome === 'committed';
      return outcome;
    } finally {
      for (const [name, change] of last) {
        records.writeEnded(name, isCommitted && change.kind === 'update' ? change.next : undefined);
      }
      pages?.writeEnded(projectKey);
    }
  }

  /** Callers that repeat a query hand in the same object. */
  const compiled = new WeakMap<ListQuery, CompiledList | TermList>();

  async function list(query: ListQuery, signal?: AbortSignal): Promise<ListPage> {
    const cached = pages?.get(query);
    metrics.recordList(cached !== undefined);
    if (cached) return cached;
    const cachePage = pages?.readBegins(query);
    const plan = compiled.get(query) ?? compileTermList(query, declaredPaths) ?? compileList(query, declaredPaths);
    compiled.set(query, plan);
    const page = await queryThreads.list({ list: plan }, signal, query);
    cachePage?.(page);
    return page;
  }

  return {
    get(projectKey, id) {
      const name = `${projectKey}/${id}`;
      const cached = records.get(name);
      metrics.recordRead(cached !== undefined);
      if (cached) return cached;
      const record = reads.byId(projectKey, id);
      if (record) records.offer(name, record);
      return record;
    },
    getByKey: reads.byKey,
    commit,
    commitAll,
    groupSize: writer.groupSize,
    storeResponse: (_projectKey, response) =>
      writer.submit(['response', responseColumns(response)]) as ReturnType<ResourceStore['storeResponse']>,
    list,
    async scan(projectKey, afterId, limit) {
      // Consecutive calls within one turn of the event loop would otherwise stay in the first one's snapshot.
      reads.leaveSnapshot();
      return reads.after(projectKey, afterId, limit);
    },
    search: (query, signal) => queryThreads.search({ search: query }, signal),
    exists: (projectKey, where, staged, signal) =>
      queryThreads.exists({ exists: compileExists({ projectKey, where, staged }, declaredPaths) }, signal, where),
    getIdempotentResponse: reads.response,
    deleteExpiredResponses: (nowMs) => deleteExpiredResponses(reads, writer, nowMs),
  };
}
