import type { ListPage, ListQuery, SearchPage } from '../../domain/ports/list-query.ts';
import type {
  Change,
  CommitOutcome,
  GroupOutcome,
  IdempotentResponse,
  ResourceRecord,
  ResourceStore,
} from '../../domain/ports/resource-store.ts';
import type { Predicate } from '../../domain/predicate/ast.ts';
import { DamagedResource } from '../../domain/resource/damaged.ts';
import type { SearchQuery } from '../../domain/search/query/query.ts';
import type { QueryPool } from '../../index/threads/query-pool.ts';
import { responseWrite, writeOf } from '../../record/row/write.ts';
import type { PointReads } from '../../record/sqlite/read/point-reads.ts';
import { RecordCache, SharedRecordCache } from '../../record/sqlite/read/record-cache.ts';
import type { Writer } from '../../record/sqlite/write/writer.ts';
import type { StoreMetrics } from '../../telemetry/store-metrics.ts';

/** Memory for the cache of records. */
const cacheBytes = 16_777_216;

export interface ResourceStoreParts {
  readonly reads: PointReads;
  readonly writer: Writer;
  readonly queries: QueryPool;
  readonly metrics: StoreMetrics;
  /** True where other processes write as well. */
  readonly isShared: boolean;
  /** Changes are logged; of those of companion projects the writes of documents that they name. */
  readonly keepsHistory: boolean;
}

/** Rows deleted per transaction, and read before it on the calling thread: about a millisecond each. */
const expiredPortion = 250;

async function deleteExpiredResponses(reads: PointReads, writer: Writer, nowMs: number): Promise<number> {
  const sql = 'DELETE FROM idempotent_answer WHERE rowid IN (SELECT value FROM json_each(?)) AND expires_at < ?';
  const damaged: number[] = [];
  for (let total = 0; ; ) {
    reads.leaveSnapshot();
    const { intact = [], others = [] } = Object.groupBy(
      reads.expired(nowMs, damaged, expiredPortion),
      ({ isIntact }) => (isIntact ? 'intact' : 'others'),
    );
    damaged.push(...others.map(({ row }) => row));
    if (intact.length === 0 && others.length === 0) return total;
    if (intact.length === 0) continue;
    const rows = JSON.stringify(intact.map(({ row }) => row));
    const [deleted = 0] = await writer.write([{ sql, params: [rows, nowMs] }]);
    if (deleted === 0) return total;
    total += deleted;
  }
}

/** Projects that are tracked; beyond, all are dropped but those with writes under way. */
const maxProjects = 10_000;

interface Project {
  /** Writes under way. */
  writing: number;
  /** Greater than any before, of whichever project: one that was dropped gets a new one. */
  generation: number;
}

/** The generations of projects: see `ResourceStore.generation`. */
export class Generations {
  readonly #projects = new Map<string, Project>();
  #last = 0;

  of(projectKey: string): number | undefined {
    const { writing, generation } = this.#tracked(projectKey);
    return writing === 0 ? generation : undefined;
  }

  writeBegins(projectKey: string): void {
    this.#tracked(projectKey).writing += 1;
  }

  /** Whatever the outcome of the write. */
  writeEnded(projectKey: string): void {
    const project = this.#tracked(projectKey);
    project.writing -= 1;
    this.#last += 1;
    project.generation = this.#last;
  }

  #tracked(projectKey: string): Project {
    const known = this.#projects.get(projectKey);
    if (known) return known;
    if (this.#projects.size >= maxProjects) {
      for (const [key, { writing }] of this.#projects) if (writing === 0) this.#projects.delete(key);
    }
    this.#last += 1;
    const project = { writing: 0, generation: this.#last };
    this.#projects.set(projectKey, project);
    return project;
  }
}

/** The ResourceStore port on SQLite: point reads on this thread, lists in the query threads, writes by the writer. */
export class SqliteResourceStore implements ResourceStore {
  readonly #parts: ResourceStoreParts;
  readonly #records: RecordCache;
  readonly #generations = new Generations();
  /** Absent where other processes write: these signal that they have written, but not to which project. */
  readonly generation: ResourceStore['generation'];
  readonly getIdempotentResponse: ResourceStore['getIdempotentResponse'];

