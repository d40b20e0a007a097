import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ResourceStore } from '../../domain/ports/resource-store.ts';
import type { Store, StoreStatus } from '../../domain/ports/store.ts';
import { createDamagedList } from '../../index/follow/damaged-rows.ts';
import { createRebuildProblem } from '../../index/follow/rebuild-mark.ts';
import { type BeginQuery, type Indexes, QueryPool } from '../../index/threads/query-pool.ts';
import { type Link, type StoreOptions, StoreRefused } from '../../record/engine.ts';
import type { ProjectNodes } from '../../record/postgres/open/nodes.ts';
import type { Pool } from '../../record/postgres/open/pool.ts';
import { DamageLog } from '../../record/row/checked-table.ts';
import { createPointReads } from '../../record/sqlite/read/point-reads.ts';
import type { Enqueue, Operation, OperationResult } from '../../record/sqlite/write/messages.ts';
import { queryError } from '../../record/sqlite/write/refusals.ts';
import type { Writer } from '../../record/sqlite/write/writer.ts';
import { openReadConnection } from '../../sqlite/connection.ts';
import { type OpenedWriter, openWriter } from '../sqlite/open-writer.ts';
import { connectWriter, serveWriter } from '../sqlite/write/remote-writer.ts';
import { Mirror } from './mirror.ts';
import { positionsOf } from './mirrored-project.ts';
import { type Pace, startPublishing } from './pace.ts';

export interface MirrorFileOptions extends StoreOptions {
  /** The folder of the mirror. */
  readonly folder: string;
  /** What the file may have in use, and how long projects stay that were asked for. */
  readonly mirrorBytes?: number | undefined;
  readonly mirrorKeptForMs?: number | undefined;
}

/** Where the log of projects is pulled from. */
export interface MirrorSource {
  readonly pulls: Pool;
  readonly copies: Pool;
  /** Publishes the positions of the mirror, under the name of this machine. */
  readonly writes: Pool;
  readonly machine: string;
  readonly nodes: ProjectNodes;
}

export type MirrorStatus = Pick<StoreStatus, 'isWarm' | 'queryProblem' | 'rebuilding' | 'damagedResources'>;

/** What a process finds with: the threads that read the file of the mirror. Must be closed. */
export interface MirrorReads {
  readonly reads: Pick<ResourceStore, 'list' | 'search' | 'exists'>;
  /** Absent in a process that has not the mirror open to write. */
  readonly generation?: (projectKey: string) => Promise<string | undefined>;
  /** Answers by what the mirror has, without asking the database. */
  readonly eventual: NonNullable<Store['eventual']>;
  /** Holds the writers of this process back for the mirror. */
  readonly pace: Pace;
  warm(): Promise<void>;
  status(): Promise<MirrorStatus>;
  close(): Promise<void>;
}

export type OpenedMirror = Awaited<ReturnType<typeof openMirror>>;

const fileName = 'mirror.db';

/** Opens the file to write. One that cannot be used is made anew: all that it has is in the database. Must be closed. */
export async function openMirror(options: MirrorFileOptions, source: MirrorSource) {
  const file = join(options.folder, fileName);
  const { writer, close } = await openAnyway(options, file);
  const db = openReadConnection(file, 1024);
  const { pulls, copies, nodes } = source;
  const { mirrorBytes: maxBytes, mirrorKeptForMs: keptForMs, declaredPaths, note, metrics } = options;
  const mirror = new Mirror({
    ...{ pulls, copies, nodes, db, maxBytes, keptForMs, declaredPaths, note },
    ...{ enqueue: writer.enqueue, indexes: writer },
  });
  metrics.recordMirror(mirror.facts());
  const endPublishing = startPublishing(source.writes, source.machine, () => ({
    positions: positionsOf(mirror.projects),
    msOfChange: mirror.speed.msOfChange,
  }));
  return {
    ...{ mirror, writer, file },
    /** Takes the requests of another process. */
    serve: (link: Link) => serveWriter({ enqueue: hosted(mirror, writer.enqueue) }, link),
    async close(): Promise<void> {
      await endPublishing();
      await mirror.close();
      db.close();
      await close();
    },
  };
}

async function openAnyway(options: MirrorFileOptions, file: string): Promise<OpenedWriter> {
  // What is acknowledged is in the database.
  const own = { ...options, file, access: 'exclusive', acceptLoss: true, isMirror: true, keepsHistory: false } as const;
  try {
    return await openWriter(own);
  } catch (error) {
    if (!(error instanceof StoreRefused) || /^Another process serves/.test(error.message)) throw error;
    options.note(`the mirror is made anew: ${error.message}`);
    rmSync(options.folder, { recursive: true, force: true });
    return openWriter(own);
  }
}

