import type { Progress } from '../../engine.ts';
import { documentsOf, isIntact, type StoredRow } from '../../row/stored-row.ts';
import { type Indexed, indexResource } from '../index/index-columns.ts';
import type { Connection } from '../open/connection.ts';
import { withAdvisoryLock } from '../open/migrate.ts';
import { rowColumns, servicePartition } from '../rows.ts';
import { runPairs } from '../write/apply.ts';

const portion = 200;

/** What the database should hold of a resource beside its row. */
export function indexRow(row: StoredRow, declaredPaths: readonly string[]): Indexed {
  return indexResource(row.project_key, documentsOf(row), row, declaredPaths);
}

/** All resources, in portions, project by project. With `lock` no other session changes them meanwhile. */
export async function* allRows(connection: Connection, lock: boolean): AsyncGenerator<readonly StoredRow[]> {
  const after = { project: '', id: '' };
  const text = `SELECT ${rowColumns} FROM resource r WHERE (r.project_key, r.id) > ($1, $2)
    ORDER BY r.project_key, r.id LIMIT ${portion}${lock ? ' FOR UPDATE' : ''}`;
  for (;;) {
    const rows = await connection.query<StoredRow>({ text, values: [after.project, after.id] });
    if (rows.length === 0) return;
    yield rows;
    const last = rows.at(-1)!;
    after.project = last.project_key;
    after.id = last.id;
  }
}

const settingName = 'declared-paths';

async function readSetting(connection: Connection): Promise<string | undefined> {
  const text = 'SELECT value FROM store_setting WHERE project_key = $1 AND name = $2';
  const [row] = await connection.query<{ value: string }>({ text, values: [servicePartition, settingName] });
  return row?.value;
}

/**
 * The declared paths that the indexes were built with; undefined where they cannot be read. They need no checksum: each
 * start compares them with its own, and rebuilds the indexes unless they are the same in every byte.
 */
export async function readDeclaredPaths(connection: Connection): Promise<readonly string[] | undefined> {
  const text = (await readSetting(connection)) ?? '[]';
  try {
    return JSON.parse(text) as string[];
  } catch {
    return undefined;
  }
}

/** Rebuilds the indexes if they were built with other declared paths. Of several processes one does it. */
export async function followDeclaredPaths(
  connection: Connection,
  declaredPaths: readonly string[],
  note: (text: string) => void,
): Promise<void> {
  const wanted = JSON.stringify(declaredPaths.toSorted());
  if ((await readSetting(connection)) === wanted) return;
  await withAdvisoryLock(connection, async () => {
    const known = await readSetting(connection);
    if (known === wanted) return;
    const found = known === undefined ? await connection.query({ text: 'SELECT 1 FROM resource LIMIT 1' }) : [true];
    if (found.length > 0) {
      note('the declared paths have changed: rebuilding the indexes');
      await rebuildIndexes(connection, declaredPaths, () => {});
    }
    await connection.run({
      text: `INSERT INTO store_setting (project_key, name, value) VALUES ($1, $2, $3)
        ON CONFLICT (project_key, name) DO UPDATE SET value = excluded.value`,
      values: [servicePartition, settingName, wanted],
    });
  });
}

/** Rebuilds the indexes of all resources, a portion in each transaction. Damaged resources are left out. */
export async function rebuildIndexes(
  connection: Connection,
  declaredPaths: readonly string[],
  progress: Progress,
): Promise<void> {
  const total = await countResources(connection);
  let done = 0;
  await connection.run({ text: 'DELETE FROM ordered_value' });
  await connection.run({ text: 'BEGIN' });
  for await (const rows of allRows(connection, true)) {
    for (const row of rows) if (isIntact(row)) await rebuildRow(connection, row, declaredPaths);
    await connection.commit();
    done += rows.length;
    progress('indexes', done, Math.max(done, total));
    await connection.run({ text: 'BEGIN' });
  }
  await connection.commit();
}

export async function countResources(connection: Connection): Promise<number> {
  const [row] = await connection.query<{ total: number }>({ text: 'SELECT count(*) AS total FROM resource' });
  return row!.total;
}

async function rebuildRow(connection: Connection, row: StoredRow, declaredPaths: readonly string[]): Promise<void> {
  const { terms, entries, words, compared, comparedStaged } = indexRow(row, declaredPaths);
  const ofEntries = entries.map((entry) => [entry, row.id] as const);
  await Promise.all([
    connection.run({
      name: 'rebuild-row',
      text: `UPDATE resource SET terms = $3, document = $4::text::jsonb, staged_document = $5::text::jsonb
        WHERE project_key = $1 AND id = $2`,
      values: [row.project_key, row.id, terms, compared ?? row.current, comparedStaged ?? row.staged],
    }),
    runPairs(connection, row.project_key, 'gain-entries', ofEntries),
    runPairs(connection, row.project_key, 'add-words', words),
  ]);
}