  constructor(parts: ResourceStoreParts) {
    const { reads, metrics, isShared } = parts;
    this.#parts = parts;
    this.#records = isShared ? new SharedRecordCache(cacheBytes, reads) : new RecordCache(cacheBytes);
    metrics.recordCache('records', this.#records.statistics);
    this.generation = isShared ? undefined : (projectKey) => this.#generations.of(projectKey);
    this.getIdempotentResponse = reads.response;
  }

  get(projectKey: string, id: string): ResourceRecord | undefined {
    const { metrics, reads } = this.#parts;
    const name = `${projectKey}/${id}`;
    const cached = this.#records.get(name);
    metrics.recordRead(cached !== undefined);
    if (cached) return cached;
    try {
      const record = reads.byId(projectKey, id);
      if (record) this.#records.offer(name, record);
      return record;
    } catch (error) {
      throw this.#noticed(error);
    }
  }

  getByKey(projectKey: string, key: string): ResourceRecord | undefined {
    try {
      return this.#parts.reads.byKey(projectKey, key);
    } catch (error) {
      throw this.#noticed(error);
    }
  }

  async commit(change: Change): Promise<CommitOutcome> {
    const { writer, keepsHistory } = this.#parts;
    const write = writeOf(change, keepsHistory, 'always');
    const { projectKey, id } = write;
    const name = `${projectKey}/${id}`;
    this.#records.writeBegins(name);
    this.#generations.writeBegins(projectKey);
    try {
      return await writer.submit(['write', write]);
    } finally {
      this.#records.writeEnded(name);
      this.#generations.writeEnded(projectKey);
    }
  }

  async commitAll(changes: readonly Change[]): Promise<GroupOutcome> {
    const writes = changes.map((change) => writeOf(change, this.#parts.keepsHistory, 'always'));
    const { projectKey } = writes[0]!;
    const names = new Set(writes.map(({ id }) => `${projectKey}/${id}`));
    for (const name of names) this.#records.writeBegins(name);
    this.#generations.writeBegins(projectKey);
    try {
      return await this.#parts.writer.submitGroup(['group', writes.map((write) => ['write', write])]);
    } finally {
      for (const name of names) this.#records.writeEnded(name);
      this.#generations.writeEnded(projectKey);
    }
  }

  async storeResponse(projectKey: string, response: IdempotentResponse) {
    const write = responseWrite(projectKey, response);
    return this.#parts.writer.submit(['write', write]) as ReturnType<ResourceStore['storeResponse']>;
  }

  deleteExpiredResponses(nowMs: number): Promise<number> {
    return deleteExpiredResponses(this.#parts.reads, this.#parts.writer, nowMs);
  }

  list(query: ListQuery, signal?: AbortSignal): Promise<ListPage> {
    return this.#parts.queries.list(query, signal);
  }

  search(query: SearchQuery, signal?: AbortSignal): Promise<SearchPage> {
    return this.#parts.queries.search(query, signal);
  }

  exists(projectKey: string, where: readonly Predicate[], staged: boolean, signal?: AbortSignal): Promise<boolean> {
    return this.#parts.queries.exists(projectKey, where, staged, signal);
  }

  async scan(projectKey: string, afterId: string | undefined, limit: number): ReturnType<ResourceStore['scan']> {
    // Consecutive calls within one turn of the event loop would otherwise stay in the first one's snapshot.
    this.#parts.reads.leaveSnapshot();
    return this.#parts.reads.after(projectKey, afterId, limit);
  }

  /** The error of a read, after the indexes were told of the damaged resource that it met. */
  #noticed(error: unknown): unknown {
    const { reads, writer } = this.#parts;
    const row = error instanceof DamagedResource ? reads.rowOf(error.remains) : undefined;
    if (row !== undefined) void writer.setAside([row]);
    return error;
  }
}
