import { randomUUID } from 'node:crypto';
import { canonicalInstant } from '../../domain/instant.ts';
import type { Change } from '../../domain/ports/resource-store.ts';
import { checkStorable } from '../../domain/resource/check-stored.ts';
import { VersionHistory } from '../../domain/resource/version-history.ts';
import { warmUpList, warmUpSearch } from '../query/warm-up.ts';
import { type RecordedPaths, readGeneration, registerPaths } from './generations/generation.ts';
import type { TermHash } from './index/term-hash.ts';
import type { Connection } from './open/connection.ts';
import type { Locate } from './open/nodes.ts';
import type { Pool } from './open/pool.ts';
import { compileList } from './query/plan-list.ts';
import { pointRead } from './query/point-reads.ts';
import { runList } from './query/run-list.ts';
import { runSearch } from './search/search.ts';
import { headStatement } from './write/append-events.ts';
import { applyWrites } from './write/apply.ts';
import { addWords } from './write/pairs.ts';
import { prepareWrite } from './write/prepare-write.ts';
import { inTransaction } from './write/transaction.ts';

export interface WarmUpParts {
  readonly points: Pool;
  readonly lists: Pool;
  readonly writes: Pool;
  /** Connections of each pool that are made. */
  readonly connections: number;
  /** Where projects are; undefined if they are all on the server of the connection. */
  readonly locate: Locate | undefined;
  readonly declared: readonly string[];
  readonly recorded: RecordedPaths;
  readonly terms: TermHash;
  /** As of the writer. */
  readonly epoch: string | undefined;
}

/**
 * Makes connections, and does on each what the first requests would otherwise wait for: to load the code and the catalog, to
 * prepare statements, and on a cluster to connect to each node. It is done in projects that nobody has, and nothing of it
 * stays. Never rejects: what is cold is only slower.
 */
export async function warmUp(parts: WarmUpParts): Promise<void> {
  const { points, lists, writes, connections } = parts;
  const projects = await projectsOfAllNodes(parts.locate);
  const works = [
    [points, readPoints],
    [lists, (connection: Connection, project: string) => query(connection, project, parts)],
    [writes, (connection: Connection, project: string) => writeAndUndo(connection, project, parts)],
  ] as const;
  await Promise.allSettled(
    works.flatMap(([pool, work]) =>
      Array.from({ length: connections }, (_, at) =>
        pool.use(async (connection) => {
          // A node that does not respond is the first one of some connections only.
          for (let n = 0; n < projects.length; n += 1) await work(connection, projects[(n + at) % projects.length]!);
        }),
      ),
    ),
  );
}

/** Keys that are tried to find a project on each node. */
const candidates = 200;

/** A project that nobody has for each node. */
async function projectsOfAllNodes(locate: Locate | undefined): Promise<readonly string[]> {
  const keys = Array.from({ length: locate ? candidates : 1 }, () => `warm-up-${randomUUID()}`);
  const found = await locate?.(keys).catch(() => undefined);
  if (!found) return keys.slice(0, 1);
  return [...new Map([...found].map(([key, group]) => [group, key])).values()];
}

async function readPoints(connection: Connection, project: string): Promise<void> {
  await Promise.all((['id', 'key', 'response'] as const).map((by) => connection.query(pointRead(by, project, ['']))));
}

async function query(connection: Connection, projectKey: string, { declared, recorded }: WarmUpParts): Promise<void> {
  await readGeneration(connection, projectKey, recorded);
  const limits = { usable: declared, check: () => {}, maxPageBytes: 1 };
  await runList(connection, compileList({ ...warmUpList, projectKey }, declared), limits.maxPageBytes);
  await runSearch(connection, { ...warmUpSearch, projectKey }, limits);
}

/** Ends the transaction without a commit. */
class Undone extends Error {}

/** Creates a resource and updates it, in a transaction that is rolled back. */
async function writeAndUndo(connection: Connection, projectKey: string, parts: WarmUpParts): Promise<void> {
  const { declared, recorded, terms, epoch } = parts;
  const context = { terms, keepsLog: epoch !== undefined };
  const work = async () => {
    if (epoch !== undefined) await connection.run(headStatement(projectKey, epoch));
    const { paths } = await registerPaths(connection, projectKey, declared, recorded);
    for (const change of changesOf(projectKey)) {
      const left: Promise<unknown>[] = [];
      await applyWrites(connection, [prepareWrite(change, paths, context)], Date.now(), (sent, allSent) => {
        left.push(Promise.all([allSent, sent]));
      });
      await Promise.all(left);
    }
    if (connection.projectsApart) await addSomeWords(connection, projectKey);
    throw new Undone();
  };
  await inTransaction(connection, work, () => {}).catch((error: unknown) => {
    if (!(error instanceof Undone)) throw error;
  });
}

const mostWords = 64;

/** On a cluster words are sent as rows of values, in lists of one, two, four … : each length is a statement of its own. */
async function addSomeWords(connection: Connection, projectKey: string): Promise<void> {
  for (let length = 1; length <= mostWords; length *= 2) {
    const words = Array.from({ length }, (_, n) => ['', `warm-up-${n}`] as const);
    await addWords(connection, projectKey, words, []);
  }
}

function changesOf(projectKey: string): readonly Change[] {
  const time = '2026-01-01T00:00:00.000Z';
  const instant = canonicalInstant(time)!;
  const [before, after] = [1, 2].map((version) => {
    const fields = { text: 'warming', arrayOfIntExample: [version] };
    return { current: { id: 'warm-up', version, createdAt: time, lastModifiedAt: time, ...fields } };
  });
  const recordOf = (version: number, { current }: typeof before & object) => {
    const record = {
      ...{ projectKey, id: 'warm-up', key: undefined, version, incarnation: undefined },
      ...{ createdAt: instant, lastModifiedAt: instant, staged: undefined, history: VersionHistory.none },
      current: JSON.stringify(current),
    };
    return checkStorable(record, [current], { current });
  };
  return [
    { kind: 'create', next: recordOf(1, before!), after: before! },
    { kind: 'update', expectedVersion: 1, next: recordOf(2, after!), before: before!, after: after! },
  ];
}