/** What another process asks of the mirror beside operations. */
type Request =
  | readonly ['committed', projectKey: string, last: number]
  /** For a query that takes what the mirror has. */
  | readonly ['eventual', projectKey: string]
  | readonly ['status'];

/** The operations of another process: before its queries the mirror is brought up to date. */
function hosted(mirror: Mirror, enqueue: Enqueue): Enqueue<Operation | Request> {
  return async (operation) => {
    const [kind, projectKey] = operation;
    try {
      if (kind === 'status') {
        const { queryProblem, rebuilding } = mirror.status();
        const message = queryProblem ?? rebuilding;
        return message === undefined ? [] : { failure: queryProblem === undefined ? 'rebuilding' : 'error', message };
      }
      if (kind === 'committed') {
        mirror.committed(projectKey, operation[2]);
        return [];
      }
      if (kind === 'eventual') {
        await mirror.eventual(projectKey);
        return enqueue(['catchUp', projectKey]);
      }
      if (kind === 'catchUp' && projectKey !== undefined) await mirror.fresh(projectKey);
    } catch (error) {
      return { failure: 'rebuilding', message: (error as Error).message };
    }
    return enqueue(operation);
  };
}

const failureIn = (result: OperationResult): string | undefined =>
  typeof result === 'object' && 'failure' in result ? result.message : undefined;

/** Finds in the mirror that this process has open. */
export function readMirror(options: StoreOptions, { mirror, writer, file }: OpenedMirror): MirrorReads {
  return {
    ...openReads(
      options,
      file,
      writer,
      mirror,
      (projectKey) => mirror.beginEventual(projectKey),
      async () => mirror.status(),
    ),
    pace: mirror,
    generation: (projectKey) => mirror.generation(projectKey),
  };
}

/** Finds in the mirror of another process. */
export function readMirrorOf(options: StoreOptions, link: Link, folder: string): MirrorReads {
  const writer = connectWriter<Request>(link);
  const catchUp = (projectKey: string) => writer.catchUp(projectKey);
  const { close, ...reads } = openReads(
    options,
    join(folder, fileName),
    writer,
    { beginQuery: catchUp, catchUp, setAside: writer.setAside },
    async (projectKey) => {
      const problem = failureIn(await writer.enqueue(['eventual', projectKey]));
      if (problem !== undefined) throw queryError(problem);
    },
    async () => {
      const result = await writer.enqueue(['status']);
      if (typeof result !== 'object' || !('failure' in result)) return {};
      return { [result.failure === 'rebuilding' ? 'rebuilding' : 'queryProblem']: result.message };
    },
  );
  return {
    ...reads,
    // The host publishes how far its mirror is, as other machines do.
    pace: {
      committed: (projectKey, last) => void writer.enqueue(['committed', projectKey, last]),
      admit: () => Number.POSITIVE_INFINITY,
    },
    async close() {
      await close();
      await writer.close();
    },
  };
}

function openReads(
  options: StoreOptions,
  file: string,
  writer: Writer,
  indexes: Indexes,
  beginEventual: BeginQuery,
  statusOfMirror: () => Promise<Pick<MirrorStatus, 'queryProblem' | 'rebuilding'>>,
): Omit<MirrorReads, 'pace'> {
  const { declaredPaths, maxPageBytes, queryTimeoutMs: timeoutMs, metrics } = options;
  const db = openReadConnection(file, 1024);
  const rebuildProblem = createRebuildProblem(db);
  const damagedResources = createDamagedList(db);
  const queries = new QueryPool({
    thread: new URL('../sqlite/query-thread.ts', import.meta.url),
    ...{ file, maxPageBytes, declaredPaths, timeoutMs, metrics, indexes },
  });
  const points = createPointReads(openReadConnection(file, 1024), new DamageLog());
  return {
    reads: queries,
    eventual: {
      get: points.byId,
      getByKey: points.byKey,
      list: (query, signal) => queries.list(query, signal, beginEventual),
      search: (query, signal) => queries.search(query, signal, beginEventual),
      exists: (projectKey, where, staged, signal) => queries.exists(projectKey, where, staged, signal, beginEventual),
    },
    warm: () => queries.warm(),
    async status() {
      const { queryProblem, rebuilding } = await statusOfMirror();
      return {
        isWarm: queries.isWarm(),
        // Other nodes list and search while the indexes of this one cannot follow, or are built again.
        queryProblem: queryProblem ?? writer.queryProblem() ?? rebuildProblem(),
        ...{ rebuilding, damagedResources: damagedResources() },
      };
    },
    async close() {
      await queries.close();
      points.close();
      db.close();
    },
  };
}
