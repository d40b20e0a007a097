import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type CheckOptions, type Migration, type Progress, StoreRefused } from '../../engine.ts';
import { findingOf, holdsChecksum } from '../../row/checked-table.ts';
import { isIntactResponse } from '../../row/response-row.ts';
import { responses, rowsOf, smallTables } from '../checked-tables.ts';
import { type RecordedPaths, readGeneration, readRecordedPaths, registerPaths } from '../generations/generation.ts';
import { openStoreFacts } from '../generations/store-facts.ts';
import { type Connection, checkTimeoutMs, connectOnce } from '../open/connection.ts';
import { clusterOf, migrate, missingMigrations } from '../open/migrate.ts';
import { setRoleSettings } from '../open/servable.ts';
import { recordAnalysis } from '../open/word-analysis.ts';
import { buildIndex } from './build-index.ts';
import { failureOf } from './check-piece.ts';
import { checkProjects, countTexts } from './check-projects.ts';
import { inTransaction, projectsWithResources } from './index-builder.ts';

async function withConnection<T>(
  url: string,
  work: (connection: Connection) => Promise<T>,
  statementTimeoutMs?: number,
): Promise<T> {
  const connection = await connectOnce(url, statementTimeoutMs);
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

/** Applies the missing migrations, or only lists them. On a cluster it also sets what the sessions of all nodes need. */
export function migratePostgres(url: string, dryRun: boolean): Promise<readonly Migration[]> {
  return withConnection(url, async (connection) => {
    if (dryRun) return missingMigrations(connection);
    const applied = await migrate(connection);
    if ((await clusterOf(connection)) === 'coordinator') await setRoleSettings(connection);
    return applied;
  });
}

export interface PostgresCheckOptions extends CheckOptions {
  /** Rows that a thread takes at a time. */
  readonly pieceRows?: number;
}

/**
 * Checks the checksums of rows, the indexes against the resources and the logs; with `rebuild` it rebuilds the indexes
 * first. Of a part only resources, their indexes and logs are checked: what a check looks at before them, so that one that
 * is continued has seen it.
 */
export async function checkPostgres(
  url: string,
  rebuild: boolean,
  progress: Progress,
  { part, jobs, pieceRows, onFinding }: PostgresCheckOptions = {},
): Promise<readonly string[]> {
  const findings: string[] = [];
  const report = (finding: string) => {
    findings.push(finding);
    onFinding?.(finding);
  };
  const check = async (own: Connection) => {
    if ((await missingMigrations(own)).length > 0) {
      throw new StoreRefused(
        'There is no store of this version in the database yet. Run “npx grs migrate”, or start the service.',
      );
    }
    const connection = { ...own, ...(await openStoreFacts(own)) };
    const recorded = await readRecordedPaths(connection);
    if (rebuild) await rebuildProjects(connection, recorded, progress);
    if (part === undefined) await checkOthers(connection, report);
    await checkProjects({ url, connection, recorded, progress, report, part, jobs, pieceRows });
  };
  await withConnection(url, check, checkTimeoutMs).catch((error: unknown) => {
    throw error instanceof StoreRefused ? error : failureOf(error);
  });
  return findings;
}

const busyMs = 500;

/** Builds all indexes of all projects again, beside the service; until those of a project are there, none is used. */
async function rebuildProjects(connection: Connection, recorded: RecordedPaths, progress: Progress): Promise<void> {
  const [counted] = await connection.query<{ total: number }>({ text: countTexts.resource });
  const { total } = counted!;
  const owner = randomUUID();
  let done = 0;
  const onScanned = (rows: number) => {
    done += rows;
    progress('indexes', done, Math.max(done, total));
  };
  for await (const projectKey of projectsWithResources(connection)) {
    const { paths, ready } = await readGeneration(connection, projectKey, recorded);
    // A rebuild that was given up is continued.
    if (ready) await inTransaction(connection, () => registerPaths(connection, projectKey, paths, recorded, true));
    while ((await buildIndex(connection, projectKey, { owner, onScanned })) === 'busy') await pause(busyMs);
  }
  await recordAnalysis(connection);
}

/** Reports the rows of the tables beside `resource` and `event` whose checksum does not match. */
async function checkOthers(connection: Connection, report: (finding: string) => void): Promise<void> {
  for (const table of smallTables) {
    for await (const rows of rowsOf(connection, table)) {
      for (const row of rows) if (!holdsChecksum(table, row)) report(findingOf(table, row));
    }
  }
  for await (const rows of rowsOf(connection, responses, 'body')) {
    for (const row of rows) if (!isIntactResponse(responses, row)) report(findingOf(responses, row));
  }
}
