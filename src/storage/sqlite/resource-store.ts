import type { ListPage, ListQuery } from '../../domain/ports/list-query.ts';
import type {
  Change,
  CommitOutcome,
  IdempotentResponse,
  ResourceRecord,
  ResourceStore,
} from '../../domain/ports/resource-store.ts';
import type { StoreMetrics } from '../../telemetry/store-metrics.ts';
import type { IndexDifference } from '../index/index-entries.ts';
import { writeHistory } from '../row/stored-row.ts';
import { type CompiledList, compileExists, compileList } from './query/run-list.ts';
import { createPageCache } from './read/page-cache.ts';
import type { PointReads } from './read/point-reads.ts';
import type { QueryThreads } from './read/query-threads.ts';
import { createRecordCache } from './read/record-cache.ts';
import { createSharedRecordCache } from './read/shared-record-cache.ts';
import type { Indexer } from './write/indexer.ts';
import type { ChangeOperation, IndexColumns, ResourceColumns, ResponseColumns } from './write/messages.ts';
import type { Writer } from './write/writer.ts';

export interface ResourceStoreParts {
  readonly reads: PointReads;
  readonly writer: Writer;
  readonly queryThreads: QueryThreads;
  readonly indexer: Indexer;
  readonly declaredPaths: readonly string[];
  readonly metrics: StoreMetrics;
  /** Memory for records read lately; pages have half as much. */
  readonly cacheBytes: number;
  /** True where other processes write as well. */
  readonly isShared: boolean;
}

function responseColumns(answer: IdempotentResponse | undefined): ResponseColumns | null {
  if (!answer) return null;
  const { scope, requestHash, status, headers, body, expiresAtMs } = answer;
  return [scope, requestHash, status, JSON.stringify(headers), body, expiresAtMs];
}

function resourceColumns(record: ResourceRecord): ResourceColumns {
  const { projectKey, id, key, version, createdAt, lastModifiedAt, current, staged, history } = record;
  return [
    projectKey,
    id,
    key ?? null,
    version,
    createdAt,
    lastModifiedAt,
    current,
    staged ?? null,
    writeHistory(history),
  ];
}

/** A change in the form that crosses to the writer, with what it does to the indexes. */
function operationOf(change: Change, difference: IndexDifference): ChangeOperation {
  const { removed, added, removedText, addedText } = difference;
  const index: IndexColumns = [removed, added, removedText, addedText];
  const answer = responseColumns(change.idempotency);
  switch (change.kind) {
    case 'create':
      return ['create', resourceColumns(change.next), index, answer];
    case 'update': {
      const moved =
        change.before.current.key !== change.after.current.key ||
        change.before.current.createdAt !== change.after.current.createdAt;
      return ['update', resourceColumns(change.next), index, answer, change.expectedVersion, moved];
    }
    case 'delete':
      return ['delete', change.projectKey, change.id, index, answer, change.expectedVersion];
  }
}

/** Rows of a portion: a transaction of some milliseconds. */
const expiredPortion = 1000;

async function deleteExpiredResponses(writer: Writer, nowMs: number): Promise<number> {
  const sql = `DELETE FROM idempotent_answer WHERE rowid IN
    (SELECT rowid FROM idempotent_answer WHERE expires_at < ? LIMIT ${expiredPortion})`;
  for (let total = 0; ; ) {
    const [deleted = 0] = await writer.write([{ sql, params: [nowMs] }]);
    total += deleted;
    if (deleted < expiredPortion) return total;
  }
}

/** The ResourceStore port on SQLite: point reads on this thread, lists in the query threads, writes through the writer. */
export function createResourceStore(parts: ResourceStoreParts): ResourceStore {
  const { reads, writer, queryThreads, indexer, declaredPaths, metrics } = parts;
  const records = parts.isShared
    ? createSharedRecordCache(parts.cacheBytes, reads)
    : createRecordCache(parts.cacheBytes);
  // Other processes tell that they have written, but not to which project.
  const pages = parts.isShared ? undefined : createPageCache(parts.cacheBytes / 2);
  const nameOf = (projectKey: string, id: string) => `${projectKey}/${id}`;

  async function commit(change: Change): Promise<CommitOutcome> {
    const { projectKey, id } = change.kind === 'delete' ? change : change.next;
    const name = nameOf(projectKey, id);
    const found = indexer.difference(change);
    const operation = operationOf(change, found instanceof Promise ? await found : found);
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

  /** A caller that asks the same again hands in the same query. */
  const compiled = new WeakMap<ListQuery, CompiledList>();
  function compiledOf(query: ListQuery): CompiledList {
    const known = compiled.get(query) ?? compileList(query, declaredPaths);
    compiled.set(query, known);
    return known;
  }

  async function list(query: ListQuery): Promise<ListPage> {
    const known = pages?.get(query);
    metrics.listed(known !== undefined);
    if (known) return known;
    const cachePage = pages?.readBegins(query);
    const page = await queryThreads.list({ list: compiledOf(query) });
    cachePage?.(page);
    return page;
  }

  return {
    get(projectKey, id) {
      const name = nameOf(projectKey, id);
      const known = records.get(name);
      metrics.remembered(known !== undefined);
      if (known) return known;
      const record = reads.byId(projectKey, id);
      if (record) records.offer(name, record);
      return record;
    },
    getByKey: (projectKey, key) => reads.byKey(projectKey, key),
    commit,
    list,
    async scan(projectKey, afterId, limit) {
      // A walk that never waits for anything else would else stay in the snapshot it began with.
      reads.leaveSnapshot();
      return reads.after(projectKey, afterId, limit);
    },
    search: (query) => queryThreads.search({ search: query }),
    exists: (projectKey, where, staged) =>
      queryThreads.exists({ exists: compileExists({ projectKey, where, staged }, declaredPaths) }),
    getIdempotentResponse: (scope, nowMs) => reads.answer(scope, nowMs),
    deleteExpiredResponses: (nowMs) => deleteExpiredResponses(writer, nowMs),
  };
}
