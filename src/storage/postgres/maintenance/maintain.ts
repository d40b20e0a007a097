import { type Migration, type Progress, StoreRefused } from '../../engine.ts';
import { findingOf, holdsChecksum } from '../../row/checked-table.ts';
import { isIntactResponse } from '../../row/response-row.ts';
import { isIntact, type StoredRow } from '../../row/stored-row.ts';
import { responses, rowsOf, smallTables } from '../checked-tables.ts';
import { type Connection, connectOnce } from '../open/connection.ts';
import { migrate, missingMigrations } from '../open/migrate.ts';
import { allRows, countResources, indexRow, readDeclaredPaths, rebuildIndexes } from './rebuild.ts';

async function withConnection<T>(url: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await connectOnce(url);
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

/** Applies the missing migrations, or only lists them. */
export function migratePostgres(url: string, dryRun: boolean): Promise<readonly Migration[]> {
  return withConnection(url, (connection) => (dryRun ? missingMigrations(connection) : migrate(connection)));
}

/** Checks the checksums of rows, and the indexes against the resources; with `rebuild` it rebuilds the indexes first. */
export function checkPostgres(url: string, rebuild: boolean, progress: Progress): Promise<readonly string[]> {
  return withConnection(url, async (connection) => {
    if ((await missingMigrations(connection)).length > 0) {
      throw new StoreRefused(
        'There is no store of this version in the database yet. Run “grs migrate”, or start the service.',
      );
    }
    const declaredPaths = await readDeclaredPaths(connection);
    if (rebuild) await rebuildIndexes(connection, declaredPaths ?? [], progress);
    // One snapshot for all that follows, however much is written meanwhile.
    await connection.run({ text: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' });
    const others = await checkOthers(connection);
    if (!declaredPaths) others.push('store settings: they cannot be read; the next start rebuilds the indexes');
    const findings = await checkRows(connection, declaredPaths, progress);
    await connection.commit();
    return [...findings, ...others];
  });
}

/** Without the declared paths the indexes are left out. */
async function checkRows(
  connection: Connection,
  declaredPaths: readonly string[] | undefined,
  progress: Progress,
): Promise<readonly string[]> {
  const findings: string[] = [];
  const total = await countResources(connection);
  let [done, entries, damaged] = [0, 0, 0];
  for await (const rows of allRows(connection, false)) {
    for (const row of rows) {
      if (!isIntact(row)) {
        findings.push(`resource ${row.project_key}/${row.id}: its checksum does not hold; restore it from a backup`);
        damaged += 1;
      } else if (declaredPaths) {
        const checked = await checkIndexes(connection, row, declaredPaths);
        findings.push(...checked.findings);
        entries += checked.entries;
      }
    }
    done += rows.length;
    progress('resources', done, total);
  }
  const [stored] = await connection.query<{ count: number }>({ text: 'SELECT count(*) FROM ordered_value' });
  if (declaredPaths && damaged === 0 && stored!.count !== entries) {
    findings.push(`ordered values: ${stored!.count} where the resources give ${entries}; ${rebuildHint}`);
  }
  return findings;
}

/** The rows of the tables beside `resource` whose checksum does not hold. */
async function checkOthers(connection: Connection): Promise<string[]> {
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

const rebuildHint = 'stop the service and run “check --rebuild-indexes”';

const indexText = `SELECT
    (SELECT array_agg(t ORDER BY t) FROM unnest(r.terms) t) = (SELECT array_agg(t ORDER BY t) FROM unnest($3::text[]) t)
      AND r.document = $4::text::jsonb AND r.staged_document IS NOT DISTINCT FROM $5::text::jsonb AS holds,
    (SELECT count(*) FROM ordered_value o JOIN unnest($6::text[]) n (entry) ON n.entry = o.entry
      WHERE o.project_key = $1 AND o.id = $2) AS entries
  FROM resource r WHERE r.project_key = $1 AND r.id = $2`;

async function checkIndexes(connection: Connection, row: StoredRow, declaredPaths: readonly string[]) {
  const { terms, entries, compared, comparedStaged } = indexRow(row, declaredPaths);
  const [found] = await connection.query<{ holds: boolean; entries: number }>({
    ...{ name: 'check-row', text: indexText },
    values: [row.project_key, row.id, terms, compared ?? row.current, comparedStaged ?? row.staged, entries],
  });
  const holds = found?.holds === true && found.entries === entries.length;
  const findings = holds ? [] : [`resource ${row.project_key}/${row.id}: its indexes say otherwise; ${rebuildHint}`];
  return { findings, entries: entries.length };
}
