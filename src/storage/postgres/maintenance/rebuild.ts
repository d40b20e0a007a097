import type { JsonObject } from '../../../contract/json.ts';
import { parseStoredJson } from '../../../domain/json/parse.ts';
import type { Documents } from '../../../domain/ports/resource-store.ts';
import type { Progress } from '../../engine.ts';
import { isIntact, type StoredRow } from '../../row/stored-row.ts';
import type { Connection } from '../open/connection.ts';
import { alone } from '../open/migrate.ts';
import { servicePartition } from '../open/partition.ts';
import { rowColumns } from '../query/rows.ts';
import { comparedText, indexedOf } from '../write/index-columns.ts';

const portion = 200;

/** The documents of a row. */
export function documentsOf({ current, staged }: StoredRow): Documents {
  const read = (text: string) => parseStoredJson(text) as JsonObject;
  return staged === null ? { current: read(current) } : { current: read(current), staged: read(staged) };
}

/** All resources, in portions, project by project. */
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

/** The declared paths that the indexes were made with. */
export async function readDeclaredPaths(connection: Connection): Promise<readonly string[]> {
  return JSON.parse((await readSetting(connection)) ?? '[]') as string[];
}

/** Makes the indexes anew where they were made with other declared paths. Of several processes one does it. */
export async function followDeclaredPaths(
  connection: Connection,
  declaredPaths: readonly string[],
  note: (text: string) => void,
): Promise<void> {
  const wanted = JSON.stringify(declaredPaths.toSorted());
  if ((await readSetting(connection)) === wanted) return;
  await alone(connection, async () => {
    const known = await readSetting(connection);
    if (known === wanted) return;
    const found = known === undefined ? await connection.query({ text: 'SELECT 1 FROM resource LIMIT 1' }) : [true];
    if (found.length > 0) {
      note('the declared paths have changed: making the indexes anew');
      await rebuildIndexes(connection, declaredPaths, () => {});
    }
    await connection.run({
      text: `INSERT INTO store_setting (project_key, name, value) VALUES ($1, $2, $3)
        ON CONFLICT (project_key, name) DO UPDATE SET value = excluded.value`,
      values: [servicePartition, settingName, wanted],
    });
  });
}

/** Makes the indexes of all resources anew, a portion in each transaction. Damaged resources are left out. */
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
  const documents = documentsOf(row);
  const { terms, entries, words } = indexedOf(row.project_key, documents, declaredPaths);
  const staged =
    documents.staged && row.staged !== null ? (comparedText(documents.staged, row.staged) ?? row.staged) : null;
  const own = [row.project_key, row.id];
  await Promise.all([
    connection.run({
      name: 'rebuild-row',
      text: `UPDATE resource SET terms = $3, document = $4::text::jsonb, staged_document = $5::text::jsonb
        WHERE project_key = $1 AND id = $2`,
      values: [...own, terms, comparedText(documents.current, row.current) ?? row.current, staged],
    }),
    connection.run({
      name: 'rebuild-entries',
      text: `INSERT INTO ordered_value (project_key, id, entry) SELECT $1::text, $2::text, n.entry
        FROM unnest($3::text[]) AS n (entry) ON CONFLICT DO NOTHING`,
      values: [...own, entries],
    }),
    connection.run({
      name: 'rebuild-words',
      text: `INSERT INTO word (project_key, locale, word) SELECT $1::text, n.locale, n.word
        FROM unnest($2::text[], $3::text[]) AS n (locale, word) ON CONFLICT DO NOTHING`,
      values: [row.project_key, words.map(([locale]) => locale), words.map(([, word]) => word)],
    }),
  ]);
}
