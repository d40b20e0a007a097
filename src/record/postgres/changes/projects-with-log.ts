import type { Connection } from '../open/connection.ts';

const pageSize = 500;

const pageText = `SELECT project_key FROM event_head WHERE project_key > $1 ORDER BY project_key LIMIT ${pageSize}`;

/** The statements that read several projects at once. */
export const logDiscoveryTexts: readonly string[] = [pageText];

/** The projects that have a log, in order, behind a name. No request waits for it: it asks about all projects. */
export async function* projectsWithLog(
  read: <T>(work: (connection: Connection) => Promise<T>) => Promise<T>,
  behind = '',
): AsyncGenerator<string> {
  for (let after = behind; ; ) {
    const values = [after];
    const rows = await read((connection) => connection.query<{ project_key: string }>({ text: pageText, values }));
    for (const { project_key } of rows) yield project_key;
    if (rows.length < pageSize) return;
    after = rows.at(-1)!.project_key;
  }
}
