import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  covers,
  hasResources,
  parseReady,
  type RecordedPaths,
  readGeneration,
  registerPaths,
} from '../generations/generation.ts';
import type { ProjectGenerations } from '../generations/project-generations.ts';
import type { Connect, Connection } from '../open/connection.ts';
import { servicePartition } from '../rows.ts';
import { buildIndex } from './build-index.ts';

/** Builds the missing entries of projects, one project after another, on a connection of its own. Must be closed. */
export interface IndexBuilder {
  /** Asks for the entries of a project. */
  request(projectKey: string): void;
  close(): Promise<void>;
}

export interface IndexBuilderParts {
  readonly connect: Connect;
  readonly generations: ProjectGenerations;
  readonly recorded: RecordedPaths;
  readonly note: (text: string) => void;
  /** Rows of one transaction. */
  readonly portion?: number | undefined;
}

/** Until the next look at a project that another process builds, and after an error. */
const pauseMs = 1000;

/** Starts the builder, which looks at all projects first. */
export function createIndexBuilder({ connect, generations, recorded, note, portion }: IndexBuilderParts): IndexBuilder {
  const { declared } = generations;
  const requested = new Set<string>();
  const stop = new AbortController();
  const isStopped = () => stop.signal.aborted;
  const owner = randomUUID();
  let hasLooked = false;
  let running: Promise<void> | undefined;

  async function build(connection: Connection, projectKey: string): Promise<void> {
    // A query may name a project that does not exist.
    if (!(await hasResources(connection, projectKey))) {
      requested.delete(projectKey);
      return;
    }
    await inTransaction(connection, () => registerPaths(connection, projectKey, declared, recorded));
    const begunMs = performance.now();
    let rows = 0;
    const onScanned = (count: number) => {
      if (rows === 0) note(`project ${projectKey}: building the index of the declared paths`);
      rows += count;
    };
    const outcome = await buildIndex(connection, projectKey, {
      owner,
      isStopped,
      onScanned,
      ...(portion && { portion }),
    });
    if (outcome === 'busy') return;
    requested.delete(projectKey);
    if (outcome === 'stopped') return;
    generations.set(projectKey, await readGeneration(connection, projectKey, recorded));
    const seconds = ((performance.now() - begunMs) / 1000).toFixed(1);
    if (rows > 0) note(`project ${projectKey}: the index is ready, ${rows} resources in ${seconds} s`);
  }

  async function work(connection: Connection): Promise<void> {
    if (!hasLooked) {
      for await (const projectKey of incompleteProjects(connection, declared, recorded)) requested.add(projectKey);
      hasLooked = true;
    }
    while (requested.size > 0 && !isStopped()) {
      const before = requested.size;
      for (const projectKey of [...requested]) {
        if (isStopped()) return;
        // One that fails is tried again after the others.
        requested.delete(projectKey);
        requested.add(projectKey);
        await build(connection, projectKey);
      }
      // All that is left is in the hands of other processes.
      if (requested.size >= before) await pause(pauseMs, undefined, { signal: stop.signal });
    }
  }

  async function run(): Promise<void> {
    let failed = false;
    while (!isStopped() && (!hasLooked || requested.size > 0)) {
      let connection: Connection | undefined;
      try {
        connection = await connect();
        await work(connection);
        failed = false;
      } catch (error) {
        if (isStopped()) return;
        if (!failed) note(`building the index: ${error instanceof Error ? error.message : error}. It is tried again.`);
        failed = true;
        await pause(pauseMs, undefined, { signal: stop.signal }).catch(() => {});
      } finally {
        await connection?.close();
      }
    }
  }

  function start(): void {
    running ??= run().finally(() => {
      running = undefined;
      if (requested.size > 0 && !isStopped()) start();
    });
  }

  start();
  return {
    request(projectKey) {
      requested.add(projectKey);
      start();
    },
    async close() {
      stop.abort();
      await running;
    },
  };
}

/** Runs work in a transaction. */
export async function inTransaction<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  await connection.run({ text: 'BEGIN' });
  try {
    const result = await work();
    if (!(await connection.commit())) throw new Error('The transaction was rolled back.');
    return result;
  } catch (error) {
    if (connection.inTransaction()) await connection.run({ text: 'ROLLBACK' }).catch(() => {});
    throw error;
  }
}

const pageSize = 500;

const nextProjectText = 'SELECT project_key FROM resource WHERE project_key > $1 ORDER BY project_key LIMIT 1';
const generationsText = `SELECT project_key, generation, ready FROM index_generation WHERE project_key > $1
  ORDER BY project_key, generation DESC LIMIT ${pageSize}`;

/** The statements that read several projects at once. */
export const discoveryTexts: readonly string[] = [nextProjectText, generationsText];

/**
 * The projects that have resources, in order, behind a name. The next one is found by the index, however many resources
 * one has.
 */
export async function* projectsWithResources(connection: Connection, behind = ''): AsyncGenerator<string> {
  for (let after = behind; ; ) {
    const [row] = await connection.query<{ project_key: string }>({ text: nextProjectText, values: [after] });
    if (!row) return;
    after = row.project_key;
    yield after;
  }
}

/** Projects whose entries do not cover the declared paths. No request waits for it: it asks about all projects. */
async function* incompleteProjects(
  connection: Connection,
  declared: readonly string[],
  recorded: RecordedPaths,
): AsyncGenerator<string> {
  for (let after = ''; ; ) {
    const rows = await connection.query<{ project_key: string; ready: string }>({
      ...{ text: generationsText, values: [after] },
    });
    const newest = new Map<string, string>();
    for (const { project_key: projectKey, ready } of rows) if (!newest.has(projectKey)) newest.set(projectKey, ready);
    for (const [projectKey, ready] of newest) {
      if (!covers(parseReady(ready, []), declared)) yield projectKey;
      after = projectKey;
    }
    if (rows.length < pageSize) break;
  }
  // Projects without a generation are those that nothing was written to since the version before.
  if (covers(recorded, declared) || (await haveAllGenerations(connection))) return;
  for await (const projectKey of projectsWithResources(connection)) {
    const { number } = await readGeneration(connection, projectKey, recorded);
    if (number === 0) {
      await inTransaction(connection, () => registerPaths(connection, projectKey, declared, recorded));
      yield projectKey;
    }
  }
  await connection.run({
    text: `INSERT INTO store_setting (project_key, name, value) VALUES ($1, $2, 'all') ON CONFLICT DO NOTHING`,
    values: [servicePartition, settingName],
  });
}

const settingName = 'index-generations';

async function haveAllGenerations(connection: Connection): Promise<boolean> {
  const text = 'SELECT 1 FROM store_setting WHERE project_key = $1 AND name = $2';
  return (await connection.query({ text, values: [servicePartition, settingName] })).length > 0;
}
