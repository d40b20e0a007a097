import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type CheckPart, type Migration, type Progress, StoreRefused } from '../../engine.ts';
import { findingOf, holdsChecksum } from '../../row/checked-table.ts';
import { isIntactResponse } from '../../row/response-row.ts';
import { responses, rowsOf, smallTables } from '../checked-tables.ts';
import { type RecordedPaths, readGeneration, readRecordedPaths, registerPaths } from '../generations/generation.ts';
import { openTerms } from '../generations/term-key.ts';
import { type Connection, connectOnce } from '../open/connection.ts';
import { clusterOf, migrate, missingMigrations } from '../open/migrate.ts';
import { setRoleSettings } from '../open/servable.ts';
import { recordAnalysis } from '../open/word-analysis.ts';
import { buildIndex } from './build-index.ts';
import { checkProjects, countResources } from './check.ts';
import { checkEvents } from './check-events.ts';
import { inTransaction, projectsWithResources } from './index-builder.ts';

async function withConnection<T>(url: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await connectOnce(url);
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

/**
 * Checks the checksums of rows, and the indexes against the resources; with `rebuild` it rebuilds the indexes first. Of a
 * part only resources and their indexes are checked.
 */
export function checkPostgres(
  url: string,
  rebuild: boolean,
  progress: Progress,
  part?: CheckPart,
): Promise<readonly string[]> {
  return withConnection(url, async (own) => {
    if ((await missingMigrations(own)).length > 0) {
      throw new StoreRefused(
        'There is no store of this version in the database yet. Run “npx grs migrate”, or start the service.',
      );
    }
    const connection = { ...own, terms: await openTerms(own) };
    const recorded = await readRecordedPaths(connection);
    if (rebuild) await rebuildProjects(connection, recorded, progress);
    const findings = await checkProjects(connection, recorded, progress, part);
    if (part !== undefined) return findings;
    return [...findings, ...(await checkEvents(connection)), ...(await checkOthers(connection))];
  });
}

const busyMs = 500;

/** Builds all indexes of all projects again, beside the service; until those of a project are there, none is used. */
async function rebuildProjects(connection: Connection, recorded: RecordedPaths, progress: Progress): Promise<void> {
  const total = await countResources(connection);
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

/** The rows of the tables beside `resource` whose checksum does not hold. */
async function checkOthers(connection: Connection): Promise<readonly string[]> {
  const findings: string[] = [];
  for (const table of smallTables) {
    for await (const rows of rowsOf(connection, table)) {
      for (const row of rows) if (!holdsChecksum(table, row)) findings.push(findingOf(table, row));
    }
  }
  for await (const rows of rowsOf(connection, responses, 'body')) {
    for (const row of rows) if (!isIntactResponse(responses, row)) findings.push(findingOf(responses, row));
  }
  return findings;
}
