import { type CheckOptions, type Migration, type Progress, StoreRefused } from '../../engine.ts';
import { findingOf, holdsChecksum } from '../../row/checked-table.ts';
import { isIntactResponse } from '../../row/response-row.ts';
import { responses, rowsOf, smallTables } from '../checked-tables.ts';
import { type Connection, checkTimeoutMs, connectOnce } from '../open/connection.ts';
import { clusterOf, migrate, missingMigrations } from '../open/migrate.ts';
import { setRoleSettings } from '../open/servable.ts';
import { checkRows, failureOf } from './check.ts';

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

/**
 * Checks the checksums of rows and the logs. Of a part only resources and logs are checked: what a check looks at before them, one
 * that is continued has seen.
 */
export async function checkPostgres(
  url: string,
  progress: Progress,
  { part, onFinding }: CheckOptions = {},
): Promise<readonly string[]> {
  const findings: string[] = [];
  const report = (finding: string) => {
    findings.push(finding);
    onFinding?.(finding);
  };
  const check = async (connection: Connection) => {
    if ((await missingMigrations(connection)).length > 0) {
      throw new StoreRefused(
        'There is no store of this version in the database yet. Run “npx grs migrate”, or start the service.',
      );
    }
    if (part === undefined) await checkOthers(connection, report);
    await checkRows({ connection, progress, report, part });
  };
  await withConnection(url, check, checkTimeoutMs).catch((error: unknown) => {
    throw error instanceof StoreRefused ? error : failureOf(error);
  });
  return findings;
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
